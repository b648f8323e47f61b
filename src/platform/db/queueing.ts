// Measures how long the calls of one background job queue before the database, so that the job rests while others use it (N76).
// It belongs to one invocation: isolates share no memory.
import { CARRIED_CHARACTERS, QUEUEING_NOISE_MS, QUEUEING_RECENT_CALLS, REST_MAX_MS, REST_PER_QUEUED } from './limits.ts'
import type { Statement } from './sql.ts'

export class Queueing {
  /** Of the last calls, what each took beside the work of the database: the way there, and the queue. */
  readonly #around: number[] = []
  #queuedMs = 0

  note(wallMs: number, statements: readonly Statement[], answers: readonly D1Result[]): void {
    const durationMs = answers.reduce((sum, { meta }) => sum + (meta.duration ?? 0), 0)
    const characters =
      statements.reduce((sum, { params }) => sum + textIn(params), 0) +
      answers.reduce((sum, { results }) => results.reduce<number>((all, row) => all + textIn(row), sum), 0)
    const around = Math.max(0, wallMs - durationMs - characters / CARRIED_CHARACTERS)
    this.#around.push(around)
    if (this.#around.length > QUEUEING_RECENT_CALLS) this.#around.shift()
    const queued = around - Math.min(...this.#around)
    if (queued > QUEUEING_NOISE_MS) this.#queuedMs += queued
  }

  /** Waits in proportion to what the calls since the last rest have queued. On an idle database it only yields to pending requests. */
  async rest(): Promise<void> {
    const ms = Math.min(REST_MAX_MS, Math.round(this.#queuedMs * REST_PER_QUEUED))
    this.#queuedMs = 0
    await scheduler.wait(ms)
  }
}

function textIn(values: unknown): number {
  let length = 0
  for (const value of Object.values(values as object)) if (typeof value === 'string') length += value.length
  return length
}
