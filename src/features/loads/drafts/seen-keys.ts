// The keys that a file has named so far, as numbers in one table: eight bytes and some air for each, however long they are. Pure.
import { LOAD_SEEN_MAX_KEYS } from '../../../platform/limits.ts'

const FIRST_SLOTS = 2 ** 13
/** Of two slots at least one is free: a look at a handful of them is enough. */
const FULL = 0.5
/** Keys that somebody has chosen for sharing their place must not make it slow. */
const PROBES_MAX = 256
const EMPTY = 0

export class SeenKeys {
  #slots = new Float64Array(FIRST_SLOTS)
  #count = 0
  /** Nothing more is told apart. */
  #isFull = false

  constructor(numbers: Iterable<number> = []) {
    for (const number of numbers) this.#add(number)
  }

  /** In no order: to be given to another one. */
  get numbers(): Float64Array {
    return this.#slots.filter(number => number !== EMPTY)
  }

  /** False where the key has been there, and where that cannot be told: one new key in a thousand million looks like another. */
  add(space: string, key: string): boolean {
    return this.#add(numberOf(space, key))
  }

  #add(number: number): boolean {
    this.#isFull ||= this.#count >= LOAD_SEEN_MAX_KEYS
    if (this.#count >= this.#slots.length * FULL) this.#grow()
    if (this.#isFull || !place(this.#slots, number)) return false
    this.#count++
    return true
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2)
    for (const number of this.#slots) if (number !== EMPTY) this.#isFull ||= !place(slots, number)
    this.#slots = slots
  }
}

function place(slots: Float64Array, number: number): boolean {
  const first = number >>> 0
  for (let probe = 0; probe < PROBES_MAX; probe++) {
    const at = (first + probe) & (slots.length - 1)
    if (slots[at] === number) return false
    if (slots[at] !== EMPTY) continue
    slots[at] = number
    return true
  }
  return false
}

/** 53 bits of two hashes. They are put away between wake-ups, and a deploy may come in between: whoever changes this gives them another name there. */
function numberOf(space: string, key: string): number {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (const text of [space, key]) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b)
    }
    one = Math.imul(one ^ 0x10000, 0x01000193)
  }
  return mixed(one) * 2 ** 21 + (mixed(other) >>> 11) || 1
}

/** Every bit of it depends on all. */
function mixed(hash: number): number {
  let bits = hash
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
