// Limits of signing in (N10, N61).

/** Wrong passwords that are answered at once; after them each doubles the wait, up to the longest (N10). */
export const SIGN_IN_FREE_FAILURES = 5
/** The same over all addresses without a recent sign-in to the account. */
export const SIGN_IN_FREE_FAILURES_OF_ACCOUNT = 100
export const SIGN_IN_FIRST_WAIT_MS = 1000
export const SIGN_IN_LONGEST_WAIT_MS = 15 * 60_000
/** An account without an attempt for this long starts from zero again; how long an address counts as the user's after a sign-in. */
export const SIGN_IN_MEMORY_MS = 24 * 3_600_000
export const SIGN_IN_KNOWN_MS = 90 * 24 * 3_600_000
/** Failures of people who are no members that the audit trail of an organization records: made-up names must not fill it. */
export const SIGN_IN_STRANGERS_NOTED_AN_HOUR = 100
