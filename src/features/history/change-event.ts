// From change records to events `{newData, oldData, propertyDiffs}` (N36), with the entity as the API would have shown it
// then (N68). A record of an update holds its differences only: the state at its time is a later one with the differences
// in between taken back. Pure.
import { type Entity, entityWith } from '../../platform/db/row.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'
import type { ChangeRow } from './store.ts'

export const CHANGE_TYPES = ['create', 'update', 'delete'] as const

/** Trigger keys of all changes of these entity types. */
export const changeKeys = (kinds: readonly { name: string }[]) =>
  kinds.flatMap(({ name }) => CHANGE_TYPES.map(type => `${name}|${type}`))

export interface UnreadChange extends ChangeRow {
  /** How deep in a chain of workflows the change was made; 0: by none. */
  depth: number
  /** When and by whom the entity was created, where that is still known. */
  madeOn: number | null
  madeById: string | null
  /** When and by whom it was last changed before. */
  beforeOn: number | null
  beforeById: string | null
}

/** A record of the same entity between two that have listeners. */
export type BetweenRow = Pick<ChangeRow, 'seq' | 'entityId' | 'changeType'> & {
  /** None: too much to read. */
  detail: string | null
}

/** A property of an entity after the change `at`. */
export interface StateRow {
  at: number
  key: string
  /** JSON; none: too much to read. */
  value: string | null
}

type Properties = Record<string, unknown>
type Differences = Record<string, { oldValue: unknown; newValue: unknown }>

export interface ChangeEvent extends Properties {
  newData: Entity | null
  oldData: Entity | null
  propertyDiffs: Differences
}

export function triggerKeyOf(change: Pick<ChangeRow, 'entityType' | 'changeType'>): string {
  return `${change.entityType}|${change.changeType}`
}

/** The events of changes by their place in commit order, each small enough for the record of a run. */
export function changeEvents(
  changes: readonly UnreadChange[],
  between: readonly BetweenRow[],
  states: readonly StateRow[],
): Map<number, Properties> {
  const events = new Map<number, Properties>()
  for (const entityId of new Set(changes.map(change => change.entityId))) {
    const own = changes.filter(change => change.entityId === entityId)
    const others = between.filter(record => record.entityId === entityId)
    const last = own.findLast(change => change.changeType === 'update')?.seq ?? 0
    const found = states.filter(({ at }) => at === last)
    const newestFirst = [...own, ...others].sort((a, b) => b.seq - a.seq)
    let state: State = {
      data: Object.fromEntries(found.flatMap(({ key, value }) => (value === null ? [] : [[key, JSON.parse(value)]]))),
      unknown: new Set(found.filter(({ value }) => value === null).map(({ key }) => key)),
    }
    for (const record of newestFirst) {
      if (isUnread(record)) events.set(record.seq, eventOf(record, state))
      if (record.seq <= last) state = stateBefore(record, state)
    }
  }
  return events
}

interface State {
  data: Properties
  /** Properties that were too large to be read. */
  unknown: ReadonlySet<string>
}

function isUnread(record: UnreadChange | BetweenRow): record is UnreadChange {
  return 'depth' in record
}

/** What is known of the differences that cannot be read: nothing, not even which properties they are about. */
const ANY = '*'

function stateBefore({ changeType, detail }: BetweenRow, state: State): State {
  if (changeType === 'create') return { data: {}, unknown: new Set() }
  if (detail === null) return { ...state, unknown: new Set([...state.unknown, ANY]) }
  const fields = JSON.parse(detail) as Properties
  return changeType === 'delete'
    ? { data: fields, unknown: new Set() }
    : overlaid(state, fields as Differences, 'oldValue')
}

function eventOf(change: UnreadChange, state: State): Properties {
  const detail = JSON.parse(change.detail) as Properties
  if (change.changeType === 'create') {
    const diffs = Object.entries(detail).map(([name, newValue]) => [name, { oldValue: null, newValue }] as const)
    return boundedEvent({ newData: nowOf(change, detail), oldData: null, propertyDiffs: Object.fromEntries(diffs) })
  }
  if (change.changeType === 'delete') {
    const diffs = Object.entries(detail).map(([name, oldValue]) => [name, { oldValue, newValue: null }] as const)
    return boundedEvent({ newData: null, oldData: thenOf(change, detail), propertyDiffs: Object.fromEntries(diffs) })
  }
  const propertyDiffs = detail as Differences
  const after = overlaid(state, propertyDiffs, 'newValue')
  const before = overlaid(state, propertyDiffs, 'oldValue')
  const event = { newData: nowOf(change, after.data), oldData: thenOf(change, before.data), propertyDiffs }
  return after.unknown.size ? briefEvent(event) : boundedEvent(event)
}

function made({ entityId: id, orgId, madeOn, madeById, createdOn, createdById }: UnreadChange) {
  return { id, orgId, createdOn: madeOn ?? createdOn, createdById: madeById ?? createdById }
}

/** The entity as the change has left it. */
function nowOf(change: UnreadChange, data: Properties): Entity {
  const { version, createdOn: updatedOn, createdById: updatedById } = change
  return entityWith({ ...made(change), version, updatedOn, updatedById }, data)
}

/** The entity as the change has found it. */
function thenOf(change: UnreadChange, data: Properties): Entity {
  const stamp = made(change)
  const updatedOn = change.beforeOn ?? stamp.createdOn
  const updatedById = change.beforeById ?? stamp.createdById
  return entityWith({ ...stamp, version: change.version - 1, updatedOn, updatedById }, data)
}

function overlaid(state: State, differences: Differences, side: 'oldValue' | 'newValue'): State {
  const data = { ...state.data }
  const unknown = new Set(state.unknown)
  for (const [name, difference] of Object.entries(differences)) {
    if (difference[side] == null) delete data[name]
    else data[name] = difference[side]
    unknown.delete(name)
  }
  return { data, unknown }
}

/** An event fits into a run's record: a larger one keeps which entity it is about and which properties changed. */
export function boundedEvent(event: Properties): Properties {
  return jsonBytes(event) <= EVENT_MAX_BYTES ? event : briefEvent(event)
}

const KEPT = [
  'id',
  'orgId',
  'typePath',
  'name',
  'federatedId',
  'createdOn',
  'updatedOn',
  'createdById',
  'updatedById',
  'version',
]

/** Which entity it is about, and which properties changed where that fits. */
export function briefEvent({ newData, oldData, propertyDiffs }: Partial<ChangeEvent>): Properties {
  const brief = (data: Properties | null | undefined) =>
    data ? Object.fromEntries(KEPT.filter(name => name in data).map(name => [name, data[name]])) : null
  const small = { newData: brief(newData), oldData: brief(oldData), truncated: true }
  const withDiffs = { ...small, propertyDiffs: propertyDiffs ?? {} }
  return jsonBytes(withDiffs) <= EVENT_MAX_BYTES ? withDiffs : { ...small, propertyDiffs: {} }
}
