// Cells that were changed and not yet saved; saving them is one atomic batch, with the errors in their cells and a way back.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type Entity } from '../../typescript/index.ts'
import { counted } from './format.ts'
import {
  type Change,
  cellFaults,
  type Edits,
  type Patch,
  patchesOf,
  withChanges,
  withFaults,
  withoutSent,
} from './grid-edits.ts'
import { client } from './session.ts'
import { takeBack } from './take-back.ts'
import { attempt, tellFault } from './toasts.ts'
import { tellUndoable, undoFirst } from './undo.ts'
import { setUnsaved, unsavedOf } from './unsaved.ts'

export interface GridEdits {
  edits: Edits
  cells: number
  hasFaults: boolean
  isSaving: boolean
  change(changes: readonly Change[]): void
  discard(): void
  save(): Promise<void>
  /** Writes at once, as bulk edits do; true where it was done. */
  write(patches: readonly Patch[]): Promise<boolean>
}

interface Grid {
  entityName: string
  /** As it was last seen. */
  rowOf(id: string): Entity | undefined
  saved(results: readonly Entity[]): void
}

export function useGridEdits(grid: Grid): GridEdits {
  const { entityName } = grid
  const edits = unsavedOf(entityName)
  const [isSaving, setSaving] = useState(false)
  const all = [...edits.values()].flatMap(row => [...row.values()])
  /** What was unsaved before each change, for Ctrl Z. */
  const earlier = useRef<readonly Edits[]>([])
  const latest = useRef(grid)
  latest.current = grid
  useEffect(
    () =>
      undoFirst(() => {
        const before = earlier.current.at(-1)
        earlier.current = earlier.current.slice(0, -1)
        if (before) setUnsaved(entityName, before)
        return before !== undefined
      }),
    [entityName],
  )

  const change: GridEdits['change'] = changes => {
    if (changes.length === 0) return
    const before = unsavedOf(entityName)
    earlier.current = [...earlier.current, before]
    setUnsaved(entityName, withChanges(before, changes))
  }

  const put = async (patches: readonly Patch[]) => {
    const rows = patches.map(({ id }) => latest.current.rowOf(id))
    const { results } = await client.entities.updateBatch({ entityName, objects: patches })
    latest.current.saved(results)
    const written = patches.flatMap((patch, at) => {
      const before = rows[at]
      const after = results[at]
      return before && after ? [{ before, after, slugs: Object.keys(patch).filter(slug => slug !== 'id') }] : []
    })
    const cells = patches.reduce((sum, patch) => sum + Object.keys(patch).length - 1, 0)
    tellUndoable(`Saved ${counted(cells, 'cell')} in ${counted(patches.length, 'entity', 'entities')}.`, async () => {
      const back = await takeBack(entityName, written)
      if (back) latest.current.saved(back)
    })
  }

  const save = async () => {
    const sent = unsavedOf(entityName)
    const patches = patchesOf(sent)
    const changes = earlier.current.length
    setSaving(true)
    try {
      await put(patches)
      // What was typed meanwhile stays, and can be taken back by itself.
      earlier.current = earlier.current.slice(changes).map(each => withoutSent(each, sent))
      setUnsaved(entityName, withoutSent(unsavedOf(entityName), sent))
    } catch (error) {
      const faults = error instanceof ApiError ? cellFaults(error, patches) : []
      if (faults.length === 0) tellFault('Nothing was saved', error)
      else {
        setUnsaved(entityName, withFaults(unsavedOf(entityName), sent, faults))
        tellFault('Nothing was saved', new Error(`${counted(faults.length, 'cell')} must be mended first.`))
      }
    }
    setSaving(false)
  }

  const write = async (patches: readonly Patch[]) =>
    (await attempt('Nothing was changed', async () => {
      await put(patches)
      return true
    })) ?? false

  const discard = () => {
    earlier.current = []
    setUnsaved(entityName, new Map())
  }

  return {
    edits,
    cells: all.length,
    hasFaults: all.some(({ fault }) => fault !== undefined),
    isSaving,
    change,
    discard,
    save,
    write,
  }
}
