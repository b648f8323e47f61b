// One step of a revert: its writes, its memory and what callers see of it, in one commit that goes through only if the
// revert still stands where the step began (N34).
import type { Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { TypeGuard } from '../../platform/db/commit/type-checks.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { type Guard, kindNamed } from '../../platform/kind.ts'
import { difference, LoadMoved, type LoadScope } from '../loads/checkpoint.ts'
import { guard, MOVED, moveOn, type Revert } from '../loads/store/loads.ts'
import { REVERT_PROCESS } from './kind.ts'
import { percentOf, publicFields, type RevertState } from './state.ts'

export interface RevertWork {
  writes?: readonly Write[]
  statements?: Statement[]
  types?: TypeGuard
  /** Goes through although the revert was cancelled. */
  endsIt?: boolean
}

export async function advance(
  scope: LoadScope,
  revert: Revert,
  given: RevertState,
  work: RevertWork = {},
): Promise<Revert> {
  const now = Date.now()
  const startedOn = given.startedOn ?? timeText(now)
  const state = { ...given, startedOn, percent: percentOf(given) }
  const { writes = [], statements = [], types, endsIt = isEnding(revert.state) } = work
  const patch = difference(publicFields(revert.state), publicFields(state))
  const process: Write[] = patch ? [{ op: 'update', kind: REVERT_PROCESS, id: revert.id, patch }] : []
  const rules = rulesOf(scope.org.id, writes)
  try {
    await commit({ ...scope, now }, [...writes, ...process], {
      before: [guard(revert, endsIt), ...(rules?.before ?? [])],
      after: [...(rules?.after ?? []), ...statements, moveOn(revert, state, now)],
      returning: false,
      isBatch: true,
      types,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message.includes(MOVED)) throw new LoadMoved()
    throw rules?.refusal?.(message, index => `/${index}`) ?? error
  }
  return { ...revert, step: revert.step + 1, attempts: 0, state }
}

/** Of the one entity type that is written, where it has rules that only the store can check. */
function rulesOf(orgId: string, writes: readonly Write[]): Guard | undefined {
  const [first] = writes
  return first && kindNamed(first.kind.name).guard?.(orgId, writes)
}

/** From here on a revert ends in any case; a cancel comes too late. */
export function isEnding({ outcome, phase }: RevertState): boolean {
  return outcome !== null || phase === 'cleaning'
}
