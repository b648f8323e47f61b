// Cells that were changed and not yet saved; saving them is one atomic batch, with the errors in their cells and a way back.
import { useEffect } from 'preact/hooks'
import { ApiError, type Entity } from '../../typescript/index.ts'
import { counted } from './format.ts'
import {
  type Change,
  cellFaults,
  conflictsIn,
  type Edits,
  type Patch,
  patchesOf,
  withChanges,
  withConflicts,
  withEdits,
  withFaults,
  withoutConflicts,
  withoutRefusals,
  withoutRows,
  withoutSent,
} from './grid-edits.ts'
import { client } from './session.ts'
import { presentStates, takeBack } from './take-back.ts'
import { tell, tellFault } from './toasts.ts'
import { tellUndoable, undoFirst } from './undo.ts'
import { earlierOf, isBeingSaved, setBeingSaved, setEarlier, setUnsaved, unsavedOf } from './unsaved.ts'
import { tellWritten } from './written.ts'

export interface GridEdits {
  edits: Edits
  cells: number
  /** Something cannot even be sent. */
  hasFaults: boolean
  isSaving: boolean
  change(changes: readonly Change[]): void
  /** Cells that were saved by others since they were typed. */
  conflicts: number
  /** Of one cell, or of all. */
  resolve(keep: 'mine' | 'theirs', cell?: { id: string; slug: string }): void
  discard(): void
  save(): Promise<void>
  /** Writes at once, as bulk edits do; throws where nothing was written. */
  write(patches: readonly Patch[]): Promise<void>
}

export function useGridEdits(entityName: string): GridEdits {
  const edits = unsavedOf(entityName)
  const isSaving = isBeingSaved(entityName)
  const all = [...edits.values()].flatMap(row => [...row.values()])
  useEffect(
    () =>
      undoFirst(() => {
        // What is on its way cannot be called back: it is taken back when it is saved.
        if (isBeingSaved(entityName)) return true
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
    // What the service has refused may be right by what was changed elsewhere.
    setUnsaved(entityName, withoutRefusals(withChanges(before, changes)))
  }

  const statesOf = (patches: readonly Patch[]) =>
    presentStates(
      entityName,
      patches.map(({ id }) => id),
    )
  const put = async (patches: readonly Patch[], present: ReadonlyMap<string, Entity>) => {
    const { results } = await client.entities.updateBatch({ entityName, objects: patches })
    tellWritten(entityName, results)
    const written = patches.flatMap((patch, at) => {
      const before = present.get(patch.id)
      const after = results[at]
      return before && after ? [{ before, after, slugs: Object.keys(patch).filter(slug => slug !== 'id') }] : []
    })
    const cells = patches.reduce((sum, patch) => sum + Object.keys(patch).length - 1, 0)
    tellUndoable(`Saved ${counted(cells, 'cell')} in ${counted(patches.length, 'entity', 'entities')}.`, () =>
      takeBack(entityName, written),
    )
  }

  const save = async () => {
    if (isBeingSaved(entityName)) return
    const changes = earlierOf(entityName).length
    setBeingSaved(entityName, true)
    setUnsaved(entityName, withoutRefusals(unsavedOf(entityName)))
    let sent = unsavedOf(entityName)
    let patches = patchesOf(sent)
    try {
      const present = await statesOf(patches)
      const gone = new Set([...sent.keys()].filter(id => !present.has(id)))
      if (gone.size > 0) dropGone(gone)
      sent = withoutRows(sent, gone)
      const compared = withConflicts(sent, present)
      if (conflictsIn(compared) > 0) {
        setUnsaved(entityName, withEdits(unsavedOf(entityName), compared))
        tellWritten(entityName, [...present.values()])
        const many = counted(conflictsIn(compared), 'cell was', 'cells were')
        tellFault('Nothing was saved', new Error(`${many} changed by others meanwhile. Choose which value to keep.`))
        setBeingSaved(entityName, false)
        return
      }
      patches = patchesOf(sent)
      if (patches.length > 0) await put(patches, present)
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
        tellFault('Nothing was saved', new Error(`Correct ${counted(faults.length, 'cell')} first.`))
      }
    }
    setBeingSaved(entityName, false)
  }

  /** Nobody can write to what is deleted: it would hold up all the others. */
  const dropGone = (ids: ReadonlySet<string>) => {
    setUnsaved(entityName, withoutRows(unsavedOf(entityName), ids))
    setEarlier(
      entityName,
      earlierOf(entityName).map(each => withoutRows(each, ids)),
    )
    const were = ids.size === 1 ? 'was' : 'were'
    tell(`${counted(ids.size, 'entity', 'entities')} ${were} deleted meanwhile; what was typed there is dropped.`)
  }

  const write = async (patches: readonly Patch[]) => put(patches, await statesOf(patches))

  const discard = () => {
    const before = unsavedOf(entityName)
    const earlier = earlierOf(entityName)
    setEarlier(entityName, [])
    setUnsaved(entityName, new Map())
    tellUndoable(`Discarded ${counted(all.length, 'cell')}.`, async () => {
      // What was typed since stays over it, and can be taken back by itself.
      const since = earlierOf(entityName).map(each => withEdits(before, each))
      setEarlier(entityName, [...earlier, ...since])
      setUnsaved(entityName, withEdits(before, unsavedOf(entityName)))
    })
  }

  const resolve: GridEdits['resolve'] = (keep, cell) => {
    const before = unsavedOf(entityName)
    setEarlier(entityName, [...earlierOf(entityName), before])
    setUnsaved(entityName, withoutConflicts(before, keep, cell))
  }

  return {
    edits,
    cells: all.length,
    conflicts: conflictsIn(edits),
    resolve,
    hasFaults: all.some(({ fault, isRefused }) => fault !== undefined && !isRefused),
    isSaving,
    change,
    discard,
    save,
    write,
  }
}
