// Mutants that survive and may: what is changed, in which file, and why no test can or should notice it. The text of `change` is
// as the command prints it, so that an entry lives as long as the line does.

export interface Accepted {
  file: string
  change: string
  reason: string
}

const UNUSED = 'Equivalent: a value that is absent stands in no statement; null is only what its type asks for.'
const SIZE = 'Speed alone: on both sides of the bound the same is read, at once or by a second statement.'

export const ACCEPTED: readonly Accepted[] = [
  ...['afterSeq', 'createdOn?.[0]', 'createdOn?.[1]', 'entity?.type', 'entity?.id'].map((value, at) => ({
    file: 'src/features/history/store.ts',
    change: `${value} ?? null → ${value} in ${['afterSeq', 'first', 'last', 'type', 'id'][at]}: «${value} ?? null»,`,
    reason: UNUSED,
  })),
  {
    file: 'src/features/history/unread-store.ts',
    change: 'window?.at ?? undefined → window?.at in windowEnd: «window?.at ?? undefined»,',
    reason: 'Equivalent: who reads it takes null and undefined alike (`windowEnd ?? from`).',
  },
  {
    file: 'src/features/outbound/sign.ts',
    change:
      "false → true in const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, «false», ['sign'])",
    reason: 'Equivalent: whether a key that never leaves the function may be exported shows nowhere.',
  },
  {
    file: 'src/features/loads/drafts/assortment-split.ts',
    change: "if (!table.isPartial) return 'add' → ; in «if (!table.isPartial) return 'add'»",
    reason: 'Equivalent: a configuration that is not partial names neither column (rules.ts); then every row adds.',
  },
  {
    file: 'src/features/loads/drafts/draft-packing.ts',
    change: '!== → === in if (slug «!==» known || make[slug] !== (value === 0 ? key : value)) return false',
    reason: 'Speed alone: what is not found like the last one is looked up among all, with the same result.',
  },
  {
    file: 'src/features/loads/csv/splitter.ts',
    change: '2 → 3 in const larger = new Uint8Array(Math.max(needed, this.#buffer.length * «2»))',
    reason: 'Speed alone: how much room a buffer gets beyond what is needed.',
  },
  ...['16 → 17 in const DATA_MAX_BYTES = «16» * 1024', '1024 → 1025 in const DATA_MAX_BYTES = 16 * «1024»'].map(
    change => ({ file: 'src/features/loads/store/existing.ts', change, reason: SIZE }),
  ),
  {
    file: 'src/platform/db/commit/commit.ts',
    change:
      'some → every in const isListenedTo = clocks.some(result => result?.results?.«some»(row => row.dispatchedSeq != null))',
    reason: 'Equivalent: the statements that move the clock answer exactly one row.',
  },
]
