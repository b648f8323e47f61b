// Quotas of organizations (N60). They are counted by the database, in the transaction that would exceed them: a statement that
// finds too much fails on purpose and takes the whole batch with it.
import { type SQL, sql } from 'drizzle-orm'
import { Fault } from '../errors.ts'
import { QUOTAS } from '../limits.ts'
import { clocks } from './schema/entities.ts'

export type Quota = keyof typeof QUOTAS

/** With the one that the operator cannot raise. */
type Bound = Quota | 'files'

/** Begins the message of a batch that is refused. */
const OVER = 'over quota '

type Value = Parameters<typeof sql>[1]

/** Inside a statement that sees the clock's row. */
export const quotaIn = (quota: Quota) =>
  sql<number>`coalesce(${clocks.quotas} ->> ${sql.raw(`'$.${quota}'`)}, ${sql.raw(String(QUOTAS[quota]))})`

export const quotaOf = (orgId: Value, quota: Quota) =>
  sql<number>`coalesce((SELECT ${clocks.quotas} ->> ${sql.raw(`'$.${quota}'`)} FROM ${clocks}
    WHERE ${clocks.orgId} = ${orgId}), ${sql.raw(String(QUOTAS[quota]))})`

/** An expression that fails wherever it is evaluated. */
export const exceeded = (quota: Bound, limit: SQL) =>
  sql`json_extract('{}', ${sql.raw(`'${OVER}${quota} '`)} || ${limit})`

/** A statement that fails where there are more than the quota says; `count` counts no further than it must. */
export const withinQuota = (orgId: Value, quota: Quota, count: SQL) =>
  sql`SELECT ${exceeded(quota, sql`q.most`)} FROM (SELECT ${quotaOf(orgId, quota)} AS most) q WHERE (${count}) > q.most`

const WORDS: Record<Bound, string> = {
  entities: 'entities',
  fileBytes: 'bytes of files',
  files: 'files',
  types: 'types',
  typeBytes: 'bytes of types',
  workflowsPerTrigger: 'workflows for one trigger key',
  runsPerDay: 'runs of workflows within a day',
  concurrentLoads: 'loads at the same time',
}

export function quotaExceeded(quota: Bound, limit: number): Fault {
  const wayOut = quota === 'files' ? 'delete some that nobody needs' : 'the operator can raise that'
  const detail = `This organization may have ${limit.toLocaleString('en')} ${WORDS[quota]}; ${wayOut}.`
  return new Fault('quota_exceeded', detail, { members: { quota, limit } })
}

/** Undefined if the message names no quota. */
export function quotaRefusal(message: string): Fault | undefined {
  const [, quota, limit] = new RegExp(`${OVER}(\\w+) (\\d+)`).exec(message) ?? []
  return quota === undefined ? undefined : quotaExceeded(quota as Bound, Number(limit))
}
