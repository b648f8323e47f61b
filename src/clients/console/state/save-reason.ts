// Why the cells of a grid cannot be saved yet, for the button that is disabled. Pure.
import { counted } from './format.ts'
import type { Edits } from './grid-edits.ts'

export function saveReason({ edits }: { edits: Edits }): string | undefined {
  const all = [...edits.values()].flatMap(row => [...row.values()])
  const conflicts = all.filter(({ conflict }) => conflict !== undefined).length
  if (conflicts > 0) return `Choose which value to keep in ${counted(conflicts, 'cell')} changed meanwhile.`
  const wrong = all.filter(({ fault, isRefused }) => fault !== undefined && !isRefused).length
  return wrong > 0 ? `Correct ${counted(wrong, 'cell')} marked in red.` : undefined
}
