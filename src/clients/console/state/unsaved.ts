// Cells that are not saved yet stay while somebody sorts, filters or looks elsewhere; before the tab goes, the browser asks.
import { effect, signal } from '@preact/signals'
import type { Edits } from './grid-edits.ts'

/** By entity type; none where there is nothing. */
const unsaved = signal<ReadonlyMap<string, Edits>>(new Map())
const NOTHING: Edits = new Map()

export const unsavedOf = (entityName: string): Edits => unsaved.value.get(entityName) ?? NOTHING

export function setUnsaved(entityName: string, edits: Edits): void {
  const next = new Map(unsaved.value)
  if (edits.size === 0) next.delete(entityName)
  else next.set(entityName, edits)
  unsaved.value = next
}

export function forgetUnsaved(): void {
  unsaved.value = new Map()
}

/** What was unsaved before each change, for Ctrl Z; by entity type. */
const changes = new Map<string, readonly Edits[]>()

export const earlierOf = (entityName: string): readonly Edits[] => changes.get(entityName) ?? []

export function setEarlier(entityName: string, earlier: readonly Edits[]): void {
  changes.set(entityName, earlier)
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

effect(() => {
  if (unsaved.value.size === 0) return
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
})
