// Random choices that can be made again from their seed.
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)]
    if (chosen === undefined) throw new Error('nothing to pick from')
    return chosen
  }

  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability))
  }

  shuffled<T>(list: readonly T[]): T[] {
    const order = list.map(one => ({ one, key: this.next() }))
    return order.sort((a, b) => a.key - b.key).map(({ one }) => one)
  }
}
