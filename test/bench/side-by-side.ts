// Two ways of doing the same, measured in turns: what disturbs the machine disturbs both, and a round that it disturbs
// all the same is an outlier that the median leaves out.

export interface Compared {
  /** The median of the rounds' ratios, ours to theirs. */
  ratio: number
  ours: number
  theirs: number
}

/** A first round warms both up and does not count; then they take turns at beginning. */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  warms = true,
): Promise<Compared> {
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = warms ? -1 : 0; round < rounds; round++) {
    const isFirst = round % 2 === 0
    const early = await (isFirst ? ours() : theirs())
    const late = await (isFirst ? theirs() : ours())
    if (round >= 0) pairs.push(isFirst ? { ours: early, theirs: late } : { ours: late, theirs: early })
  }
  return {
    ratio: median(pairs.map(pair => pair.ours / pair.theirs)),
    ours: median(pairs.map(pair => pair.ours)),
    theirs: median(pairs.map(pair => pair.theirs)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
