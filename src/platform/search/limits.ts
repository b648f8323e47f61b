// Limits of the search and of its index (N50).
import { KB } from '../limits.ts'

/** Of what is looked for, and the words of it that count. */
export const SEARCH_QUERY_MAX_LENGTH = 200
export const SEARCH_MAX_WORDS = 16
/** Words that one entity is found by, their length, and the length of a text that they are taken from. */
export const SEARCH_ENTITY_MAX_WORDS = 100
export const SEARCH_WORD_MAX_LENGTH = 40
export const SEARCH_TEXT_MAX_LENGTH = 2000
/** Places in the index that one page of a search looks at. */
export const SEARCH_SCAN_MAX_ROWS = 5000
/** Between a commit and the look at it: what comes in between is one piece of work. */
export const SEARCH_DELAY_MS = 1000
/** What one pass takes in, and how long passes follow each other. */
export const SEARCH_PASS_MAX_ENTITIES = 500
export const SEARCH_PASS_MAX_BYTES = 512 * KB
export const SEARCH_PASS_MS = 5000
/** How long new indexes of properties are filled before the next look at what was written. */
export const SEARCH_FILL_MS = 2000
/** While a load of the organization is under way, a rest comes before a pass: so many times as long as the pass before, and no longer than this. */
export const SEARCH_RESTS_IN_LOAD = 39
export const SEARCH_REST_MAX_MS = 3000
/** After which an index that did not come to its end is followed again. */
export const SEARCH_RETRY_MS = 30_000
