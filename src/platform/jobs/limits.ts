// Limits of durable jobs. The guide on limits lists them.

/** Steps in a row that failed, before a job is given up; a disturbance of the platform does not count. */
export const JOB_MAX_FAILURES = 5
/** Wake-ups in a row that moved nothing, before a job is given up, and for how long. */
export const JOB_MAX_ATTEMPTS = 12
export const JOB_STUCK_MS = 600_000
