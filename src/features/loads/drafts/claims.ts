// What the whole file must agree on: which row speaks first for a family, whether an option comes twice, which items
// an assortment has. Each chunk claims its keys; the store keeps the first claim of each, in the order of the file,
// and answers with what holds. Nothing here grows beyond one chunk.

/**
 * `item`: families and options. `entity`: every other federatedId. `identifier`: identifiers.
 * `member`: an item within an assortment. `added`: a family that a row adds to one. `drop`: an item to take out of one.
 * `stands`: whether a family's own row adds or drops it, in a partial update. `stays`: that one does neither.
 * `moved`: an option that gets another family, under that family, in a partial update.
 * `late`: what a family's own row says, where the family's first row stands in an earlier chunk.
 * `owed`: what a new option lacks, unless its family's own row comes later and says it.
 * `later`: a family's changes that wait until its options have been looked at; see phases/inherit-options.ts.
 */
export type Space =
  | 'item'
  | 'entity'
  | 'identifier'
  | 'member'
  | 'added'
  | 'drop'
  | 'stands'
  | 'stays'
  | 'moved'
  | 'late'
  | 'owed'
  | 'later'

export interface Claim {
  space: Space
  key: string
  role: 'family' | 'option'
  line: number
  /** What the first row says of a family, for those after it; elsewhere what belongs to the key. A JSON value, and '' for nothing. */
  shared: unknown
  /** The first row that is the family's own. */
  ownLine: number | null
  ownShared: unknown
  /** Tells whether a later row says the same. Most are never asked: no other row has their key. */
  hash(): string
}

const SEPARATOR = '\n'

const noHash = () => ''

/** A claim that says no more than that a row has it. */
export function plainClaim(space: Space, key: string, line: number, shared: unknown = ''): Claim {
  return { space, key, role: 'option', line, shared, ownLine: null, ownShared: '', hash: noHash }
}

/** What a claim has beside its key. */
export function keptIn<T>(value: unknown): T | undefined {
  return value === '' ? undefined : (value as T)
}

export function memberKey(assortmentId: string, itemKey: string): string {
  return assortmentId + SEPARATOR + itemKey
}

export function partsOf(memberKey: string): { assortmentId: string; itemKey: string } {
  const at = memberKey.indexOf(SEPARATOR)
  return { assortmentId: memberKey.slice(0, at), itemKey: memberKey.slice(at + 1) }
}

/** Of an own row that is not the first one: what it says, where that may count (see item-claims.ts). */
function withSaid({ shared, ownShared }: Claim): unknown {
  return typeof ownShared === 'object' && ownShared !== null && 'said' in ownShared
    ? { ...ownShared, said: shared }
    : ownShared
}

export class Claims {
  readonly #spaces = new Map<Space, Map<string, Claim>>()

  claim(claim: Claim): void {
    const space = this.#spaces.get(claim.space) ?? new Map<string, Claim>()
    this.#spaces.set(claim.space, space)
    const first = space.get(claim.key)
    if (!first) space.set(claim.key, claim)
    else if (first.ownLine === null && claim.ownLine !== null) {
      first.ownLine = claim.ownLine
      first.ownShared = withSaid(claim)
      first.hash = claim.hash
    }
  }

  get all(): Claim[] {
    return [...this.#spaces.values()].flatMap(claims => [...claims.values()])
  }

  of(space: Space): Claim[] {
    return [...(this.#spaces.get(space)?.values() ?? [])]
  }

  has(space: Space): boolean {
    return this.#spaces.has(space)
  }

  /** Claims of earlier chunks take the place of this one's. */
  settle(held: Iterable<Claim>): void {
    for (const claim of held) this.#spaces.get(claim.space)?.set(claim.key, claim)
  }

  held(space: Space, key: string): Claim | undefined {
    return this.#spaces.get(space)?.get(key)
  }
}
