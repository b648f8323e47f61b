// What can be done with the rows that are selected.

import { exportAddress } from '../components/export-menu.tsx'
import { counted } from '../state/format.ts'

/** Their ids must fit into an address. */
const EXPORTED_MOST = 400

interface SelectionBarProps {
  path: string
  ids: readonly string[]
  columns: readonly string[]
  canWrite: boolean
  edit(): void
  remove(): void
  clear(): void
}

export function SelectionBar({ path, ids, columns, canWrite, edit, remove, clear }: SelectionBarProps) {
  return (
    <section class="save-bar" aria-label="Selected rows">
      <p role="status" class="grow">
        {counted(ids.length, 'row')} selected
      </p>
      {canWrite && (
        <button type="button" onClick={edit}>
          Edit {ids.length}
        </button>
      )}
      {ids.length <= EXPORTED_MOST && (
        <a
          class="button"
          download={`${path}.csv`}
          href={exportAddress(path, 'csv', { criteria: { id: ids }, query: {}, columns })}
        >
          Export {ids.length}
        </a>
      )}
      {canWrite && (
        <button type="button" class="danger" onClick={remove}>
          Delete {ids.length}
        </button>
      )}
      <button type="button" onClick={clear}>
        Clear
      </button>
    </section>
  )
}
