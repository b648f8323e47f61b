// Brings an earlier version of an entity back (N52), by the same verbs and checks as every write (N65): the version itself
// stays in the history, and the restored one is a new one. A deleted entity returns under its id.
import type { Context } from '../../platform/context.ts'
import { orKept } from '../../platform/db/commit/idempotency.ts'
import { Refused } from '../../platform/db/commit/refusal.ts'
import type { Properties } from '../../platform/db/commit/write.ts'
import { type Entity, type EntityRow, entityOf } from '../../platform/db/row.ts'
import { Fault, type FieldError, invalid, notFound, pointer, pointerParts } from '../../platform/errors.ts'
import { COMMON_READ_ONLY, type Kind } from '../../platform/kind.ts'
import { RESTORE_MAX_RECORDS } from '../../platform/limits.ts'
import { patchBetween, type State, stateBefore } from '../history/earlier-state.ts'
import { isSwept, RecordsBack } from '../history/entity-records-store.ts'
import { checkedBody } from './checked-body.ts'
import { listReader } from './list-reader.ts'
import { createEntity, updateEntity } from './service.ts'
import { readState } from './store.ts'

const TRIES = 5

export interface RestoreBody {
  version: number
  properties?: readonly string[] | undefined
}

export function restoreEntity(
  context: Context,
  kind: Kind,
  id: string,
  body: RestoreBody,
  versions?: readonly number[],
): Promise<Entity> {
  const restore = () => restoreAnyhow(context, kind, id, body, versions)
  return orKept(context, restore, rows => entityOf(rows[0] as EntityRow))
}

async function restoreAnyhow(
  ...[context, kind, id, body, versions]: Parameters<typeof restoreEntity>
): Promise<Entity> {
  for (let tries = 1; ; tries++) {
    try {
      return await restoreOnce(context, kind, id, body, versions)
    } catch (error) {
      // Another caller has written in between: compute the change again, unless the caller wanted that very version.
      const isOvertaken = error instanceof Overtaken
      if (!isOvertaken || tries === TRIES) throw isOvertaken ? error.fault : error
    }
  }
}

class Overtaken extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

async function restoreOnce(
  context: Context,
  kind: Kind,
  id: string,
  body: RestoreBody,
  versions?: readonly number[],
): Promise<Entity> {
  const { env, db, org } = context
  const records = new RecordsBack({ env, db, orgId: org.id, type: kind.name, id })
  const now = await readState(db, org.id, kind, id)
  await records.begin()
  const present = now?.version ?? records.newest
  if (present === 0) throw notFound()
  const wanted = await stateAt(context, records, { version: present, state: now?.data ?? null }, body.version)
  try {
    if (now) {
      const patch = checkedBody(kind, 'update', wantedOf(kind, patchBetween(now.data, wanted), body, now.data, wanted))
      return await updateEntity(context, kind, id, patch, versions ?? [present])
    }
    return await bringBack(context, kind, id, wanted, body, present + 1, versions)
  } catch (error) {
    if (versions === undefined && isRace(error, now === undefined)) throw new Overtaken(error)
    throw await explained(context, kind, wanted, error)
  }
}

/** Of what has changed, what is asked for. What only the service sets is not written by others, as ever (N14). */
function wantedOf(
  kind: Kind,
  patch: Properties,
  { properties }: RestoreBody,
  now: Properties,
  wanted: Properties,
): Properties {
  if (!properties) return patch
  const ignored = new Set<string>([...COMMON_READ_ONLY, ...Object.keys(kind.readOnly)])
  const errors = properties.flatMap((name, at): FieldError[] => {
    const path = pointer(['properties', at])
    if (ignored.has(name)) return [{ path, message: 'Only the service sets this property.' }]
    const isKnown = Object.hasOwn(now, name) || Object.hasOwn(wanted, name)
    return isKnown ? [] : [{ path, message: 'Neither the entity nor that version has this property.' }]
  })
  if (errors.length) throw invalid(errors)
  return Object.fromEntries(Object.entries(patch).filter(([name]) => properties.includes(name)))
}

/** Why nothing deleted of this entity type returns; undefined where it does. */
export function returnFault({ name, operations }: Kind): string | undefined {
  if (operations.includes('create')) return undefined
  return `A deleted ${name} cannot return: what made it work is not in its history.`
}

async function bringBack(
  context: Context,
  kind: Kind,
  id: string,
  wanted: Properties,
  { properties }: RestoreBody,
  version: number,
  versions?: readonly number[],
): Promise<Entity> {
  if (versions) throw new Fault('precondition_failed', 'The entity is deleted: there is no version to match.')
  if (properties) {
    throw invalid([{ path: '/properties', message: 'The entity is deleted: it returns whole, or not at all.' }])
  }
  const fault = returnFault(kind)
  if (fault !== undefined) throw new Fault('conflict', fault)
  const kept = Object.entries(wanted).filter(([name]) => Object.hasOwn(kind.readOnly, name))
  const body = checkedBody(kind, 'create', wanted)
  return createEntity(context, kind, body, { id, version, sets: Object.fromEntries(kept) })
}

/** Walks back from the present state. Every version in between has a record, or the way is not known. */
async function stateAt(
  { db, org }: Context,
  records: RecordsBack,
  present: { version: number; state: State },
  version: number,
): Promise<Properties> {
  if (version < 1 || version > present.version) {
    throw new Fault('not_found', `There is no version ${version}: the newest is ${present.version}.`)
  }
  if (present.version - version > RESTORE_MAX_RECORDS) {
    throw new Fault('conflict', `Version ${version} lies more than ${RESTORE_MAX_RECORDS} changes back.`)
  }
  let { state } = present
  for (let at = present.version; at > version; at--) {
    const record = await records.of(at)
    if (!record) throw await notKept(db, org.id, version, at)
    state = stateBefore(record, state)
  }
  if (state) return state
  throw new Fault('not_found', `Version ${version} is a deletion. Version ${version - 1} is what was deleted.`)
}

async function notKept(db: Context['db'], orgId: string, version: number, missing: number): Promise<Fault> {
  const why = (await isSwept(db, orgId))
    ? `the history is kept for a limited time, and version ${missing} is older than that`
    : `version ${missing} was written without a change record`
  return new Fault('conflict', `Version ${version} is not kept: ${why}.`)
}

/** Another caller has changed, deleted or restored the entity meanwhile. */
function isRace(error: unknown, isReturning: boolean): error is Fault {
  if (!(error instanceof Fault)) return false
  if (error.code === 'precondition_failed' || error.code === 'not_found') return true
  return isReturning && error.code === 'duplicate' && !(error instanceof Refused)
}

/** What stands against it is not the caller's input but what has become of the others since: a conflict that names them. */
async function explained(context: Context, kind: Kind, wanted: Properties, error: unknown): Promise<unknown> {
  if (!(error instanceof Refused)) return error
  const gone = error.refusals.filter(({ reason }) => reason === 'reference')
  if (gone.length > 0) {
    const errors = gone.map(({ field }) => ({ path: `/${field}`, message: goneText(valueAt(wanted, field)) }))
    return new Fault('conflict', 'That version refers to entities that are gone.', { errors })
  }
  const taken = error.refusals.find(({ reason }) => reason === 'duplicate')
  if (!taken) return error
  const fields = taken.field.split('+')
  const heldBy = await holderOf(context, kind, wanted, fields)
  const message = `${fields.map(field => `${field} ${JSON.stringify(wanted[field])}`).join(' and ')} belongs to ${heldBy ?? 'another entity'} now.`
  const path = fields.length === 1 ? `/${taken.field}` : ''
  return new Fault('duplicate', `The ${message}`, { errors: [{ path, message }], members: { heldBy } })
}

const goneText = (id: unknown) => `There is no entity with the id ${JSON.stringify(id)} any more.`

function valueAt(wanted: Properties, field: string): unknown {
  return pointerParts(`/${field}`).reduce<unknown>((value, part) => Object(value)[part], wanted)
}

async function holderOf(context: Context, kind: Kind, wanted: Properties, fields: readonly string[]) {
  const scope = kind.federatedScope === 'typePath' && fields.includes('federatedId') ? ['typePath'] : []
  const criteria = Object.fromEntries([...fields, ...scope].map(field => [field, String(wanted[field])]))
  const read = await listReader(context, kind, criteria)
  return (await read(undefined, 1)).entities[0]?.id
}
