// Deleting, with the way back (N52): a deleted entity returns under its id.
import type { Entity } from '../../typescript/index.ts'
import { askCounts } from './counts.ts'
import { canBeMade } from './entity-acts.ts'
import { counted } from './format.ts'
import { client } from './session.ts'
import { presentStates } from './take-back.ts'
import { attempt, tell } from './toasts.ts'
import { tellUndoable } from './undo.ts'
import { tellWritten } from './written.ts'

const AT_ONCE = 5

/** True where it was done; all or none. */
export async function deleteEntities(
  entityName: string,
  rows: readonly Entity[],
  changed: () => void,
): Promise<boolean> {
  const deleted = await attempt('Nothing was deleted', async () => {
    const ids = rows.map(({ id }) => id)
    // What is on the screen may be older than what is deleted.
    const present = await presentStates(entityName, ids)
    await client.entities.deleteBatch({ entityName, ids })
    return rows.map(row => present.get(row.id) ?? row)
  })
  if (!deleted) return false
  changed()
  void askCounts(entityName)
  const bringBack = async () => {
    const back: Entity[] = []
    try {
      // Families before their options, which cannot be without them.
      for (const some of bunches([...deleted].sort(familiesFirst))) {
        const restored = some.map(({ id, version }) => client.entities.restore({ entityName, id, version }))
        back.push(...(await Promise.all(restored)))
      }
    } finally {
      tellWritten(entityName, back)
      void askCounts(entityName)
    }
    tell(`Brought back ${counted(rows.length, 'entity', 'entities')}.`)
  }
  const text = `Deleted ${counted(rows.length, 'entity', 'entities')}.`
  if (canBeMade(entityName)) tellUndoable(text, bringBack, 'Not all came back')
  else tell(text)
  return true
}

const familiesFirst = (a: Entity, b: Entity) => Number('itemFamilyId' in a) - Number('itemFamilyId' in b)

/** Families and options never come in one bunch. */
function bunches(rows: readonly Entity[]): Entity[][] {
  const found: Entity[][] = []
  for (const row of rows) {
    const last = found.at(-1)
    const first = last?.[0]
    if (last && first && last.length < AT_ONCE && familiesFirst(first, row) === 0) last.push(row)
    else found.push([row])
  }
  return found
}
