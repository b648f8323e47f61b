// Numbers that bound what is asked of the databases. The guide on limits lists them.
import { GB, MB } from '../limits.ts'

/** After which a call to the database is given up (N59); a read is asked once more. Each call in less than clients wait for an answer. */
export const DB_READ_DEADLINE_MS = 12_000
export const DB_WRITE_DEADLINE_MS = 28_000
/** How long a replica is not asked for what an isolate has changed itself. */
export const REPLICA_LAG_MAX_MS = 60_000

/** From here on a database is told to fill up, of the 10 GB that it may hold (N56). */
export const DATABASE_WARN_BYTES = 7 * GB
/** In which the sizes of databases are compared: new organizations stay together up to here. */
export const DATABASE_STEP_BYTES = 256 * MB

/** Rows that a move copies while writes are stopped; where more have changed since its last look, it looks once more first (N57). */
export const MOVE_REST_MAX_ROWS = 2000
export const MOVE_ROUNDS_MAX = 50
/** What loads under way have noted: a move waits until there is less. */
export const MOVE_LATE_MAX_ROWS = 50_000
/** How long writes may be stopped, and how often, before a move is given up; and how often in a row it may fail. */
export const MOVE_STOP_MAX_MS = 20_000
export const MOVE_STOPS_MAX = 5
export const MOVE_MAX_FAILURES = 20
/** How long what it leaves behind is kept. */
export const MOVE_KEPT_DAYS = 7

/** How long work that nobody waits for waits while its organization moves (N57), and how often it looks. */
export const FENCE_PATIENCE_MS = 40_000
export const FENCE_LOOK_MS = 250
