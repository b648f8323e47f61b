// Batches (N17): up to a thousand entities, all or nothing, in a constant number of statements.
import type { Context } from '../../platform/context.ts'
import type { Properties, Write } from '../../platform/db/commit/write.ts'
import type { Entity } from '../../platform/db/row.ts'
import { Fault, type FieldError, invalid } from '../../platform/errors.ts'
import { idSeries } from '../../platform/ids.ts'
import type { Kind } from '../../platform/kind.ts'
import { guarded } from './guarded.ts'
import { writeAll } from './service.ts'
import { findFederated } from './store.ts'
import { checkAll, createdData, updatePatch } from './write-body.ts'

const UPSERT_TRIES = 5

const place = (index: number) => `/${index}`

/** By place: the version that an entity must still have. None: any version. */
export type ExpectedVersions = readonly (number | undefined)[]

function versionsAt(expected: ExpectedVersions, at: number): { versions?: readonly number[] } {
  const version = expected[at]
  return version === undefined ? {} : { versions: [version] }
}

export async function createBatch(context: Context, kind: Kind, bodies: readonly Properties[]): Promise<Entity[]> {
  const all = bodies.map(body => createdData(kind, body))
  refuseRepeats(kind, all)
  checkAll(kind, all, place)
  const newId = idSeries()
  return writeAll(
    context,
    all.map((data): Write => ({ op: 'create', kind, id: newId(), data })),
    true,
  )
}

export async function updateBatch(
  context: Context,
  kind: Kind,
  bodies: readonly ({ id: string } & Properties)[],
  expected: ExpectedVersions = [],
): Promise<Entity[]> {
  const all = bodies.map(body => updatePatch(kind, body))
  refuse(repeats(bodies.map(body => body.id)), 'id')
  refuseRepeats(kind, all)
  checkAll(kind, all, place)
  const writes = bodies.map(
    ({ id }, at): Write => ({ op: 'update', kind, id, patch: all[at] ?? {}, ...versionsAt(expected, at) }),
  )
  return writeAll(context, writes, true)
}

export async function deleteBatch(context: Context, kind: Kind, ids: readonly string[]): Promise<void> {
  refuse(repeats(ids), '')
  await guarded(
    context,
    ids.map((id): Write => ({ op: 'delete', kind, id })),
    { isBatch: true },
  )
}

/** Creates what is not there and updates what is. One that appears in between is found at the next try. */
export async function upsertBatch(
  context: Context,
  kind: Kind,
  bodies: readonly Properties[],
  expected: ExpectedVersions = [],
): Promise<Entity[]> {
  const created = bodies.map(body => createdData(kind, body))
  const without = created.flatMap(({ federatedId }, at) => (federatedId === undefined ? [at] : []))
  refuse(without, 'federatedId', 'An upsert by federatedId needs one.')
  refuseRepeats(kind, created)
  checkAll(kind, created, place)
  const newId = idSeries()
  for (let tries = 1; ; tries++) {
    const known = await findFederated(
      context.db,
      context.org.id,
      created.map(data => keyOf(kind, data)),
    )
    const writes = created.map((data, at): Write => {
      const id = known.get(keyOf(kind, data).join('\n'))
      if (id === undefined && expected[at] !== undefined) throw notThere(at)
      if (id === undefined) return { op: 'create', kind, id: newId(), data }
      return { op: 'update', kind, id, patch: updatePatch(kind, bodies[at] ?? {}), ...versionsAt(expected, at) }
    })
    try {
      return await writeAll(context, writes, true)
    } catch (error) {
      const raced = error instanceof Fault && (error.code === 'duplicate' || error.code === 'not_found')
      if (!raced || tries === UPSERT_TRIES) throw error
    }
  }
}

/** Who names a version means an entity that is there. */
function notThere(at: number): Fault {
  const errors = [{ path: place(at), message: 'There is no such entity.' }]
  return new Fault('precondition_failed', 'An entity of which a version is expected is not there.', { errors })
}

/** What makes a federatedId unique: its scope and itself. */
function keyOf(kind: Kind, data: Properties): [scope: string, federatedId: string] {
  return [kind.federatedScope === 'kind' ? kind.name : String(data.typePath), String(data.federatedId)]
}

function refuseRepeats(kind: Kind, all: readonly Properties[]): void {
  refuse(repeats(all.map(data => (data.federatedId == null ? undefined : keyOf(kind, data).join('\n')))), 'federatedId')
  refuse(repeats(all.map(data => (data.identifier == null ? undefined : String(data.identifier)))), 'identifier')
  const fields = kind.uniqueBy ?? []
  const pairs = all.map(data => {
    const values = fields.map(field => data[field])
    return fields.length && values.every(value => value != null) ? JSON.stringify(values) : undefined
  })
  refuse(repeats(pairs), fields.at(-1) ?? '')
}

/** Places whose value stands at an earlier place already. */
function repeats(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>()
  return values.flatMap((value, at) => {
    if (value === undefined) return []
    const repeated = seen.has(value)
    seen.add(value)
    return repeated ? [at] : []
  })
}

function refuse(places: readonly number[], field: string, message = 'This stands in the batch already.'): void {
  const errors = places.map((at): FieldError => ({ path: place(at) + (field && `/${field}`), message }))
  if (errors.length) throw invalid(errors)
}
