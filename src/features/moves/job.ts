// The move of an organization as a durable job in the directory (N57). Its row in `moves` says how far it is, and is what both databases
// go by; the job has it go on until it has ended.
import * as z from 'zod'
import type { Env } from '../../platform/env.ts'
import { commitStep, StepSuperseded } from '../../platform/jobs/commit-step.ts'
import { defineJob, type Job, type JobContext, type Lane } from '../../platform/jobs/job.ts'
import { wakeJobs, watchJobs } from '../../platform/jobs/watchdog.ts'
import { paceOf } from '../../platform/pace.ts'
import { cleared, compared, copied, followed } from './live.ts'
import type { Notes } from './notes.ts'
import { type Done, giveUp, type Step } from './step.ts'
import { opened, stopped, undone } from './stop.ts'
import { Crossing } from './store/crossing.ts'
import { takeOverMove } from './store/jobs.ts'
import { advanceMove, findMove, type MoveRow } from './store/moves.ts'
import { isOutOfTurn } from './store/rows.ts'

export const MOVE_LANE = 'move'

const PHASES: Partial<Record<MoveRow['phase'], (step: Step) => Promise<Done>>> = {
  clearing: cleared,
  copying: copied,
  comparing: compared,
  following: followed,
  stopped,
  opening: opened,
  undoing: undone,
}

const State = z.object({ phase: z.literal('moving') })
type State = z.output<typeof State>

export const MOVE = defineJob<State>({
  kind: 'move',
  state: State,
  phases: { moving },
  // Once the organization is in the target, it is opened there; what is being undone is undone.
  async onGiveUp(context, job, message = 'The move failed again and again.') {
    const move = await findMove(context.env, job.orgId)
    const mayGiveUp = move?.endedOn === null && move.phase !== 'opening' && move.phase !== 'undoing'
    if (mayGiveUp) await giveUp(context.env, move, notesOf(move), 'failed', move.error ?? message)
    return commitStep(context, job, job.state)
  },
})

/** Writes are refused during the last part of a move: a lost wake-up is sent again soon. */
const watchMs = (env: Env) => paceOf(env).moveWatchMs

export const MOVES: Lane = {
  name: MOVE_LANE,
  home: 'directory',
  jobs: [MOVE],
  mayRun: async () => true,
  takeOver: takeOverMove,
  watchMs,
}

export const watchMove = (env: Env, orgId: string) => watchJobs(env, MOVE_LANE, orgId, watchMs(env))
export const wakeMove = (env: Env, orgId: string) => wakeJobs(env, MOVE_LANE, orgId, { watchMs: watchMs(env) })

const notesOf = ({ notes }: MoveRow) => JSON.parse(notes) as Notes

async function moving(context: JobContext, job: Job<State>): Promise<Job<State> | undefined> {
  const move = await findMove(context.env, job.orgId)
  if (!move || move.endedOn !== null) {
    await commitStep(context, job, job.state, { isDone: true })
    return undefined
  }
  const { waitMs = 0 } = await worked(context, move)
  return commitStep(context, job, job.state, waitMs > 0 ? { wakeOn: Date.now() + waitMs } : {})
}

async function worked({ env }: JobContext, move: MoveRow): Promise<Done> {
  const work = PHASES[move.phase]
  if (!work) throw new Error(`a move has no phase "${move.phase}"`)
  const until = Date.now() + paceOf(env).jobBudgetMs
  try {
    const done = await work({ env, move, notes: notesOf(move), crossing: new Crossing(env, move), until })
    if (done.move) return done
  } catch (error) {
    if (!isOutOfTurn(error)) {
      // For people who look at the move.
      await advanceMove(env, move, { error: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
  throw new StepSuperseded()
}
