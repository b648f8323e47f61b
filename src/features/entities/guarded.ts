// A commit with the rules that the entity types written have the store check; see `Guard`.
import type { Context } from '../../platform/context.ts'
import { type CommitOptions, type Committed, commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'

export async function guarded(
  context: Context,
  writes: readonly Write[],
  options: CommitOptions = {},
): Promise<Committed> {
  // The verbs of entities write one entity type at a time.
  const guard = writes[0]?.kind.guard?.(context.org.id, writes)
  if (!guard) return commit(context, writes, options)
  const { before = [], after = [], isBatch } = options
  try {
    return await commit(context, writes, {
      ...options,
      before: [...before, ...(guard.before ?? [])],
      after: [...after, ...(guard.after ?? [])],
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    throw guard.refusal?.(message, index => (isBatch ? `/${index}` : '')) ?? error
  }
}
