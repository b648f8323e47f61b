// Work that takes its turn: one piece at a time, a breath between two, so that whoever shares the thread is not held up. Those who
// wait are bounded in all and for each asker, so that one asker's rush leaves room for the others.
export class Turns {
  readonly #waiting = new Map<string, number>()
  readonly #most: number
  readonly #mostOfOne: number
  readonly #between: () => Promise<void>
  #count = 0
  #last: Promise<unknown> = Promise.resolve()

  /** `between`: what is waited for before each piece. */
  constructor(most: number, mostOfOne: number, between: () => Promise<void>) {
    this.#between = between
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  /** Undefined: too many wait already. */
  async take<T>(asker: string, work: () => T | Promise<T>): Promise<{ made: T } | undefined> {
    const own = this.#waiting.get(asker) ?? 0
    if (this.#count >= this.#most || own >= this.#mostOfOne) return undefined
    this.#count++
    this.#waiting.set(asker, own + 1)
    const turn = this.#last.then(() => this.#between()).then(work)
    this.#last = turn.catch(() => undefined)
    try {
      return { made: await turn }
    } finally {
      this.#count--
      this.#leave(asker)
    }
  }

  #leave(asker: string): void {
    const left = (this.#waiting.get(asker) ?? 1) - 1
    if (left > 0) this.#waiting.set(asker, left)
    else this.#waiting.delete(asker)
  }
}
