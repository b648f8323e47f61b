// Where the claims of a load are noted (see drafts/claims.ts). As long as every row stands for itself, only whether a key comes twice
// matters: the worker remembers the keys, and nothing is stored, which saves a tenth of the load. Where that is not enough
// (a key comes again, a row belongs to another, the worker has forgotten) the file is read again from its beginning, and the claims are stored.
import type { Database, Statement } from '../../../platform/db/client.ts'
import { LOAD_SEEN_FILE_MAX_BYTES, LOAD_SEEN_MAX_BYTES } from '../../../platform/limits.ts'
import type { Claim, Space } from '../drafts/claims.ts'
import { saysNoMore } from '../drafts/item-claims.ts'
import { SeenKeys } from '../drafts/seen-keys.ts'
import { makeClaims } from '../store/claims.ts'
import type { Load } from '../store/loads.ts'

/** Keys do not tell enough of this file. */
export class NeedsClaims extends Error {}

/** Between two wake-ups of a load, and the byte up to which the keys are those of its file. */
const remembered = new Map<string, { keys: SeenKeys; start: number }>()

/** A worker is not the only one, and does not live for ever. */
export const forgetKeys = () => remembered.clear()

export class Ledger {
  readonly #db: Database
  readonly #loadId: string
  /** None where claims are stored. */
  #keys: SeenKeys | undefined
  /** As long as nothing is noted, claims may still be stored. */
  #isEmpty: boolean

  private constructor(db: Database, { id, state }: Load, keys: SeenKeys | undefined) {
    this.#db = db
    this.#loadId = id
    this.#keys = keys
    this.#isEmpty = state.chunks === 0
  }

  /** Undefined where the keys of what has been read are gone. */
  static of(db: Database, load: Load): Ledger | undefined {
    const { remembers, isAgain, chunks, start, fileSize } = load.state
    if (chunks === 0) {
      const mayRemember = !isAgain && fileSize <= LOAD_SEEN_FILE_MAX_BYTES
      return new Ledger(db, load, mayRemember ? new SeenKeys() : undefined)
    }
    if (!remembers) return new Ledger(db, load, undefined)
    const known = remembered.get(load.id)
    remembered.delete(load.id)
    return known?.start === start ? new Ledger(db, load, known.keys) : undefined
  }

  get remembers(): boolean {
    return this.#keys !== undefined
  }

  async make<One = never, Other = never>(
    claims: readonly Claim[],
    questions?: readonly [readonly Statement<One>[], readonly Statement<Other>[]],
  ) {
    if (this.#isEmpty && !claims.every(standsAlone)) this.#keys = undefined
    this.#isEmpty = false
    const keys = this.#keys
    const isEnough = !keys || claims.every(claim => standsAlone(claim) && keys.add(claim.space, claim.key))
    if (!isEnough) throw new NeedsClaims()
    return makeClaims(this.#db, this.#loadId, keys ? [] : claims, questions)
  }

  /** For whoever goes on with the load, if it is this worker. */
  leave<L extends Pick<Load, 'state'>>(load: L): L {
    if (this.#keys) remembered.set(this.#loadId, { keys: this.#keys, start: load.state.start })
    let bytes = 0
    for (const [id, { keys }] of [...remembered].reverse()) {
      bytes += keys.bytes
      if (bytes > LOAD_SEEN_MAX_BYTES) remembered.delete(id)
    }
    return load
  }
}

const KEYS_ALONE: readonly Space[] = ['entity', 'identifier']

/** No other row, and no later phase, asks for more than its key. */
function standsAlone(claim: Claim): boolean {
  return claim.role === 'family' ? saysNoMore(claim) : KEYS_ALONE.includes(claim.space)
}
