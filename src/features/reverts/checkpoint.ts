// One step of a revert: its writes, its memory and what callers see of it, in one commit that goes through only if the
// revert still stands where the step began (N34).
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { commitStep, type StepWork } from '../../platform/jobs/commit-step.ts'
import { type Guard, kindNamed } from '../../platform/kind.ts'
import { difference, type LoadScope } from '../loads/checkpoint.ts'
import { REVERT_PROCESS } from './kind.ts'
import { percentOf, publicFields, type Revert, type RevertState } from './state.ts'

export async function advance(
  scope: LoadScope,
  revert: Revert,
  given: RevertState,
  work: StepWork = {},
): Promise<Revert> {
  const state = { ...given, startedOn: given.startedOn ?? timeText(Date.now()), percent: percentOf(given) }
  const { writes = [], statements = [], endsIt = isEnding(revert.state) } = work
  const patch = difference(publicFields(revert.state), publicFields(state))
  const process: Write[] = patch ? [{ op: 'update', kind: REVERT_PROCESS, id: revert.id, patch }] : []
  const rules = rulesOf(scope.org.id, writes)
  try {
    return await commitStep(scope, revert, state, {
      ...work,
      writes: [...writes, ...process],
      before: rules?.before ?? [],
      statements: [...(rules?.after ?? []), ...statements],
      endsIt,
      isBatch: true,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    throw rules?.refusal?.(message, index => `/${index}`) ?? error
  }
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
