// Removes segments that nothing leads to: whoever died between a segment and its mark has left them, or before removing them. Goes on
// each hour where it has stopped, and begins again at the end.
import {
  COMPLETE,
  completeKey,
  idTime,
  keyParts,
  type Place,
  pagesOf,
  removeSegments,
  SEGMENTS,
  segmentsOf,
} from './kept.ts'

/** A backup that takes longer than a day is given up. */
export const ABANDONED_MS = 2 * 24 * 3600 * 1000
const POSITION = 'sweep-position'
const PAGES_A_SWEEP = 10
const BACKUPS_A_SWEEP = 100

type IsUnderWay = (place: Place) => Promise<boolean>

export async function sweepSegments(bucket: R2Bucket, now: number, isUnderWay: IsUnderWay): Promise<void> {
  let startAfter = await (await bucket.get(POSITION))?.text()
  let left = BACKUPS_A_SWEEP
  for (let page = 0; page < PAGES_A_SWEEP; page++) {
    const { objects, truncated } = await bucket.list({ prefix: SEGMENTS, ...(startAfter && { startAfter }) })
    const lost = await withoutEntry(bucket, objects, now)
    for (const place of lost.slice(0, left)) await removeLost(bucket, place, isUnderWay)
    const next = lost[left]
    left -= lost.length
    startAfter = next ? segmentsOf(next) : truncated ? objects.at(-1)?.key : undefined
    if (next || !startAfter) break
  }
  await bucket.put(POSITION, startAfter ?? '')
}

/** Segments and entries lie in one order: few pages of these tell of a page of those. */
async function withoutEntry(bucket: R2Bucket, segments: readonly R2Object[], now: number): Promise<Place[]> {
  const old = segments.map(({ key }) => keyParts(key)).filter(({ id }) => id < idTime(now - ABANDONED_MS))
  const places = new Map(old.map(place => [completeKey(place), place]))
  const [first, last = ''] = [old[0], old.at(-1)].map(place => place && completeKey(place))
  if (first === undefined) return []
  for await (const entries of pagesOf(bucket, { prefix: COMPLETE, startAfter: first.slice(0, -1) })) {
    for (const { key } of entries) places.delete(key)
    if ((entries.at(-1)?.key ?? last) >= last) break
  }
  return [...places.values()]
}

/** Asks in this order: the entry of a backup is there before its job is gone. */
async function removeLost(bucket: R2Bucket, place: Place, isUnderWay: IsUnderWay): Promise<void> {
  if (await isUnderWay(place)) return
  if (!(await bucket.head(completeKey(place)))) await removeSegments(bucket, place)
}
