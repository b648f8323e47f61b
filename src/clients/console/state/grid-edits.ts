// Cells that were changed and not yet saved, by entity and property. Pure.
import type { ApiError, Entity } from '../../typescript/index.ts'
import { ownValue } from './own-value.ts'
import { sameValue } from './same-value.ts'

export interface Edit {
  value: unknown
  /** As it was typed, where it cannot be read. */
  text?: string
  fault?: string | undefined
  /** The fault is the service's: what it is now it may take. */
  isRefused?: true
  /** What the cell held when it was typed; absent where nothing is compared. */
  before?: { value: unknown }
  /** What was saved there meanwhile: the person chooses which of both stays. */
  conflict?: { value: unknown; version: number }
}

/** By entity id, then by property. */
export type Edits = ReadonlyMap<string, ReadonlyMap<string, Edit>>

export interface Change {
  id: string
  slug: string
  /** None: the cell is as it is stored. */
  edit: Edit | undefined
}

export type Patch = { id: string } & Record<string, unknown>

export function withChanges(edits: Edits, changes: readonly Change[]): Edits {
  const next = new Map(edits)
  for (const { id, slug, edit } of changes) {
    const row = new Map(next.get(id))
    if (edit) row.set(slug, edit)
    else row.delete(slug)
    if (row.size > 0) next.set(id, row)
    else next.delete(id)
  }
  return next
}

/** Those of `over` before those below, where a cell is in both. */
export const withEdits = (below: Edits, over: Edits): Edits =>
  withChanges(
    below,
    [...over].flatMap(([id, row]) => [...row].map(([slug, edit]) => ({ id, slug, edit }))),
  )

/** As it was typed, without what the service has said of it. */
export function withoutRefusals(edits: Edits): Edits {
  const refused = [...edits].flatMap(([id, row]) =>
    [...row].flatMap(([slug, edit]) => (edit.isRefused ? [{ id, slug, edit }] : [])),
  )
  return withChanges(
    edits,
    refused.map(({ id, slug, edit: { fault: _, isRefused: __, ...edit } }) => ({ id, slug, edit })),
  )
}

export const withoutRows = (edits: Edits, ids: ReadonlySet<string>): Edits =>
  new Map([...edits].filter(([id]) => !ids.has(id)))

/** What was sent is saved; a cell that was typed anew since is not. */
export function withoutSent(edits: Edits, sent: Edits): Edits {
  const rows = [...edits].map(([id, row]) => {
    const left = [...row].filter(([slug, edit]) => sent.get(id)?.get(slug) !== edit)
    return [id, new Map(left)] as const
  })
  return new Map(rows.filter(([, row]) => row.size > 0))
}

export function patchesOf(edits: Edits): Patch[] {
  return [...edits].map(([id, row]) => ({
    ...Object.fromEntries([...row].map(([slug, { value }]) => [slug, value])),
    id,
  }))
}

export interface CellFault {
  id: string
  slug: string
  fault: string
}

/** `/3/price` is the price of the fourth entity that was sent. */
export function cellFaults(error: ApiError, patches: readonly Patch[]): CellFault[] {
  return error.errors.flatMap(({ path, message }) => {
    const [, index = '', slug = ''] = path.split('/')
    const patch = patches[Number(index)]
    if (!patch || index === '') return []
    const isSent = Object.hasOwn(patch, slug) && slug !== 'id'
    const known = isSent ? slug : Object.keys(patch).find(name => name !== 'id')
    return known === undefined ? [] : [{ id: patch.id, slug: known, fault: message }]
  })
}

/** In the cells that are still as they were sent. */
export function withFaults(edits: Edits, sent: Edits, faults: readonly CellFault[]): Edits {
  const wrong = faults.flatMap(({ id, slug, fault }) => {
    const edit = edits.get(id)?.get(slug)
    return edit && edit === sent.get(id)?.get(slug)
      ? [{ id, slug, edit: { ...edit, fault, isRefused: true as const } }]
      : []
  })
  return withChanges(edits, wrong)
}

/** Cells that another person, import or key has saved since they were typed, unless both wrote the same (N106). */
export function withConflicts(edits: Edits, present: ReadonlyMap<string, Entity>): Edits {
  const changes = [...edits].flatMap(([id, row]) => {
    const now = present.get(id)
    if (!now) return []
    return [...row].flatMap(([slug, edit]): Change[] => {
      const value = ownValue(now, slug) ?? null
      if (!edit.before || sameValue(edit.before.value, value)) return []
      const isSame = sameValue(edit.value, value)
      return [{ id, slug, edit: isSame ? undefined : { ...edit, conflict: { value, version: now.version } } }]
    })
  })
  return withChanges(edits, changes)
}

export const conflictsIn = (edits: Edits): number =>
  [...edits.values()].flatMap(row => [...row.values()]).filter(({ conflict }) => conflict !== undefined).length

/** Of one cell, or of all: what was typed goes over what was saved meanwhile, or gives way to it. */
export function withoutConflicts(edits: Edits, keep: 'mine' | 'theirs', cell?: { id: string; slug: string }): Edits {
  const changes = [...edits].flatMap(([id, row]) =>
    [...row].flatMap(([slug, edit]): Change[] => {
      const { conflict, ...mine } = edit
      if (!conflict || (cell && (cell.id !== id || cell.slug !== slug))) return []
      return [{ id, slug, edit: keep === 'mine' ? { ...mine, before: { value: conflict.value } } : undefined }]
    }),
  )
  return withChanges(edits, changes)
}
