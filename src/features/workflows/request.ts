// What starts runs on request (N36).
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { type Entity, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'
import { wakeRuns } from '../../platform/wake/message.ts'
import { keepWatch } from '../../platform/wake/watch.ts'
import { beginRun, type Trigger } from './begin-run.ts'
import type { WorkflowRequest } from './contract.ts'
import { PROCESS } from './kind.ts'
import { moreRuns } from './quota-store.ts'
import { type DefinedWorkflow, workflowsTriggeredBy } from './store.ts'
import { Budget, Turns } from './work.ts'

/** `causeDepth`: of the run behind the request, in a chain of workflows; 0: there is none. */
export async function requestWorkflows(
  context: Context,
  { triggerKey, event }: WorkflowRequest,
  causeDepth: number,
): Promise<Entity[]> {
  if (jsonBytes(event) > EVENT_MAX_BYTES) {
    throw new Fault('too_large', `An event may hold at most ${EVENT_MAX_BYTES} bytes.`)
  }
  // Arm the watchdog before the runs exist.
  const [workflows] = await Promise.all([
    workflowsTriggeredBy(context.db, context.org.id, triggerKey),
    keepWatch(context.env, context.org.id),
  ])
  return beginRuns(context, workflows, { key: triggerKey, event, depth: causeDepth + 1, now: timeText(context.now) })
}

async function beginRuns(context: Context, workflows: readonly DefinedWorkflow[], trigger: Trigger): Promise<Entity[]> {
  const turns = new Turns()
  const writes: Write[] = []
  for (const workflow of workflows) {
    const budget = new Budget()
    writes.push(...beginRun(workflow, trigger, budget))
    await turns.took(budget.work)
  }
  // That nothing was started is an answer too, which a repeat must get again (N64).
  if (writes.length === 0 && !context.idempotency) return []
  const runs = writes.filter(write => write.kind === PROCESS).length
  const before = runs > 0 ? [moreRuns(context.org.id, PROCESS.name, runs, context.now)] : []
  const { rows } = await commit(context, writes, { before })
  const processes = rows.flatMap(row => (row?.kind === PROCESS.name ? [entityOf(row)] : []))
  const pending = processes.filter(process => process.status === 'pending').map(process => process.id)
  // For speed alone: should it fail, the watch brings what it stands for.
  context.defer(wakeRuns(context.env, context.org.id, pending))
  return processes
}
