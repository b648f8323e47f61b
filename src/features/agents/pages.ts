// Pages of an answer: as many entries as fit, with the key of what follows (N55).
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { CONTENT_MAX_BYTES, cut, fittingCount } from './answer-text.ts'

export interface ReadPage {
  results: unknown[]
  nextPageKey: string | null
}

/** A key belongs to the last entry of its page: a page that holds too much is read again with fewer. */
export async function fittingPage<P extends ReadPage>(
  limit: number,
  read: (limit: number) => Promise<P>,
  shown: (entry: unknown) => unknown,
): Promise<Omit<P, 'results'> & ReadPage> {
  const page = await read(limit)
  const results = page.results.map(shown)
  const count = fittingCount(results)
  if (count === results.length) return { ...page, results }
  if (results.length > 1) return fittingPage(Math.max(1, count), read, shown)
  return { ...page, results: results.map(each => cut(each)) }
}

/** Of a list that is at hand as a whole. */
export async function pageOfList(
  all: readonly unknown[],
  key: string | undefined,
  belongsTo: string,
  maxBytes = CONTENT_MAX_BYTES,
) {
  const [from] = key === undefined ? [0] : await readKey(key, belongsTo, 'nextPageKey')
  const rest = all.slice(Number(from))
  const count = Math.max(1, fittingCount(rest, maxBytes))
  const results = rest.slice(0, count).map(each => cut(each, maxBytes))
  const next = Number(from) + count
  return { results, nextPageKey: next < all.length ? await writeKey([next], belongsTo) : null }
}
