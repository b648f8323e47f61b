// What a durable job declares. The runner does the rest: order, attempts, giving up, wake-ups, the watchdog and cancellation (N34).

import type { Background } from '../background.ts'
import type { Statement } from '../db/sql.ts'
import type { Env } from '../env.ts'

export type Home = 'organization' | 'directory'

export interface JobState {
  phase: string
  /** Set as soon as it is known how the job ends: from then on it cannot be cancelled. */
  outcome?: string | null
}

/** A job at one of its steps. */
export interface Job<State> {
  id: string
  orgId: string
  home: Home
  kind: string
  step: number
  attempts: number
  failures: number
  isCancelled: boolean
  wakeOn: number
  touchedOn: number
  state: State
}

export interface JobContext extends Background {
  /** To be called between parts of a long step: other requests run, and the watchdog waits. */
  heartbeat(): Promise<void>
  /** False when this wake-up has worked long enough: the phase returns, and the next wake-up goes on. */
  mayGoOn(): Promise<boolean>
}

// As the type of a method: a job of a narrower state can then stand in a list of jobs.
type Work<State, Result> = { work(context: JobContext, job: Job<State>): Promise<Result> }['work']
type GiveUp<State> = {
  giveUp(context: JobContext, job: Job<State>, message: string | undefined): Promise<Job<State> | undefined>
}['giveUp']

/** Takes the job some steps further, each by `commitStep`, and returns it as it is then; undefined where it has ended. */
export type Phase<State> = Work<State, Job<State> | undefined>

export interface JobDefinition<State extends JobState> {
  kind: string
  /** Parsed whenever it is read: a row of an earlier release is upgraded here, and nowhere else. */
  state: { parse(stored: unknown): State }
  /** Each may be called twice for the same step and must then write the same. */
  phases: Readonly<Record<string, Phase<State>>> & { readonly [Name in State['phase']]: Phase<State> }
  /** Makes the step that ends a job that can never go on; without a message it failed again and again. */
  onGiveUp: GiveUp<State>
  /** Makes the step that ends a cancelled job; none: the job cannot be cancelled. */
  onCancel?: Phase<State>
  /** The job ended while a slower worker was still busy with it: what that one has put down since goes. */
  onGone?(context: JobContext, id: string): Promise<unknown>
}

/** Jobs of an organization that run one at a time, in the order in which they were begun. */
export interface Lane {
  name: string
  home: Home
  jobs: readonly JobDefinition<JobState>[]
  /** False: the jobs wait, such as those of a suspended organization. */
  mayRun(env: Env, orgId: string): Promise<boolean>
  /** How soon a lost wake-up is sent again; none: as for most jobs. */
  watchMs?(env: Env): number
  /** Brings in what an earlier release has begun; the last statement selects what that release is still busy with. */
  takeOver?(orgId: string, now: number): Statement[]
}

export function defineJob<State extends JobState>(definition: JobDefinition<State>): JobDefinition<State> {
  return definition
}

export const hasOutcome = ({ outcome }: JobState): boolean => outcome !== undefined && outcome !== null
