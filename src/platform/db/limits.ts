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
