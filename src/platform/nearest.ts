// The known name nearest to a mistyped one.
import { ADVICE_MAX_STEPS } from './limits.ts'

/** Letters and digits in lower case, without spaces and punctuation. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** One mistake in so many letters is taken for a slip. */
const LETTERS_PER_SLIP = 4
const LENGTH_MAX = 64
/** What is read of a name for its first letters: the rest is punctuation, or too much. */
const READ_MAX = 4 * LENGTH_MAX

/** How much may be compared before no advice is given any more: for one name, or for all that share the budget (N60). */
export class AdviceBudget {
  #left = ADVICE_MAX_STEPS

  get left(): number {
    return this.#left
  }

  spend(steps: number): void {
    this.#left = Math.max(0, this.#left - steps)
  }
}

/** The one that differs least; undefined where none is close. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  lettersPerSlip = LETTERS_PER_SLIP,
  budget = new AdviceBudget(),
): string | undefined {
  const wanted = lettersOf(name)
  if (wanted === '') return undefined
  let best: string | undefined
  let least = slipsIn(wanted, lettersPerSlip) + 1
  for (const candidate of candidates) {
    if (budget.left === 0) return undefined
    if (candidate === name) continue
    const slips = slipsBetween(wanted, lettersOf(candidate), least, budget)
    if (slips >= least) continue
    least = slips
    best = candidate
  }
  return best
}

/** Of a single letter every other one is a slip away. */
const slipsIn = ({ length }: string, lettersPerSlip: number) =>
  length === 1 ? 0 : Math.max(1, Math.floor(length / lettersPerSlip))

const lettersOf = (name: string) => bareName(name.slice(0, READ_MAX)).slice(0, LENGTH_MAX)

/** Letters to add, drop, change, or swap with their neighbour; counting stops at `enough`. */
function slipsBetween(a: string, b: string, enough: number, budget: AdviceBudget): number {
  // Reading the names counts, too.
  budget.spend(1 + b.length)
  if (Math.abs(a.length - b.length) >= enough) return enough
  const rowOf = () => new Array<number>(b.length + 1).fill(enough)
  let [before, last, row] = [rowOf(), rowOf(), rowOf()]
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    // Farther from the diagonal there are more than enough.
    const from = Math.max(1, i - enough + 1)
    const to = Math.min(b.length, i + enough - 1)
    row[from - 1] = from === 1 ? i : enough
    let fewest = row[from - 1] ?? enough
    for (let j = from; j <= to; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let slips = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) slips = Math.min(slips, (before[j - 2] ?? 0) + 1)
      row[j] = slips
      fewest = Math.min(fewest, slips)
    }
    budget.spend(to - from + 1)
    if (fewest >= enough) return enough
    ;[before, last, row] = [last, row, before]
  }
  return last[b.length] ?? enough
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>, budget?: AdviceBudget): string {
  const near = nearest(name, candidates, LETTERS_PER_SLIP, budget)
  return near === undefined ? '' : ` Did you mean ${quoted(near)}?`
}

const LISTED = 20

/** Names as a list that a person can read. */
export const listed = (names: readonly string[]) => listedAs(names, quoted)

export function listedAs<Item>(items: readonly Item[], words: (item: Item) => string): string {
  const more = items.length - LISTED
  return items.slice(0, LISTED).map(words).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** A name in a message. */
export function quoted(name: string): string {
  return visible(JSON.stringify(name))
}

/** Invisible characters; the joiner of emoji is visible. */
const INVISIBLE = /(?![ \u200d])[\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/gu

/** A no-break space or one without width makes another name of one that looks the same. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, sign => `<U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`)
}

export function hasInvisible(text: string): boolean {
  return text !== visible(text)
}
