// One step of a load: its writes, its memory and what callers see of it, all in one commit that goes through only if the
// load still stands where the step began (N34).
import type { Context } from '../../platform/context.ts'
import { count } from '../../platform/counters.ts'
import type { Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { unchangedTypes } from '../../platform/db/commit/type-checks.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { LOADER_PROCESS } from './kind.ts'
import { movedTo, publicFields } from './progress.ts'
import type { LoadState } from './state.ts'
import { guard, type Load, MOVED, moveOn } from './store/loads.ts'

/** How much a step takes on. */
export interface LoadBounds {
  chunkBytes: number
  chunkMaxRows: number
  commitMaxEntities: number
}

export interface LoadScope extends Context {
  bounds: LoadBounds
  /** To be called in long steps: others get their turn, and the watch knows that the load is at work. */
  alive(): Promise<void>
}

/** Another wake-up has done this step, or the load was cancelled: whoever sees this looks again. */
export class LoadMoved extends Error {}

export interface StepWork {
  writes?: Write[]
  statements?: Statement[]
  /** Goes through although the load was cancelled. */
  endsIt?: boolean
}

export async function advance(scope: LoadScope, load: Load, next: LoadState, work: StepWork = {}): Promise<Load> {
  const now = Date.now()
  const state = movedTo(load.state, next, now)
  const patch = difference(publicFields(load.state), publicFields(state))
  const process: Write[] = patch ? [{ op: 'update', kind: LOADER_PROCESS, id: load.id, patch }] : []
  const { writes = [] } = work
  // Rows are read by the types as they were; a commit does not go through once they have changed. Reports do not depend on them.
  const types = writes.length > 0 && !isEnding(load.state) ? unchangedTypes(state.typesStamp) : undefined
  try {
    await commit({ ...scope, now }, [...writes, ...process], {
      before: [guard(load, work.endsIt ?? isEnding(load.state))],
      after: [...(work.statements ?? []), moveOn(load, state, now)],
      returning: false,
      isLookedUp: true,
      types,
    })
  } catch (error) {
    if (error instanceof Error && error.message.includes(MOVED)) throw new LoadMoved()
    throw error
  }
  if (writes.length > 0) count(scope.env, 'load_rows', load.orgId, { numbers: [writes.length] })
  return { ...load, step: load.step + 1, attempts: 0, state }
}

/** From here on a load ends in any case; a cancel comes too late. */
export function isEnding({ phase, outcome }: LoadState): boolean {
  return outcome !== null || phase === 'cleaning'
}

export function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.entries(after).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value))
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}
