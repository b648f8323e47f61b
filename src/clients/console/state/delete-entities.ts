// Deleting, with the way back (N52): a deleted entity returns under its id.
import type { Entity } from '../../typescript/index.ts'
import { counted } from './format.ts'
import { client } from './session.ts'
import { attempt, tell } from './toasts.ts'

/** True where it was done; all or none. */
export async function deleteEntities(
  entityName: string,
  path: string,
  rows: readonly Entity[],
  changed: () => void,
): Promise<boolean> {
  const done = await attempt('Nothing was deleted', async () => {
    await client.entities.deleteBatch({ entityName, ids: rows.map(({ id }) => id) })
    return true
  })
  if (!done) return false
  changed()
  const undo = async () => {
    const restored = await attempt('Bringing back failed', () =>
      Promise.all(rows.map(({ id, version }) => restore(path, id, version))),
    )
    if (restored) {
      changed()
      tell(`Brought back ${counted(restored.length, 'entity', 'entities')}.`)
    }
  }
  tell(`Deleted ${counted(rows.length, 'entity', 'entities')}.`, { label: 'Undo', run: undo })
  return true
}

/** Brings an earlier state back, whole or some properties of it. */
export function restore(path: string, id: string, version: number, properties?: readonly string[]): Promise<Entity> {
  const json = { version, ...(properties && { properties }) }
  return client.request<Entity>({ method: 'POST', path: `/${path}/${encodeURIComponent(id)}/restore`, json })
}
