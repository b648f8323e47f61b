// From change records to events `{newData, oldData, propertyDiffs}` (N36). A record of an update holds its differences
// only: the state at its time is the newest one with every later difference taken back. Pure.

import { timeText } from '../../platform/db/row.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'

export const CHANGE_TYPES = ['create', 'update', 'delete'] as const

export interface ChangeRow {
  seq: number
  entity_type: string
  entity_id: string
  change_type: (typeof CHANGE_TYPES)[number]
  created_on: number
  created_by_id: string
  version: number
  detail: string
}

type Properties = Record<string, unknown>
type Differences = Record<string, { oldValue: unknown; newValue: unknown }>

export interface ChangeEvent extends Properties {
  newData: Properties | null
  oldData: Properties | null
  propertyDiffs: Differences
}

export function triggerKeyOf(change: Pick<ChangeRow, 'entity_type' | 'change_type'>): string {
  return `${change.entity_type}|${change.change_type}`
}

/** `current` is the entity's data now, if it is still there; `later` its records after this one, oldest first. */
export function changeEvent(
  change: ChangeRow,
  current: Properties | undefined,
  later: readonly ChangeRow[],
): ChangeEvent {
  const detail = JSON.parse(change.detail) as Properties
  const shown = (data: Properties, version: number) => ({
    id: change.entity_id,
    ...data,
    version,
    updatedOn: timeText(change.created_on),
    updatedById: change.created_by_id,
  })
  if (change.change_type === 'create') {
    const diffs = Object.entries(detail).map(([name, newValue]) => [name, { oldValue: null, newValue }] as const)
    return { newData: shown(detail, change.version), oldData: null, propertyDiffs: Object.fromEntries(diffs) }
  }
  if (change.change_type === 'delete') {
    const diffs = Object.entries(detail).map(([name, oldValue]) => [name, { oldValue, newValue: null }] as const)
    return { newData: null, oldData: shown(detail, change.version - 1), propertyDiffs: Object.fromEntries(diffs) }
  }
  const differences = detail as Differences
  const after = overlaid(stateBefore(later, current), differences, 'newValue')
  const before = overlaid(after, differences, 'oldValue')
  return {
    newData: shown(after, change.version),
    oldData: shown(before, change.version - 1),
    propertyDiffs: differences,
  }
}

function stateBefore(later: readonly ChangeRow[], current: Properties | undefined): Properties {
  let state = current ?? {}
  for (const change of later.toReversed()) {
    const detail = JSON.parse(change.detail) as Properties
    if (change.change_type === 'delete') state = detail
    else if (change.change_type === 'update') state = overlaid(state, detail as Differences, 'oldValue')
  }
  return state
}

function overlaid(state: Properties, differences: Differences, side: 'oldValue' | 'newValue'): Properties {
  const result = { ...state }
  for (const [name, difference] of Object.entries(differences)) {
    if (difference[side] == null) delete result[name]
    else result[name] = difference[side]
  }
  return result
}

const KEPT = ['id', 'typePath', 'name', 'federatedId', 'version', 'updatedOn', 'updatedById']

/** An event fits into a run's record: a larger one keeps which entity it is about and which properties changed. */
export function boundedEvent(event: Properties): Properties {
  if (jsonBytes(event) <= EVENT_MAX_BYTES) return event
  const { newData, oldData, propertyDiffs } = event as Partial<ChangeEvent>
  const brief = (data: Properties | null | undefined) =>
    data ? Object.fromEntries(KEPT.filter(name => name in data).map(name => [name, data[name]])) : null
  const small = { newData: brief(newData), oldData: brief(oldData), truncated: true }
  const withDiffs = { ...small, propertyDiffs: propertyDiffs ?? {} }
  return jsonBytes(withDiffs) <= EVENT_MAX_BYTES ? withDiffs : { ...small, propertyDiffs: {} }
}
