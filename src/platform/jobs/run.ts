// What a wake-up does: it takes the first job of a lane some steps further and asks for the next wake-up. Any number of wake-ups may
// come, at once or never: a step counts once, and the watchdog sends what got lost (N34).

import { background } from '../background.ts'
import { directory, inEachDatabase } from '../db/client.ts'
import { Queueing } from '../db/queueing.ts'
import type { Env } from '../env.ts'
import { Fault, isBrief } from '../errors.ts'
import { paceOf } from '../pace.ts'
import { StepSuperseded } from './commit-step.ts'
import { hasOutcome, type Job, type JobContext, type JobDefinition, type JobState, type Lane } from './job.ts'
import { JOB_MAX_ATTEMPTS, JOB_MAX_FAILURES, JOB_STUCK_MS } from './limits.ts'
import { databaseOfJobs, hasJobs, lanesUnderWay, noteFailure, readJob, takeFirst } from './store.ts'
import { wakeJobs, watchdogOf, watchJobs } from './watchdog.ts'

export async function runLane(env: Env, lane: Lane, orgId: string, budgetMs = paceOf(env).jobBudgetMs): Promise<void> {
  const { name, home } = lane
  const db = databaseOfJobs(env, home, orgId)
  const budget = budgetOf(env, lane, orgId, budgetMs)
  if (!(await lane.mayRun(env, orgId))) {
    // The watchdog comes back until they may, or are gone.
    if (!(await hasJobs(db, home, orgId, name))) await endWatch(env, lane, orgId)
    return
  }
  const now = Date.now()
  const taken = await takeFirst(db, home, orgId, name, lane.takeOver?.(orgId, now))
  if (taken.before.at(-1)?.results.length) return
  let { job } = taken
  // However slow the platform is, a wake-up makes at least one step.
  for (let isFirst = true; job && job.wakeOn <= Date.now() && (isFirst || (await budget.mayGoOn())); isFirst = false) {
    const worked = await workOn(env, lane, job, budget)
    if (worked.isElsewhere) return
    job = worked.job ?? (await takeFirst(db, home, orgId, name)).job
  }
  if (job) {
    const waitMs = Math.max(0, job.wakeOn - Date.now())
    await wakeJobs(env, name, orgId, { waitMs, watchMs: lane.watchMs?.(env) })
  } else await endWatch(env, lane, orgId)
}

type Budget = Pick<JobContext, 'heartbeat' | 'mayGoOn'> & { queueing: Queueing }

interface Worked {
  job?: Job<unknown> | undefined
  /** Another worker is at the job. */
  isElsewhere?: boolean
}

async function workOn(env: Env, lane: Lane, job: Job<unknown>, budget: Budget): Promise<Worked> {
  const { id, orgId, home } = job
  const definition = definitionOf(lane, job)
  const context = contextOf(env, job, budget)
  try {
    const next = await goOn(context, definition, job)
    await context.settled()
    return { job: next }
  } catch (error) {
    if (!(error instanceof StepSuperseded)) throw error
    const now = await readJob(databaseOfJobs(env, home, orgId), home, orgId, id)
    if (!now) await definition.onGone?.(context, id)
    // A cancelled job has not moved, and ends here.
    const isToEnd = now?.isCancelled && !hasOutcome(definition.state.parse(now.state))
    return isToEnd ? { job: now } : { isElsewhere: true }
  }
}

/** What a job changes is its own doing. */
function contextOf(env: Env, { id, orgId }: Job<unknown>, { queueing, ...budget }: Budget): JobContext {
  return { ...background(env, { id: orgId, slug: '' }, { id, type: 'loader' }, '', queueing), ...budget }
}

function budgetOf(env: Env, lane: Lane, orgId: string, budgetMs: number): Budget {
  const { jobBudgetMs } = paceOf(env)
  const begun = Date.now()
  let last = begun
  const queueing = new Queueing()
  const heartbeat = async () => {
    await queueing.rest()
    if (Date.now() - last < jobBudgetMs) return
    last = Date.now()
    await watchJobs(env, lane.name, orgId, lane.watchMs?.(env))
  }
  const mayGoOn = async () => {
    await heartbeat()
    return Date.now() < begun + budgetMs
  }
  return { heartbeat, mayGoOn, queueing }
}

function definitionOf({ name, jobs }: Lane, { kind }: Job<unknown>): JobDefinition<JobState> {
  const definition = jobs.find(job => job.kind === kind)
  if (!definition) throw new Error(`the lane ${name} has no job of the kind "${kind}"`)
  return definition
}

async function goOn(
  context: JobContext,
  definition: JobDefinition<JobState>,
  given: Job<unknown>,
): Promise<Job<unknown> | undefined> {
  const job = { ...given, state: definition.state.parse(given.state) }
  const { state } = job
  if (job.isCancelled && !hasOutcome(state) && definition.onCancel) return definition.onCancel(context, job)
  if (isHopeless(job)) return definition.onGiveUp(context, job, undefined)
  const phase = definition.phases[state.phase]
  if (!phase) throw new Error(`a ${definition.kind} has no phase "${state.phase}"`)
  try {
    return await phase(context, job)
  } catch (error) {
    if (error instanceof StepSuperseded) throw error
    console.error(definition.kind, job.id, state.phase, error)
    // A disturbance of the platform is no fault of the job: it ends by JOB_STUCK_MS alone.
    if (isBrief(error)) throw error
    if (error instanceof Fault) return giveUp(context, definition, job, error.message)
    await noteFailure(databaseOfJobs(context.env, job.home, job.orgId), job)
    throw error
  }
}

/** From where it is now: the phase may have done steps before it was refused. */
async function giveUp(
  context: JobContext,
  definition: JobDefinition<JobState>,
  given: Job<unknown>,
  message: string | undefined,
): Promise<Job<unknown> | undefined> {
  const { home, orgId, id } = given
  const job = (await readJob(databaseOfJobs(context.env, home, orgId), home, orgId, id)) ?? given
  return definition.onGiveUp(context, { ...job, state: definition.state.parse(job.state) }, message)
}

function isHopeless({ attempts, failures, touchedOn }: Job<unknown>): boolean {
  if (failures >= JOB_MAX_FAILURES) return true
  return attempts > JOB_MAX_ATTEMPTS && Date.now() - touchedOn > JOB_STUCK_MS
}

/** The queue has given up a wake-up: so is the job that it was for, unless that has moved since. */
export async function giveUpFirst(env: Env, lane: Lane, orgId: string): Promise<void> {
  const { name, home } = lane
  const { job } = await takeFirst(databaseOfJobs(env, home, orgId), home, orgId, name)
  if (!job) return
  if (job.failures > 0) {
    const context = contextOf(env, job, budgetOf(env, lane, orgId, paceOf(env).jobBudgetMs))
    await giveUp(context, definitionOf(lane, job), job, undefined)
    await context.settled()
  }
  await wakeJobs(env, name, orgId)
}

async function endWatch(env: Env, { name, home }: Lane, orgId: string): Promise<void> {
  await watchdogOf(env, name, orgId).rest()
  // A job that was begun in between has lost its watchdog.
  if (await hasJobs(databaseOfJobs(env, home, orgId), home, orgId, name)) await wakeJobs(env, name, orgId)
}

/** Comes by the cron: wakes all lanes, should a watchdog be lost. */
export async function sweepJobs(env: Env): Promise<void> {
  const wakeAll = async (found: { orgId: string; lane: string }[]) => {
    for (const { orgId, lane } of found) {
      await wakeJobs(env, lane, orgId).catch(error => console.error('jobs of', orgId, error))
    }
  }
  await wakeAll(await lanesUnderWay(directory(env), 'directory'))
  await inEachDatabase(env, async db => wakeAll(await lanesUnderWay(db, 'organization')))
}
