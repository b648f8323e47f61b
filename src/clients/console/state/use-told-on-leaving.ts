// Cells that are not saved stay when their page is left, and nobody should forget them.
import { useEffect, useRef } from 'preact/hooks'
import { to } from './address.ts'
import { titleOf } from './catalog.ts'
import { counted } from './format.ts'
import { tell } from './toasts.ts'
import { unsavedOf } from './unsaved.ts'
import { useGo } from './use-go.ts'

export function useToldOnLeaving(path: string, entityName: string): void {
  const go = useGo()
  const latest = useRef(go)
  latest.current = go
  useEffect(
    () => () => {
      const cells = [...unsavedOf(entityName).values()].reduce((sum, row) => sum + row.size, 0)
      if (cells === 0) return
      const run = () => latest.current(to.entities(path))
      tell(`${counted(cells, 'cell')} in ${titleOf(path).toLowerCase()} not saved yet.`, { label: 'Go back', run })
    },
    [path, entityName],
  )
}
