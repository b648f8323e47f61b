// Bounds of pages that are read in portions. The guide on limits lists them.
import { KB } from '../limits.ts'

/** Of a page that keeps others waiting (N60): what one portion holds, and looks at first; then as much as takes the database so long. */
export const PORTION_MAX_BYTES = 256 * KB
export const PORTION_SCAN_MIN_BYTES = 64 * KB
export const PORTION_SCAN_MS = 5
/** Such a page itself: to make an answer of it is one step, which others wait for. */
export const PAGE_IN_COMPANY_MAX_BYTES = 512 * KB
export const PAGE_MAX_PORTIONS = 20
