// What the sources with mutants in them ask at each mutant: is it this one? In coverage runs they leave their numbers.

export interface Mutation {
  /** The number of the mutant that is on; -1: none. */
  active: number
  hits: Set<number> | undefined
  is(id: number): boolean
  /** By attempt.ts: which test has killed which mutant. */
  killed?: Map<number, { file: string; name: string }>
}

const shared = globalThis as { __mutation?: Mutation }

/** The same object as in the first line of each of those sources. */
export function mutation(): Mutation {
  shared.__mutation ??= {
    active: -1,
    hits: undefined,
    is(id) {
      this.hits?.add(id)
      return id === this.active
    },
  }
  return shared.__mutation
}
