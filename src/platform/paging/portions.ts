// A page that takes long is read in portions while others are being served (N60). Each is a page of its own that goes on behind the
// one before, and in between the others pass. Whoever asks gets the same in the same order, on smaller pages.
import type { Database } from '../db/client.ts'
import { PAGE_MAX_BYTES, PAGE_SCAN_MAX_BYTES } from '../limits.ts'
import {
  PAGE_IN_COMPANY_MAX_BYTES,
  PAGE_MAX_PORTIONS,
  PORTION_MAX_BYTES,
  PORTION_SCAN_MIN_BYTES,
  PORTION_SCAN_MS,
} from './limits.ts'

/** What a page, or a portion of it, may hold, and what it may look at in order to find that. */
export interface Room {
  pageBytes: number
  scanBytes: number
}

export const WHOLE_PAGE: Room = { pageBytes: PAGE_MAX_BYTES, scanBytes: PAGE_SCAN_MAX_BYTES }

/** Of a page that is read at once. */
export function roomFor(db: Database): Room {
  return db.holdsUpOthers ? { ...WHOLE_PAGE, pageBytes: PAGE_IN_COMPANY_MAX_BYTES } : WHOLE_PAGE
}

/** How much a portion has put on the page, and looked at for it; and whether the page is to go on. */
export interface PortionRead {
  bytes: number
  scannedBytes: number
  goesOn: boolean
}

export async function inPortions(db: Database, read: (portion: Room) => Promise<PortionRead>): Promise<void> {
  let { pageBytes, scanBytes } = roomFor(db)
  let scan = PORTION_SCAN_MIN_BYTES
  for (let made = 1; ; made++) {
    const isAll = !db.holdsUpOthers
    const portion = isAll
      ? { pageBytes, scanBytes }
      : { pageBytes: Math.min(pageBytes, PORTION_MAX_BYTES), scanBytes: Math.min(scanBytes, scan) }
    const before = db.takenMs
    const { bytes, scannedBytes, goesOn } = await read(portion)
    pageBytes -= bytes
    scanBytes -= scannedBytes
    // Where little room is left, it ends: the next portion might be a single entity, as large as the page.
    const isFull = pageBytes < PORTION_MAX_BYTES / 2 || scanBytes <= 0
    if (isAll || !goesOn || made === PAGE_MAX_PORTIONS || isFull) return
    scan = scanAfter(portion.scanBytes, db.takenMs - before)
  }
}

/** As much as takes about as long as others may be held up, in steps that one slow reading does not throw off. */
function scanAfter(scanBytes: number, tookMs: number): number {
  const factor = Math.min(4, PORTION_SCAN_MS / Math.max(tookMs, 0.1))
  return Math.max(PORTION_SCAN_MIN_BYTES, Math.floor(scanBytes * factor))
}
