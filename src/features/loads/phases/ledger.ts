// Where the claims of a load are noted (see drafts/claims.ts). As long as every row stands for itself, only whether a key comes twice
// matters: the worker remembers the keys, and nothing is stored, which saves a tenth of the load. Where that is not enough
// (a key comes again, a row belongs to another, a worker died with what it knew) the file is read again from its beginning, and the claims are stored.
import type { Database, Statement } from '../../../platform/db/client.ts'
import { LOAD_SEEN_FILE_MAX_BYTES } from '../../../platform/limits.ts'
import type { Claim, Space } from '../drafts/claims.ts'
import { isPlainFamily } from '../drafts/item-claims.ts'
import { SeenKeys } from '../drafts/seen-keys.ts'
import { makeClaims } from '../store/claims.ts'
import type { Load } from '../store/loads.ts'
import type { Staging } from '../store/staging.ts'

/** Keys do not tell enough of this file. */
export class NeedsClaims extends Error {}

interface Kept {
  db: Database
  staging: Staging
}

export class Ledger {
  readonly #kept: Kept
  readonly #loadId: string
  /** None where claims are stored. */
  #keys: SeenKeys | undefined
  /** As long as nothing is noted, claims may still be stored. */
  #isEmpty: boolean

  private constructor(kept: Kept, { id, state }: Load, keys: SeenKeys | undefined) {
    this.#kept = kept
    this.#loadId = id
    this.#keys = keys
    this.#isEmpty = state.chunks === 0
  }

  /** Undefined where nobody has left the keys of what has been read. */
  static async open(kept: Kept, load: Load): Promise<Ledger | undefined> {
    const { remembers, isAgain, chunks, start, fileSize } = load.state
    if (chunks === 0) {
      const mayRemember = !isAgain && fileSize <= LOAD_SEEN_FILE_MAX_BYTES
      return new Ledger(kept, load, mayRemember ? new SeenKeys() : undefined)
    }
    if (!remembers) return new Ledger(kept, load, undefined)
    const numbers = await kept.staging.readKeys(start)
    return numbers && new Ledger(kept, load, new SeenKeys(numbers))
  }

  get remembers(): boolean {
    return this.#keys !== undefined
  }

  async make<One = never, Other = never>(
    claims: readonly Claim[],
    questions?: readonly [readonly Statement<One>[], readonly Statement<Other>[]],
  ) {
    if (this.#isEmpty && !claims.every(standsAlone)) this.#keys = undefined
    this.#isEmpty &&= claims.length === 0
    const keys = this.#keys
    const isEnough = !keys || claims.every(claim => standsAlone(claim) && keys.add(claim.space, claim.key))
    if (!isEnough) throw new NeedsClaims()
    return makeClaims(this.#kept.db, this.#loadId, keys ? [] : claims, questions)
  }

  /** For whoever goes on with the load. Keys of rows after it are one too many, and never one too few. */
  async leave(load: Load): Promise<Load> {
    if (this.#keys && load.state.remembers) await this.#kept.staging.writeKeys(load.state.start, this.#keys.numbers)
    return load
  }
}

const KEYS_ALONE: readonly Space[] = ['entity', 'identifier']

/** No other row, and no later phase, asks for more than its key. */
function standsAlone(claim: Claim): boolean {
  return claim.role === 'family' ? isPlainFamily(claim) : KEYS_ALONE.includes(claim.space)
}
