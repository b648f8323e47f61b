// In the place of a grid without rows: what could be done to have some.

import { Empty } from '../components/empty.tsx'
import { to } from '../state/address.ts'

interface Props {
  path: string
  about: string
  isFiltered: boolean
  canAdd: boolean
  add(): void
  clear(): void
}

export function NothingHere({ path, about, isFiltered, canAdd, add, clear }: Props) {
  if (isFiltered) {
    return (
      <Empty title="Nothing fits these filters">
        <button type="button" onClick={clear}>
          Show all
        </button>
      </Empty>
    )
  }
  return (
    <Empty title={`No ${path.replaceAll('-', ' ')} yet`}>
      <p>{about}</p>
      {canAdd && (
        <div class="line">
          <a class="button main" href={to.newLoad}>
            Load a file
          </a>
          <button type="button" onClick={add}>
            Add one
          </button>
        </div>
      )}
    </Empty>
  )
}
