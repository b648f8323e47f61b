// What the sources with mutants in them ask at each mutant: is it this one? In coverage runs they leave their numbers. A setup
// file of both kinds of runs, so that it is there before any source is loaded.

export interface Mutation {
  /** The number of the mutant that is on; -1: none. */
  active: number
  hits: Set<number> | undefined
  /** How many questions are left: a loop that never ends is ended by them. */
  left: number
  is(id: number): boolean
  /** By attempt.ts: which test has killed which mutant. */
  killed: Map<number, { file: string; name: string }>
}

const shared = globalThis as { __mutation?: Mutation }

shared.__mutation ??= {
  active: -1,
  hits: undefined,
  left: Number.POSITIVE_INFINITY,
  killed: new Map(),
  is(id) {
    this.hits?.add(id)
    if (this.left-- < 0) throw new Error('With this mutant, it never ends.')
    return id === this.active
  },
}

export const mutation: Mutation = shared.__mutation
