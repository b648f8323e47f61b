// How much one organization may take while others are being served (N60).
import { KB } from '../limits.ts'

/** Others are company for so long after their last request, and are let pass for so long at a time, at most for this share of the time (N60). */
export const COMPANY_LASTS_MS = 500
export const COMPANY_PASS_MAX_MS = 50
export const COMPANY_SHARE_FOR_OTHERS = 0.02
export const COMPANY_CALLERS_SHARE_FOR_OTHERS = 1
export const COMPANY_LOOK_MS = 1
/** So often whoever takes much looks whether the call before it, of the same organization, is over. */
export const COMPANY_TURN_MAX_LOOKS = 50
/** Whoever has taken more time lately lets others pass, too; it is forgotten by half in each half-life. What a body or a configuration holds for each millisecond. */
export const COMPANY_MUCH_MS = 100
export const COMPANY_MUCH_HALF_LIFE_MS = 500
export const COMPANY_SENT_BYTES = 10 * KB
/** Whoever is served for longer is not waited for; and organizations that this is reckoned for. */
export const COMPANY_SERVED_MAX_MS = 2000
export const COMPANY_MAX_ACCOUNTS = 1000

/**
 * What cannot be divided comes apart in company, where it is as large as this: so long for a thousand entities of a commit, and for each so many
 * bytes of a body a millisecond. Whoever would wait for longer than that is told to come again.
 */
export const COMPANY_APART_FROM_ENTITIES = 200
export const COMPANY_APART_FROM_BYTES = 50 * KB
export const COMPANY_APART_THOUSAND_MS = 1500
export const COMPANY_APART_BYTES = 1 * KB
export const COMPANY_APART_MAX_MS = 5000
export const COMPANY_APART_LOOK_MS = 10
