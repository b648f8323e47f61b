// Numbers that bound what is asked of the databases. The guide on limits lists them.
import { GB, KB, MB } from '../limits.ts'

/** After which a call to the database is given up (N59); a read is asked once more. Each call in less than clients wait for an answer. */
export const DB_READ_DEADLINE_MS = 12_000
export const DB_WRITE_DEADLINE_MS = 28_000
/** In which the first query of a session in an isolate settles, or sessions are not used there any more (N84). */
export const SESSION_FIRST_ANSWER_MAX_MS = 5000
/** How long a replica is not asked for what an isolate has changed itself. */
export const REPLICA_LAG_MAX_MS = 60_000

/**
 * Of background jobs (N76): the calls that the least queueing is taken of, what is too short to be one, and how long they rest for each
 * millisecond of it, at most for so long at a time. Characters take their time on the way, too: so many about a millisecond.
 */
export const QUEUEING_RECENT_CALLS = 32
export const QUEUEING_NOISE_MS = 5
export const REST_PER_QUEUED = 4
export const REST_MAX_MS = 1000
export const CARRIED_CHARACTERS = 100_000

/** What the entities that one batch updates may hold before it: all of them come back in its answer (N60). */
export const BATCH_UPDATED_MAX_BYTES = 8 * MB
/** Of entities that are kept under an Idempotency-Key in one value, which may hold 2,000,000 bytes: one goes beyond it, and quotes double. */
export const KEPT_PIECE_BYTES = 256 * KB

/** From here on a database is told to fill up, of the 10 GB that it may hold (N56). */
export const DATABASE_WARN_BYTES = 7 * GB
/** In which the sizes of databases are compared: new organizations stay together up to here. */
export const DATABASE_STEP_BYTES = 256 * MB

/** Rows that a move copies while writes are stopped; where more have changed since its last look, it looks once more first (N57). */
export const MOVE_REST_MAX_ROWS = 2000
export const MOVE_ROUNDS_MAX = 50
/** Wake-ups that one look may take. */
export const MOVE_ROUND_STEPS_MAX = 1000
/** What loads under way have noted: a move waits until there is less. */
export const MOVE_LATE_MAX_ROWS = 50_000
/** How long writes may be stopped, and how often, before a move is given up. */
export const MOVE_STOP_MAX_MS = 20_000
export const MOVE_STOPS_MAX = 5
/** How long what it leaves behind is kept. */
export const MOVE_KEPT_DAYS = 7

/** How long background work waits while its organization moves (N57), and how often it checks. */
export const FENCE_PATIENCE_MS = 40_000
export const FENCE_LOOK_MS = 250

/** Old change records move into files of so many, or of so many bytes: one is read as a whole (N58). */
export const HISTORY_FILE_MAX_RECORDS = 5000
export const HISTORY_FILE_MAX_BYTES = 4 * MB
/** How long records that are old enough wait for others until there is a file full of them. */
export const HISTORY_FILE_WAIT_DAYS = 30
/** Of an organization whose records move: with more than this they move before their time, but those of the last day. */
export const HISTORY_ROWS_MAX = 250_000
/** Files that a page of the history reads; a page that would need more ends early. */
export const HISTORY_PAGE_FILES = 4
/** Files that are made in an hour: for one organization, and for all; and organizations that are looked at, others each time. */
export const HISTORY_FILES_AN_HOUR = 20
export const HISTORY_FILES_AN_HOUR_OF_ALL = 50
export const HISTORY_ORGS_AN_HOUR = 200
/** Files that one step of a revert reads; an entity whose records since are in more is left alone (N52). */
export const REVERT_STEP_MAX_FILES = 100
