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

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** False where the key has been there, as which one in a thousand million new ones is taken; and where there is no room for it. */
  add(space: string, key: string): boolean {
    if (this.#count >= LOAD_SEEN_MAX_KEYS) return false
    if (this.#count >= this.#slots.length * FULL) this.#grow()
    const isNew = place(this.#slots, numberOf(space, key))
    if (isNew) this.#count++
    return isNew
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2)
    for (const number of this.#slots) if (number !== EMPTY) place(slots, number)
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

/** 53 bits of two hashes. */
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
