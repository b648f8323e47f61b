// Runs that may not begin: one record of each kind tells of a workflow and a day. Its key says so, and by it such records are found and
// left out where runs are counted. Pure.

export const REFUSAL_CODES = ['quota_exceeded', 'workflow_loop'] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

const BEGINNING = 'refused|'
const dayOf = (time: string) => time.slice(0, 'YYYY-MM-DD'.length)

export const refusedKey = (workflowId: string, code: RefusalCode, time: string) =>
  `${BEGINNING}${dayOf(time)}|${code}|${workflowId}`

/** Between these are the keys of a day and of all later ones. */
export const refusedSince = (time: string) => ({ from: BEGINNING + dayOf(time), to: `${BEGINNING}~` })
