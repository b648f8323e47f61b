// The worst case of a regular expression on a backtracking engine. A repeat that cannot be confused with what follows
// it (`\d+` before `-`) has one place to end; one that can (`.*` before `a`) multiplies the work by the text's length.

import { REGEX_EXPANDED_TERMS } from '../limits.ts'
import { CharacterSet } from './character-set.ts'
import { parseRegex, type RegexTerm, UnsupportedRegex } from './regex-syntax.ts'

export interface RegexCost {
  /** Work grows as `factor * length ** exponent`. */
  exponent: number
  factor: number
}

interface BranchCost {
  /** Repeats that may end in many places. */
  power: number
  /** Some repeat runs over the text, even if it ends in one place. */
  runs: boolean
  ways: number
}

const MAX_POWER = 3
const MAX_WAYS = 1_000
const GROUP_WORK = 2
const SINGLE_CHARACTER_WORK = 0.25

export function regexCost(pattern: string, flags: string): RegexCost {
  const branches = parseRegex(pattern, flags)
  if (expandedSize(branches) > REGEX_EXPANDED_TERMS) throw new UnsupportedRegex('a count this large')
  const cost = choiceCost(branches, CharacterSet.none(), flags)
  if (cost.power > MAX_POWER || cost.ways > MAX_WAYS) {
    throw new UnsupportedRegex('so many repeats or choices that can take the same characters')
  }
  const anchored = !flags.includes('m') && branches.every(isAnchored)
  const exponent = cost.power + (cost.runs ? 1 : 0) + (anchored ? 0 : 1)
  return { exponent, factor: cost.ways * pathLength(branches) }
}

function choiceCost(branches: RegexTerm[][], follow: CharacterSet, flags: string): BranchCost {
  const costs = branches.map(branch => sequenceCost(branch, follow, flags))
  const ways = costs.map(cost => cost.ways)
  return {
    power: Math.max(...costs.map(cost => cost.power)),
    runs: costs.some(cost => cost.runs),
    ways: exclusive(branches) ? Math.max(...ways) : ways.reduce((sum, each) => sum + each, 0),
  }
}

function sequenceCost(terms: RegexTerm[], follow: CharacterSet, flags: string): BranchCost {
  const total: BranchCost = { power: 0, runs: false, ways: 1 }
  let next = follow
  for (const term of terms.toReversed()) {
    if (term.kind === 'assertion') {
      // Behind `$` there is nothing; with the flag `m` there is the end of a line.
      if (term.source === '$')
        next = flags.includes('m') ? CharacterSet.of('\n\r').union(beyondAscii()) : CharacterSet.none()
      continue
    }
    const first = firstOf(term)
    const ambiguous = first.overlaps(next)
    if (term.max === Infinity) {
      if (ambiguous) total.power += 1
      else total.runs = true
    } else if (ambiguous) {
      total.ways *= term.max - term.min + 1
    }
    if (term.kind === 'group') {
      const inner = choiceCost(term.branches, term.max > 1 ? next.union(first) : next, flags)
      total.power += inner.power
      total.runs ||= inner.runs
      total.ways *= inner.ways
    }
    next = isNullable(term) ? first.union(next) : first
  }
  return total
}

function beyondAscii(): CharacterSet {
  return CharacterSet.range(128, 128)
}

function isNullable(term: RegexTerm): boolean {
  if (term.kind === 'assertion' || term.min === 0) return true
  return term.kind === 'group' && term.branches.some(branch => branch.every(isNullable))
}

function firstOf(term: RegexTerm): CharacterSet {
  if (term.kind === 'assertion') return CharacterSet.none()
  if (term.kind === 'set') return term.set
  return term.branches.map(firstOfSequence).reduce((all, each) => all.union(each), CharacterSet.none())
}

function firstOfSequence(terms: RegexTerm[]): CharacterSet {
  let found = CharacterSet.none()
  for (const term of terms) {
    found = found.union(firstOf(term))
    if (!isNullable(term)) break
  }
  return found
}

/** No two branches can start with the same character, and none can be empty. */
function exclusive(branches: RegexTerm[][]): boolean {
  let seen = CharacterSet.none()
  for (const branch of branches) {
    const first = firstOfSequence(branch)
    if (branch.every(isNullable) || seen.overlaps(first)) return branches.length === 1
    seen = seen.union(first)
  }
  return true
}

function isAnchored(branch: RegexTerm[]): boolean {
  const [first] = branch
  if (first?.kind === 'group' && first.min > 0) return first.branches.every(isAnchored)
  return first?.kind === 'assertion' && first.source === '^'
}

/** How much one way through the pattern does besides running over the text; single characters mostly fail at once. */
function pathLength(branches: RegexTerm[][]): number {
  let length = 1
  for (const term of branches.flat()) {
    if (term.kind === 'assertion') continue
    const times = term.max === Infinity ? Math.max(1, term.min) : term.max
    const each = term.kind === 'group' ? GROUP_WORK + pathLength(term.branches) : SINGLE_CHARACTER_WORK
    length += term.min === term.max ? times * each : times * Math.max(1, each)
  }
  return length
}

function expandedSize(branches: RegexTerm[][]): number {
  let size = 0
  for (const term of branches.flat()) {
    const times = term.kind === 'assertion' ? 1 : Math.max(1, term.max === Infinity ? term.min : term.max)
    size += times * (term.kind === 'group' ? expandedSize(term.branches) : 1)
  }
  return size
}
