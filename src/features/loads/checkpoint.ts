// One step of a load: its writes, its memory and what callers see of it, in one commit (N34).
import type { Context } from '../../platform/context.ts'
import { count } from '../../platform/counters.ts'
import { unchangedTypes } from '../../platform/db/commit/type-checks.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { commitStep, type StepWork } from '../../platform/jobs/commit-step.ts'
import { LOADER_PROCESS } from './kind.ts'
import { movedTo, publicFields } from './progress.ts'
import type { LoadState } from './state.ts'
import type { Load } from './store/loads.ts'

/** How much a step takes on. */
export interface LoadBounds {
  chunkBytes: number
  chunkMaxRows: number
  commitMaxEntities: number
}

export interface LoadScope extends Context {
  bounds: LoadBounds
  /** To be called in long steps: others get their turn, and the watchdog knows that the load is at work. */
  alive(): Promise<void>
}

export async function advance(scope: LoadScope, load: Load, next: LoadState, work: StepWork = {}): Promise<Load> {
  const state = movedTo(load.state, next, Date.now())
  const patch = difference(publicFields(load.state), publicFields(state))
  const process: Write[] = patch ? [{ op: 'update', kind: LOADER_PROCESS, id: load.id, patch }] : []
  const { writes = [], endsIt = isEnding(load.state) } = work
  // Rows are read by the types as they were; a commit does not go through once they have changed. Reports do not depend on them.
  const types = writes.length > 0 && !isEnding(load.state) ? unchangedTypes(state.typesStamp) : undefined
  const more = { writes: [...writes, ...process], endsIt, isLookedUp: true, types }
  const advanced = await commitStep(scope, load, state, { ...work, ...more })
  if (writes.length > 0) count(scope.env, 'load_rows', load.orgId, { numbers: [writes.length] })
  return advanced
}

/** From here on a load ends in any case; a cancel comes too late. */
export function isEnding({ phase, outcome }: LoadState): boolean {
  return outcome !== null || phase === 'cleaning'
}

export function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.entries(after).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value))
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}
