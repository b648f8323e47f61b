// What an entity held at an earlier version: its present state with the records since taken back, one by one (N52). Pure.
import type { Properties } from '../../platform/db/commit/write.ts'
import type { ChangeRow } from './store.ts'

/** Null: the entity does not exist. */
export type State = Properties | null

type Differences = Record<string, { oldValue: unknown; newValue: unknown }>

/** The state that a record has found. */
export function stateBefore({ changeType, detail }: Pick<ChangeRow, 'changeType' | 'detail'>, after: State): State {
  if (changeType === 'create') return null
  const fields = JSON.parse(detail) as Properties
  if (changeType === 'delete') return fields
  const state = { ...after }
  for (const [name, { oldValue }] of Object.entries(fields as Differences)) {
    if (oldValue === null || oldValue === undefined) delete state[name]
    else state[name] = oldValue
  }
  return state
}

/** What to send so that one state becomes another; `null` clears a property (N14). */
export function patchBetween(now: Properties, wanted: Properties): Properties {
  const patch: Properties = {}
  for (const [name, value] of Object.entries(wanted)) {
    if (JSON.stringify(now[name]) !== JSON.stringify(value)) patch[name] = value
  }
  for (const name of Object.keys(now)) if (!Object.hasOwn(wanted, name)) patch[name] = null
  return patch
}
