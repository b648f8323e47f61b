// What taking changes back means for one entity (N52): for each property, and for whether the entity exists at all, the
// records that touch it lie on each other, and what an earlier revert has taken back is off the pile again. Where the changes
// to take back lie on top, what was before them returns; where somebody else's do, it is left alone. Pure.
import { canonical } from '../../platform/canonical.ts'
import type { Properties } from '../../platform/db/commit/write.ts'
import type { Kind } from '../../platform/kind.ts'
import { ownValue } from '../../platform/own-value.ts'
import type { RevertReason } from './contract.ts'
import type { Recorded } from './selection.ts'

type IsOf = (record: Recorded) => boolean

interface Layer {
  record: Recorded
  /** Of a property: what the record found and left. Of a delete: what was deleted. */
  oldValue?: unknown
  newValue?: unknown
  state?: Properties
}

export interface Present {
  version: number
  data: Properties
}

export type Action =
  | { op: 'delete'; version: number }
  | { op: 'update'; version: number; patch: Properties; data: Properties }
  | { op: 'create'; version: number; data: Properties }

/** What the entity holds when it is done. */
export function afterwards(action: Action): Properties {
  if (action.op === 'delete') return {}
  return action.op === 'create' ? action.data : { ...action.data, ...action.patch }
}

export interface Left {
  property: string | null
  reason: RevertReason
}

export interface EntityPlan {
  /** The record that the entity is dealt with at: once, however many of its records are met. */
  anchor: Recorded
  action: Action | undefined
  left: Left[]
  /** Whether the action goes without a change record, as what it takes back did. */
  unrecorded: boolean
}

export interface Knowledge {
  kind: Kind
  isMatched: IsOf
  /** For a record of an earlier revert: what that one took back. */
  revertedBy: (record: Recorded) => IsOf | undefined
}

/** Undefined where nothing of the entity is to be taken back. `records`: all since the first of them, oldest first. */
export function planEntity(
  records: readonly Recorded[],
  present: Present | undefined,
  knowledge: Knowledge,
): EntityPlan | undefined {
  const { isMatched } = knowledge
  const matched = records.filter(isMatched)
  const last = matched.at(-1)
  if (!last) return undefined
  const { existence, properties } = pilesOf(records, knowledge)
  const run = topRun(existence, isMatched)
  const isUnknown = present !== undefined && present.version !== records.at(-1)?.version
  const decided = { anchor: last, unrecorded: last.source === 'aside' }
  const [first] = run
  if (first?.record.changeType === 'create') {
    const anchor = { anchor: first.record, unrecorded: first.record.source === 'aside' }
    if (!present) return { ...anchor, action: undefined, left: [] }
    const isOther = (layer: Layer) => !isMatched(layer.record)
    const touched = [...properties].filter(([, pile]) => pile.some(isOther)).map(([property]) => property)
    if (touched.length || isUnknown) return { ...anchor, action: undefined, left: [left(null, 'changed_since')] }
    return { ...anchor, action: { op: 'delete', version: present.version }, left: [] }
  }
  if (first) {
    if (present && isUnknown) return { ...decided, action: undefined, left: [left(null, 'restored_since')] }
    const data = { ...first.state }
    for (const [property, pile] of properties) {
      const [earliest] = topRun(pile.filter(isBefore(first)), isMatched)
      if (earliest) set(data, property, earliest.oldValue)
    }
    if (present) return { ...decided, ...stateBack(data, present, properties, knowledge, run) }
    const version = (records.at(-1)?.version ?? 0) + 1
    return { ...decided, action: { op: 'create', version, data }, left: [] }
  }
  const top = existence.at(-1)
  const hasMatched = (pile: readonly Layer[]) => pile.some(({ record }) => isMatched(record))
  const isAnyLeft = hasMatched(existence) || [...properties.values()].some(hasMatched)
  if (!isAnyLeft) return { ...decided, action: undefined, left: [] }
  if (!present) {
    // What was to be deleted is gone already.
    const isGone = existence.some(({ record }) => isMatched(record) && record.changeType === 'create')
    return { ...decided, action: undefined, left: isGone ? [] : [left(null, 'deleted_since')] }
  }
  if (top && existence.length > 1 && hasMatched(existence)) {
    return { ...decided, action: undefined, left: [left(null, 'restored_since')] }
  }
  return { ...decided, ...propertiesBack(properties, present, knowledge) }
}

const left = (property: string | null, reason: RevertReason): Left => ({ property, reason })

function propertiesBack(
  properties: ReadonlyMap<string, readonly Layer[]>,
  present: Present,
  { kind, isMatched }: Knowledge,
): Pick<EntityPlan, 'action' | 'left'> {
  const patch: Properties = {}
  const kept: Left[] = []
  for (const [property, pile] of properties) {
    // What only the service sets follows from the rest.
    if (Object.hasOwn(kind.readOnly, property)) continue
    const mine = pile.findLastIndex(({ record }) => isMatched(record))
    const run = topRun(pile.slice(0, mine + 1), isMatched)
    const [earliest] = run
    if (!earliest || isSame(ownValue(present.data, property), earliest.oldValue)) continue
    const isOnTop = mine === pile.length - 1
    // A delete and a restore give it another value without a difference.
    const isAsLeft = isSame(ownValue(present.data, property), run.at(-1)?.newValue)
    if (isOnTop && isAsLeft) patch[property] = earliest.oldValue ?? null
    else kept.push(left(property, 'changed_since'))
  }
  return updateOf(patch, present, kept)
}

/** Of what was deleted and made again by the changes to take back: what it was before, but for what others have changed since. */
function stateBack(
  before: Properties,
  present: Present,
  properties: ReadonlyMap<string, readonly Layer[]>,
  { kind, isMatched }: Knowledge,
  run: readonly Layer[],
): Pick<EntityPlan, 'action' | 'left'> {
  const madeAgain = run.at(-1)?.record.version ?? 0
  const isOfOthers = ({ record }: Layer) => record.version > madeAgain && !isMatched(record)
  const patch: Properties = {}
  const kept: Left[] = []
  for (const property of new Set([...Object.keys(before), ...Object.keys(present.data)])) {
    const held = ownValue(before, property)
    if (Object.hasOwn(kind.readOnly, property) || isSame(ownValue(present.data, property), held)) continue
    if (properties.get(property)?.some(isOfOthers)) kept.push(left(property, 'changed_since'))
    else patch[property] = held ?? null
  }
  return updateOf(patch, present, kept)
}

function updateOf(patch: Properties, { version, data }: Present, kept: Left[]): Pick<EntityPlan, 'action' | 'left'> {
  const isEmpty = Object.keys(patch).length === 0
  return { action: isEmpty ? undefined : { op: 'update', version, patch, data }, left: kept }
}

function pilesOf(records: readonly Recorded[], { isMatched, revertedBy }: Knowledge) {
  const existence: Layer[] = []
  const properties = new Map<string, Layer[]>()
  const pileOf = (property: string) => {
    const pile = properties.get(property) ?? []
    properties.set(property, pile)
    return pile
  }
  for (const record of records) {
    const fields = record.detail === null ? {} : (JSON.parse(record.detail) as Properties)
    const isTaken = isMatched(record) ? undefined : revertedBy(record)
    if (record.changeType === 'update') {
      for (const [property, difference] of Object.entries(fields)) {
        const pile = pileOf(property)
        if (isTaken && takeOff(pile, isTaken)) continue
        pile.push({ record, ...(difference as Pick<Layer, 'oldValue' | 'newValue'>) })
      }
      continue
    }
    const wasThere = existence.length
    // Whoever took back that it was made, or that it was deleted, took back its values with that.
    if (isTaken && takeOff(existence, isTaken)) for (const pile of properties.values()) takeOff(pile, isTaken)
    if (existence.length === wasThere) existence.push({ record, state: fields })
  }
  return { existence, properties }
}

/** False where nothing of it lies on top. */
function takeOff(pile: Layer[], isOf: IsOf): boolean {
  const { length } = pile
  while (pile.length > 0 && isOf((pile.at(-1) as Layer).record)) pile.pop()
  return pile.length < length
}

const isBefore =
  (one: Layer) =>
  ({ record }: Layer) =>
    record.version < one.record.version

/** The layers on top that are to be taken back, the lowest first. */
function topRun(pile: readonly Layer[], isMatched: IsOf): readonly Layer[] {
  const under = pile.findLastIndex(({ record }) => !isMatched(record))
  return pile.slice(under + 1)
}

function set(data: Properties, property: string, value: unknown): void {
  if (value === null || value === undefined) delete data[property]
  else data[property] = value
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(canonical(a ?? null)) === JSON.stringify(canonical(b ?? null))
}
