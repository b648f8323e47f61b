// What all actors of a run share: the service, the seed, what was acknowledged, and what went wrong.
import { KilledService } from '../kill/service.ts'
import { Random } from '../worker/loads/differential/random.ts'

export type Json = Record<string, unknown>
export type Entity = Json & { id: string; version: number }

export interface Page<T = Entity> {
  results: T[]
  nextPageKey: string | null
  syncKey?: string
}

export class World {
  readonly service: KilledService
  readonly port: number
  readonly #seed: number
  readonly violations: string[] = []
  /** How often each thing was done, for the figures at the end. */
  readonly counts = new Map<string, number>()
  /** Milliseconds of each call that was answered. */
  readonly latencies: number[] = []
  /** Actors begin nothing new. */
  isOver = false
  /** The headers of the organization that everybody works in. */
  headers: Record<string, string> = {}
  #up: Promise<void> = Promise.resolve()
  readonly #numbers = new Map<string, number>()

  constructor(port: number, seed: number) {
    this.port = port
    this.#seed = seed
    this.service = new KilledService(port)
  }

  /** Choices that are the same for the same seed and purpose, whatever the others do and whatever is answered. */
  random(purpose: string): Random {
    let mixed = this.#seed * 2_654_435_761
    for (const letter of purpose) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 16_777_619)
    return new Random(mixed)
  }

  /** A name that no other operation has. */
  operation(purpose: string): string {
    const number = (this.#numbers.get(purpose) ?? 0) + 1
    this.#numbers.set(purpose, number)
    return `${purpose}-${number}`
  }

  count(what: string, more = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + more)
  }

  violation(text: string): void {
    this.violations.push(text)
    // All are counted; the first of them tell enough.
    if (this.violations.length <= 50) console.log(`VIOLATION ${text}`)
  }

  check(name: string, isRight: boolean, seen: unknown): void {
    if (!isRight) this.violation(`${name}: ${JSON.stringify(seen)?.slice(0, 2000)}`)
  }

  async kill(): Promise<void> {
    let isUp = () => {}
    this.#up = new Promise(resolve => {
      isUp = resolve
    })
    await this.service.kill()
    await this.service.start()
    this.count('kills')
    isUp()
  }

  /** While the service is down nobody hammers at it. */
  whenUp(): Promise<void> {
    return this.#up
  }
}
