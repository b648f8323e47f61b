// Below a grid with cells that are not saved: how many, why they cannot be saved yet, and the two ways on.
import { counted } from '../state/format.ts'
import { saveReason } from '../state/save-reason.ts'
import type { GridEdits } from '../state/use-grid-edits.ts'

/** `hidden`: rows with such cells that the grid does not show. */
export function SaveBar({ edits, hidden }: { edits: GridEdits; hidden: number }) {
  const reason = saveReason(edits)
  return (
    <section class="save-bar" aria-label="Unsaved changes">
      <p role="status" class="grow">
        {counted(edits.cells, 'cell')} in {counted(edits.edits.size, 'entity', 'entities')}
        {hidden > 0 && `, ${counted(hidden, 'entity', 'entities')} of them not shown here`}
        {reason && <span class="fault"> · {reason}</span>}
      </p>
      {edits.conflicts > 0 && (
        <>
          <button type="button" onClick={() => edits.resolve('mine')}>
            Keep all mine
          </button>
          <button type="button" onClick={() => edits.resolve('theirs')}>
            Take all theirs
          </button>
        </>
      )}
      <button type="button" disabled={edits.isSaving} onClick={edits.discard}>
        Discard
      </button>
      <button
        type="button"
        class="main"
        disabled={edits.isSaving || reason !== undefined}
        title={reason}
        onClick={() => void edits.save()}
      >
        Save
      </button>
    </section>
  )
}
