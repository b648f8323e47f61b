// Work that takes its turn: one piece at a time, a breath between two, so that requests on the same thread are not held up. Askers
// that wait are served in turn. When too many wait, the longest queue loses its last: a rush makes room for the others.

interface Waiting {
  run(): Promise<void>
  refuse(): void
}

export class Turns {
  /** The asker that is served next comes first. */
  readonly #queues = new Map<string, Waiting[]>()
  readonly #most: number
  readonly #mostOfOne: number
  readonly #between: () => Promise<void>
  #count = 0
  #isServing = false

  /** `between`: what is waited for before each piece. */
  constructor(most: number, mostOfOne: number, between: () => Promise<void>) {
    this.#between = between
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  /** Undefined: too many wait already. */
  take<T>(asker: string, work: () => T | Promise<T>): Promise<{ made: T } | undefined> {
    return new Promise((resolve, reject) => {
      const refuse = () => resolve(undefined)
      const own = this.#queues.get(asker) ?? []
      if (own.length >= this.#mostOfOne || !this.#hasRoom(own.length)) return refuse()
      const run = async () => {
        try {
          resolve({ made: await work() })
        } catch (error) {
          reject(error)
        }
      }
      own.push({ run, refuse })
      this.#queues.set(asker, own)
      this.#count++
      if (!this.#isServing) void this.#serve()
    })
  }

  /** A queue that stays longer than the newcomer's own gives up its last place. */
  #hasRoom(ownLength: number): boolean {
    if (this.#count < this.#most) return true
    const longest = [...this.#queues.values()].reduce<Waiting[]>((a, b) => (b.length > a.length ? b : a), [])
    if (longest.length <= ownLength + 1) return false
    longest.pop()?.refuse()
    this.#count--
    return true
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#count > 0) {
      await this.#between()
      await this.#next()?.run()
    }
    this.#isServing = false
  }

  #next(): Waiting | undefined {
    const [first] = this.#queues
    if (!first) return undefined
    const [asker, queue] = first
    this.#queues.delete(asker)
    const next = queue.shift()
    if (queue.length > 0) this.#queues.set(asker, queue)
    this.#count--
    return next
  }
}
