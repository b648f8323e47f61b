// The name that somebody may have meant. Pure.

/** Letters and digits alone, whatever their case: what is left when spaces and punctuation are set aside. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** One mistake in so many letters is taken for a slip. */
const LETTERS_PER_SLIP = 4
const LENGTH_MAX = 64

/** The one that differs least; undefined where none is close. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  lettersPerSlip = LETTERS_PER_SLIP,
): string | undefined {
  const wanted = bareName(name).slice(0, LENGTH_MAX)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / lettersPerSlip)) + 1
  for (const candidate of candidates) {
    if (candidate === name) continue
    const slips = slipsBetween(wanted, bareName(candidate).slice(0, LENGTH_MAX), least)
    if (slips >= least) continue
    least = slips
    best = candidate
  }
  return wanted === '' ? undefined : best
}

/** Letters to add, drop, change, or swap with their neighbour; counting stops at `enough`. */
function slipsBetween(a: string, b: string, enough: number): number {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let slips = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) slips = Math.min(slips, (before[j - 2] ?? 0) + 1)
      row.push(slips)
    }
    before = last
    last = row
  }
  return last[b.length] ?? enough
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`
}

const LISTED = 20

/** Names as a list that a person can read. */
export function listed(names: readonly string[]): string {
  const more = names.length - LISTED
  const shown = names.slice(0, LISTED).map(name => JSON.stringify(name))
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
