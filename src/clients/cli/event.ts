// Events as endpoints get them: `{type, timestamp, data}`, with the entity after and before a change, as the API would have shown
// it then. A record of an update holds its differences only, so the rest comes from what the entity is now. Pure.

import type { ChangeRecord, Entity } from '../typescript/index.ts'

type Properties = Record<string, unknown>

export interface WebhookEvent {
  type: string
  timestamp: string
  data: Properties
}

export const PUBLISH = 'assortment|publish'
export const CHANGE_TYPES = ['create', 'update', 'delete'] as const

/** What the service takes into an event; a larger one keeps which entity it is about. */
const EVENT_MAX_BYTES = 128 * 1024
const COMMON = ['id', 'orgId', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'version']
const KEPT = ['id', 'orgId', 'typePath', 'name', 'federatedId', ...COMMON.slice(2)]

export const typeOf = ({ entityType, changeType }: Pick<ChangeRecord, 'entityType' | 'changeType'>) =>
  `${entityType}|${changeType}`

/** `item|update`, `item|*`, `*` */
export function isWanted(type: string, wanted: readonly string[]): boolean {
  return wanted.some(each => each === '*' || each === type || each === `${type.split('|')[0]}|*`)
}

/**
 * `present`: the entity as it is now, where it still is; `history`: its records, the newest first, at least down to the one before
 * the change.
 */
export function changeEvent(
  change: ChangeRecord,
  present: Entity | undefined,
  history: readonly ChangeRecord[],
): WebhookEvent {
  const { newState, oldState } = statesOf(change, present, history)
  const before = history.find(({ version }) => version < change.version)
  const first = history.find(({ changeType }) => changeType === 'create')
  const made = {
    id: change.entityReference.slice(change.entityType.length + 1),
    orgId: change.orgId,
    createdOn: present?.createdOn ?? first?.createdOn ?? change.createdOn,
    createdById: present?.createdById ?? first?.createdById ?? change.createdById,
  }
  const now = { updatedOn: change.createdOn, updatedById: change.createdById, version: change.version }
  const then = {
    updatedOn: before?.createdOn ?? made.createdOn,
    updatedById: before?.createdById ?? made.createdById,
    version: change.version - 1,
  }
  const event = {
    newData: newState && entityWith({ ...made, ...now }, newState),
    oldData: oldState && entityWith({ ...made, ...then }, oldState),
    propertyDiffs: change.changes,
  }
  return { type: typeOf(change), timestamp: change.createdOn, data: bounded(event) }
}

function statesOf(change: ChangeRecord, present: Entity | undefined, history: readonly ChangeRecord[]) {
  if (change.changeType === 'create') return { newState: side(change, 'newValue'), oldState: null }
  if (change.changeType === 'delete') return { newState: null, oldState: side(change, 'oldValue') }
  let state = present ? own(present) : {}
  for (const record of history) {
    if (record.version <= change.version) break
    // What came after what is known of the entity is not in it.
    if (record.version > (present?.version ?? Number.POSITIVE_INFINITY)) continue
    state = record.changeType === 'delete' ? side(record, 'oldValue') : overlaid(state, record, 'oldValue')
  }
  return { newState: overlaid(state, change, 'newValue'), oldState: overlaid(state, change, 'oldValue') }
}

function side({ changes }: ChangeRecord, which: 'oldValue' | 'newValue'): Properties {
  return Object.fromEntries(Object.entries(changes).map(([name, values]) => [name, values[which]]))
}

function overlaid(state: Properties, { changes }: ChangeRecord, which: 'oldValue' | 'newValue'): Properties {
  const all = { ...state }
  for (const [name, values] of Object.entries(changes)) {
    if (values[which] == null) delete all[name]
    else all[name] = values[which]
  }
  return all
}

/** What an entity holds besides what the service sets; absent common fields are shown as null. */
function own(entity: Entity): Properties {
  return Object.fromEntries(Object.entries(entity).filter(([name, value]) => !COMMON.includes(name) && value !== null))
}

function entityWith(stamp: Properties & { id: string; orgId: string }, state: Properties): Properties {
  const { id, orgId, createdOn, createdById, updatedOn, updatedById, version } = stamp
  const common = { id, orgId, typePath: null, name: null, federatedId: null }
  return { ...common, createdOn, updatedOn, createdById, updatedById, version, ...state }
}

function bounded(event: {
  newData: Properties | null
  oldData: Properties | null
  propertyDiffs: Properties
}): Properties {
  const fits = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= EVENT_MAX_BYTES
  if (fits(event)) return event
  const brief = (data: Properties | null) =>
    data && Object.fromEntries(KEPT.filter(name => name in data).map(name => [name, data[name]]))
  const small = { newData: brief(event.newData), oldData: brief(event.oldData), truncated: true }
  const withDiffs = { ...small, propertyDiffs: event.propertyDiffs }
  return fits(withDiffs) ? withDiffs : { ...small, propertyDiffs: {} }
}

/** An event that nothing has caused, with `data` in its entity. */
export function madeUpEvent(
  type: string,
  data: Properties,
  { newId, now }: { newId(): string; now: string },
): WebhookEvent {
  if (type === PUBLISH) {
    return { type, timestamp: now, data: { assortmentId: newId(), assortmentPublishChangeId: newId(), ...data } }
  }
  const [entityType = '', changeType] = type.split('|')
  const state = { typePath: entityType, name: `Example ${entityType}`, ...data }
  const change: ChangeRecord = {
    id: newId(),
    orgId: newId(),
    entityType,
    entityReference: `${entityType}:${newId()}`,
    changeType: CHANGE_TYPES.find(each => each === changeType) ?? 'update',
    createdOn: now,
    createdById: newId(),
    createdByType: 'app',
    version: changeType === 'create' ? 1 : 2,
    changes: Object.fromEntries(
      Object.entries(changeType === 'update' ? { name: state.name } : state).map(([name, value]) => [
        name,
        {
          oldValue: changeType === 'create' ? null : changeType === 'update' ? `Old name of ${entityType}` : value,
          newValue: changeType === 'delete' ? null : value,
        },
      ]),
    ),
  }
  const present = {
    ...entityWith({ ...change, id: '', orgId: '' }, state),
    version: change.version,
  } as unknown as Entity
  return changeEvent(change, changeType === 'update' ? present : undefined, [])
}
