// Cells that were changed and not yet saved; saving them is one atomic batch, with the errors in their cells and a way back.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type Entity } from '../../typescript/index.ts'
import { counted } from './format.ts'
import { client } from './session.ts'
import { takeBack } from './take-back.ts'
import { attempt, tellFault } from './toasts.ts'
import { tellUndoable, undoFirst } from './undo.ts'

export interface Edit {
  value: unknown
  /** As it was typed, where it cannot be read. */
  text?: string
  fault?: string | undefined
}

/** By entity id, then by property. */
export type Edits = ReadonlyMap<string, ReadonlyMap<string, Edit>>

type Patch = { id: string } & Record<string, unknown>

export interface GridEdits {
  edits: Edits
  cells: number
  hasFaults: boolean
  isSaving: boolean
  change(changes: readonly { id: string; slug: string; edit: Edit }[]): void
  discard(): void
  save(rows: readonly Entity[]): Promise<void>
  /** Writes at once, as bulk edits do; true where it was done. */
  write(patches: readonly Patch[], rows: readonly Entity[]): Promise<boolean>
}

export function useGridEdits(entityName: string, saved: (results: readonly Entity[]) => void): GridEdits {
  const [edits, setEdits] = useState<Edits>(new Map())
  const [isSaving, setSaving] = useState(false)
  const all = [...edits.values()].flatMap(row => [...row.values()])
  /** What was unsaved before each change, for Ctrl Z. */
  const earlier = useRef<Edits[]>([])
  const latest = useRef(saved)
  latest.current = saved
  useEffect(
    () =>
      undoFirst(() => {
        const before = earlier.current.pop()
        if (before) setEdits(before)
        return before !== undefined
      }),
    [],
  )
  const settle = (next: Edits) => {
    earlier.current = []
    setEdits(next)
  }

  const change: GridEdits['change'] = changes => {
    if (changes.length === 0) return
    earlier.current.push(edits)
    setEdits(before => {
      const next = new Map(before)
      for (const { id, slug, edit } of changes) next.set(id, new Map(next.get(id)).set(slug, edit))
      return next
    })
  }

  const put = async (patches: readonly Patch[], rows: readonly Entity[]) => {
    const { results } = await client.entities.updateBatch({ entityName, objects: patches })
    saved(results)
    const written = patches.flatMap((patch, at) => {
      const before = rows.find(({ id }) => id === patch.id)
      const after = results[at]
      return before && after ? [{ before, after, slugs: Object.keys(patch).filter(slug => slug !== 'id') }] : []
    })
    const cells = patches.reduce((sum, patch) => sum + Object.keys(patch).length - 1, 0)
    tellUndoable(`Saved ${counted(cells, 'cell')} in ${counted(patches.length, 'entity', 'entities')}.`, async () => {
      const back = await takeBack(entityName, written)
      if (back) latest.current(back)
    })
  }

  const save = async (rows: readonly Entity[]) => {
    const patches = patchesOf(edits)
    setSaving(true)
    try {
      await put(patches, rows)
      settle(new Map())
    } catch (error) {
      const faults = error instanceof ApiError ? cellFaults(error, patches) : []
      if (faults.length === 0) tellFault('Nothing was saved', error)
      else {
        setEdits(withFaults(edits, faults))
        tellFault('Nothing was saved', new Error(`${counted(faults.length, 'cell')} must be mended first.`))
      }
    }
    setSaving(false)
  }

  const write = async (patches: readonly Patch[], rows: readonly Entity[]) =>
    (await attempt('Nothing was changed', async () => {
      await put(patches, rows)
      return true
    })) ?? false

  return {
    edits,
    cells: all.length,
    hasFaults: all.some(({ fault }) => fault !== undefined),
    isSaving,
    change,
    discard: () => settle(new Map()),
    save,
    write,
  }
}

function patchesOf(edits: Edits): Patch[] {
  return [...edits].map(([id, row]) => ({
    ...Object.fromEntries([...row].map(([slug, { value }]) => [slug, value])),
    id,
  }))
}

interface CellFault {
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
    const known = slug in patch && slug !== 'id' ? slug : Object.keys(patch).find(name => name !== 'id')
    return known === undefined ? [] : [{ id: patch.id, slug: known, fault: message }]
  })
}

function withFaults(edits: Edits, faults: readonly CellFault[]): Edits {
  const next = new Map([...edits].map(([id, row]) => [id, new Map(row)]))
  for (const { id, slug, fault } of faults) {
    const edit = next.get(id)?.get(slug)
    if (edit) next.get(id)?.set(slug, { ...edit, fault })
  }
  return next
}
