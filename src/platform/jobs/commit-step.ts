// One step of a job: its writes, its statements and its memory in one D1 batch, which goes through only if the job still stands where
// the step began (N34).
import type { Context } from '../context.ts'
import { directory } from '../db/client.ts'
import { type CommitOptions, commit } from '../db/commit/commit.ts'
import type { Write } from '../db/commit/write.ts'
import type { Statement } from '../db/sql.ts'
import type { Job, JobState } from './job.ts'
import { guard, moveOn, removeJob, SUPERSEDED } from './store.ts'

/** Another worker has done this step, or the job was cancelled: read the job again. */
export class StepSuperseded extends Error {}

export interface StepWork extends Pick<CommitOptions, 'isBatch' | 'isLookedUp' | 'types'> {
  writes?: readonly Write[]
  before?: readonly Statement[]
  statements?: readonly Statement[]
  /** Goes through although the job was cancelled. */
  endsIt?: boolean
  /** The job is over: its row goes with this step. */
  isDone?: boolean
  /** The next step is not due before then. */
  wakeOn?: number
}

export async function commitStep<State extends JobState>(
  context: Context,
  job: Job<unknown>,
  state: State,
  work: StepWork = {},
): Promise<Job<State>> {
  const now = Date.now()
  const { writes = [], statements = [], endsIt = false, isDone = false, wakeOn = 0, isBatch, isLookedUp, types } = work
  const before = [guard(job, endsIt), ...(work.before ?? [])]
  const after = [...statements, isDone ? removeJob(job) : moveOn(job, state, wakeOn, now)]
  try {
    if (writes.length > 0) {
      const options = {
        before,
        after,
        returning: false,
        isBatch: isBatch ?? false,
        isLookedUp: isLookedUp ?? false,
        types,
      }
      await commit({ ...context, now }, writes, options)
    } else await (job.home === 'organization' ? context.db : directory(context.env)).batch([...before, ...after])
  } catch (error) {
    throw isSuperseded(error) ? new StepSuperseded() : error
  }
  return { ...job, step: job.step + 1, attempts: 0, failures: 0, wakeOn, touchedOn: now, state }
}

export const isSuperseded = (error: unknown): boolean => error instanceof Error && error.message.includes(SUPERSEDED)
