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
import { presentStates, takeBack } from './take-back.ts'
import { attempt, tellFault } from './toasts.ts'
import { tellUndoable, undoFirst } from './undo.ts'
import { earlierOf, setEarlier, setUnsaved, unsavedOf } from './unsaved.ts'
import { tellWritten } from './written.ts'

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
}

export function useGridEdits(grid: Grid): GridEdits {
  const { entityName } = grid
  const edits = unsavedOf(entityName)
  const [isSaving, setSaving] = useState(false)
  const isUnderWay = useRef(false)
  const all = [...edits.values()].flatMap(row => [...row.values()])
  const latest = useRef(grid)
  latest.current = grid
  useEffect(
    () =>
      undoFirst(() => {
        // What is on its way cannot be called back: it is taken back when it is saved.
        if (isUnderWay.current) return true
        const before = earlierOf(entityName).at(-1)
        setEarlier(entityName, earlierOf(entityName).slice(0, -1))
        if (before) setUnsaved(entityName, before)
        return before !== undefined
      }),
    [entityName],
  )

  const change: GridEdits['change'] = changes => {
    if (changes.length === 0) return
    const before = unsavedOf(entityName)
    setEarlier(entityName, [...earlierOf(entityName), before])
    setUnsaved(entityName, withChanges(before, changes))
  }

  const put = async (patches: readonly Patch[]) => {
    const rowOf = (id: string) => latest.current.rowOf(id)
    // Cells may be of rows that this grid has never shown.
    const others = await presentStates(
      entityName,
      patches.flatMap(({ id }) => (rowOf(id) ? [] : [id])),
    )
    const rows = patches.map(({ id }) => rowOf(id) ?? others.get(id))
    const { results } = await client.entities.updateBatch({ entityName, objects: patches })
    tellWritten(entityName, results)
    const written = patches.flatMap((patch, at) => {
      const before = rows[at]
      const after = results[at]
      return before && after ? [{ before, after, slugs: Object.keys(patch).filter(slug => slug !== 'id') }] : []
    })
    const cells = patches.reduce((sum, patch) => sum + Object.keys(patch).length - 1, 0)
    tellUndoable(`Saved ${counted(cells, 'cell')} in ${counted(patches.length, 'entity', 'entities')}.`, () =>
      takeBack(entityName, written),
    )
  }

  const save = async () => {
    const sent = unsavedOf(entityName)
    const patches = patchesOf(sent)
    const changes = earlierOf(entityName).length
    isUnderWay.current = true
    setSaving(true)
    try {
      await put(patches)
      // What was typed meanwhile stays, and can be taken back by itself.
      const since = earlierOf(entityName).slice(changes)
      setEarlier(
        entityName,
        since.map(each => withoutSent(each, sent)),
      )
      setUnsaved(entityName, withoutSent(unsavedOf(entityName), sent))
    } catch (error) {
      const faults = error instanceof ApiError ? cellFaults(error, patches) : []
      if (faults.length === 0) tellFault('Nothing was saved', error)
      else {
        setUnsaved(entityName, withFaults(unsavedOf(entityName), sent, faults))
        tellFault('Nothing was saved', new Error(`${counted(faults.length, 'cell')} must be mended first.`))
      }
    }
    isUnderWay.current = false
    setSaving(false)
  }

  const write = async (patches: readonly Patch[]) =>
    (await attempt('Nothing was changed', async () => {
      await put(patches)
      return true
    })) ?? false

  const discard = () => {
    setEarlier(entityName, [])
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
