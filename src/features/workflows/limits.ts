// Limits of workflows beside those that callers send against. The guide on limits lists them.
import { MB } from '../../platform/limits.ts'

/** For one organization, over all trigger keys. */
export const WORKFLOWS_MAX = 1000
/** What the expressions of one task, or the conditionals of one workflow over one event, may take and make together (N60). */
export const EXPRESSIONS_MAX_WORK = 100_000
export const EXPRESSIONS_MAX_CHARACTERS = 1_000_000
/** The same of all conditionals that one pass over events evaluates; then the next one goes on. */
export const EVENTS_PASS_MAX_WORK = 1_000_000
/** Definitions that are held at a time while events are dispatched. */
export const DEFINITIONS_MAX_BYTES = 4 * MB
/** After which a message moves its run no further, and a batch of messages begins no further one. */
export const RUN_MESSAGE_MAX_MS = 60_000
export const BATCH_BEGIN_MAX_MS = 300_000
