// Entities that move to another type path are held against it with all that is stored of them (N67). Most updates that name a
// type path name the one that is stored, so that the store is asked only where a commit has found that one moves.
import type { Context } from '../../platform/context.ts'
import { Moved } from '../../platform/db/commit/refusal.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import type { Stored, StoredById } from '../types/service.ts'
import { readMoved } from './store.ts'

const TRIES = 5

/** Writes again, with the stored values of the entities that move, until no other caller has changed them in between. */
export async function withMoved<T>(
  context: Context,
  writes: readonly Write[],
  write: (writes: readonly Write[], stored: StoredById) => Promise<T>,
): Promise<T> {
  let stored: StoredById = new Map()
  for (let tries = 1; ; tries++) {
    try {
      return await write(
        writes.map(each => pinned(each, stored)),
        stored,
      )
    } catch (error) {
      const isOvertaken = stored.size > 0 && error instanceof Fault && error.code === 'precondition_failed'
      if ((!isOvertaken && !(error instanceof Moved)) || tries === TRIES) throw error
      stored = await storedOf(context, writes)
    }
  }
}

/** What was held against its new type is written only as long as it is what was looked at. */
function pinned(write: Write, stored: StoredById): Write {
  const known = stored.get(write.id)
  return known && write.op === 'update' ? { ...write, versions: [known.version] } : write
}

async function storedOf({ db, org }: Context, writes: readonly Write[]): Promise<StoredById> {
  const updates = new Map(writes.flatMap(write => (write.op === 'update' ? [[write.id, write] as const] : [])))
  const moves = [...updates.values()].map(({ id, patch }): [string, unknown] => [id, patch.typePath])
  const rows = await readMoved(db, org.id, moves)
  const stored = new Map<string, Stored>()
  for (const { id, version, data } of rows) {
    const versions = updates.get(id)?.versions
    // What If-Match refuses is for the commit to refuse.
    if (versions && !versions.includes(version)) continue
    if (data === null) throw invalid([{ path: '', message: 'Send these updates in smaller batches.' }])
    stored.set(id, { version, data: JSON.parse(data) as Stored['data'] })
  }
  return stored
}
