// What a write does to what is stored: created, updated with which differences, or nothing. Pure.
import { canonical } from '../../platform/canonical.ts'
import type { Entity } from '../../platform/db/row.ts'
import { ownValue } from '../../platform/own-value.ts'

type Properties = Record<string, unknown>

export interface Outcome {
  outcome: 'create' | 'update' | 'unchanged'
  id?: string
  federatedId?: unknown
  version?: number
  changes?: Record<string, { oldValue: unknown; newValue: unknown }>
}

/** `fields`: what is written, as the verbs of entities write it; absent and null are the same. */
export function outcomeOf(fields: Properties, stored: Entity | undefined): Outcome {
  const before = (name: string) => ownValue(stored ?? {}, name) ?? null
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(canonical(value ?? null)) !== JSON.stringify(canonical(before(name))),
  )
  const changes = Object.fromEntries(
    changed.map(([name, newValue]) => [name, { oldValue: before(name), newValue: newValue ?? null }]),
  )
  const federatedId = fields.federatedId ?? stored?.federatedId ?? undefined
  const known = { ...(stored && { id: stored.id }), ...(federatedId !== undefined && { federatedId }) }
  if (!stored) return { outcome: 'create', ...known, changes }
  if (changed.length === 0) return { outcome: 'unchanged', ...known, version: stored.version }
  return { outcome: 'update', ...known, version: stored.version, changes }
}
