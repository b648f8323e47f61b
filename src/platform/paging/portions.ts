// A page that takes long is read in portions while others are being served (N60). Each is a page of its own that goes on behind the
// one before, so that whoever asks sees no difference; in between the others pass.
import type { Database } from '../db/client.ts'
import { PAGE_MAX_BYTES, PAGE_SCAN_MAX_BYTES } from '../limits.ts'
import { PAGE_MAX_PORTIONS, PORTION_MAX_BYTES, PORTION_SCAN_MIN_BYTES, PORTION_SCAN_MS } from './limits.ts'

/** What a page, or a portion of it, may hold, and what it may look at in order to find that. */
export interface Room {
  pageBytes: number
  scanBytes: number
}

export const WHOLE_PAGE: Room = { pageBytes: PAGE_MAX_BYTES, scanBytes: PAGE_SCAN_MAX_BYTES }

/** How much a portion has put on the page, and looked at for it; and whether the page is to go on. */
export interface PortionRead {
  bytes: number
  scannedBytes: number
  goesOn: boolean
}

export async function inPortions(db: Database, read: (portion: Room) => Promise<PortionRead>): Promise<void> {
  let { pageBytes, scanBytes } = WHOLE_PAGE
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
    if (isAll || !goesOn || made === PAGE_MAX_PORTIONS || pageBytes <= 0 || scanBytes <= 0) return
    scan = scanAfter(portion.scanBytes, db.takenMs - before)
  }
}

/** As much as takes about as long as others may be held up, in steps that one slow reading does not throw off. */
function scanAfter(scanBytes: number, tookMs: number): number {
  const factor = Math.min(4, PORTION_SCAN_MS / Math.max(tookMs, 0.1))
  return Math.max(PORTION_SCAN_MIN_BYTES, Math.floor(scanBytes * factor))
}
