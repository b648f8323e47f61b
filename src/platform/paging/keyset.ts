// One page of a list that goes on behind the last row of the page before. Nothing is skipped or repeated while others write.
import type * as z from 'zod'
import { readKey, writeKey } from './page-key.ts'

/** The values of the columns that a list is ordered by. */
type Place = [string | number] | [string | number, string | number]

export interface Keyset<Row, P extends Place, Shown> {
  /** What the keys of this list belong to: a key of another list is refused. */
  belongsTo: string
  /** What the list is ordered by, as it stands in a key. */
  place: z.ZodType<P>
  placeOf(row: Row): P
  /** Up to `limit` rows behind a place, in order; from the beginning where there is none. */
  read(after: P | undefined, limit: number): Promise<Row[]>
  /** Whether the page ended with this row because of its bytes. */
  isCut?(last: Row): boolean
  show(row: Row): Shown
}

export interface PageRequest {
  limit: number
  nextPageKey?: string | undefined
}

export async function keysetPage<Row, P extends Place, Shown>(
  { belongsTo, place, placeOf, read, isCut, show }: Keyset<Row, P, Shown>,
  { limit, nextPageKey }: PageRequest,
): Promise<{ results: Shown[]; nextPageKey: string | null }> {
  const after = nextPageKey === undefined ? undefined : await readKey(nextPageKey, belongsTo, 'nextPageKey', place)
  const rows = await read(after, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && (rows.length > limit || isCut?.(last))
  return {
    results: page.map(show),
    nextPageKey: hasMore ? await writeKey(placeOf(last), belongsTo) : null,
  }
}
