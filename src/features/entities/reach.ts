// A restricted key is judged by the entity that its write results in (N80): a patch that turns on a workflow of an admin names
// none of its tasks.
import type { Context } from '../../platform/context.ts'
import { fieldsOf, type Properties, type Write } from '../../platform/db/commit/write.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { checkReach } from '../../platform/key-limits.ts'
import { readMoved } from './store.ts'

const TRIES = 5

/** Writes only over the versions that were judged, and judges again where another caller was faster. */
export async function withinReach<T>(
  context: Context,
  writes: readonly Write[],
  write: (writes: readonly Write[]) => Promise<T>,
): Promise<T> {
  const { principal } = context
  if (!principal?.entityTypes) return write(writes)
  for (let tries = 1; ; tries++) {
    const stored = await storedOf(context, writes)
    const judged = writes.map((each): Write => {
      const known = stored.get(each.id)
      checkReach(principal, each.kind.reaches?.({ ...known?.data, ...fieldsOf(each) }) ?? [])
      const isFree = each.op === 'update' && known !== undefined && each.versions === undefined
      return isFree ? { ...each, versions: [known.version] } : each
    })
    try {
      return await write(judged)
    } catch (error) {
      const isOvertaken = error instanceof Fault && error.code === 'precondition_failed'
      const isFree = judged.some((each, at) => each !== writes[at])
      if (!isOvertaken || !isFree || tries === TRIES) throw error
    }
  }
}

async function storedOf({ db, org }: Context, writes: readonly Write[]) {
  const updates = writes.filter(({ op, kind }) => op === 'update' && kind.reaches)
  // No entity has an empty type path: all of them come.
  const rows = updates.length
    ? await readMoved(
        db,
        org.id,
        updates.map(({ id }) => [id, '']),
      )
    : []
  return new Map(
    rows.map(({ id, version, data }) => {
      if (data === null) throw invalid([{ path: '', message: 'Send these updates in smaller batches.' }])
      return [id, { version, data: JSON.parse(data) as Properties }] as const
    }),
  )
}
