// How many workflows and runs an organization may have (N60), counted where they are written.
import { sql } from 'drizzle-orm'
import { quotaOf, withinQuota } from '../../platform/db/quota.ts'
import { timeText } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { columns, from, indexedBy, named, prepared, type Statement, statement } from '../../platform/db/sql.ts'
import { Fault } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { WORKFLOWS_MAX } from './limits.ts'
import { REFUSAL_CODES, refusedKey, refusedSince } from './refused.ts'

const DAY_MS = 24 * 3600 * 1000

const e = named(entities, 'e')

/** Each of them runs at every event of its trigger key. */
export const workflowGuard: NonNullable<Kind['guard']> = (orgId, writes) => {
  const written = writes.flatMap(({ op, id }) => (op === 'delete' ? [] : [id]))
  const kind = writes[0]?.kind.name ?? ''
  const isMore = writes.some(({ op }) => op === 'create')
  return {
    after: [
      ...(written.length ? [workflowsWithinQuota(orgId, kind, written)] : []),
      ...(isMore ? [withinAll({ orgId, kind })] : []),
    ],
    refusal: message => (message.includes(TOO_MANY) ? tooMany() : undefined),
  }
}

/** Begins the message of a transaction with too many. */
const TOO_MANY = 'too many workflows'

const tooMany = () =>
  new Fault('quota_exceeded', `An organization may have at most ${WORKFLOWS_MAX} workflows.`, {
    members: { quota: 'workflows', limit: WORKFLOWS_MAX },
  })

/** Trigger keys are free text: a bound for each of them bounds nothing. */
const withinAll = prepared<{ orgId: string; kind: string }>(
  ({ orgId, kind }) => sql`SELECT json_extract('{}', ${sql.raw(`'${TOO_MANY}'`)}) WHERE (SELECT count(*) FROM (
    SELECT 1 FROM ${from(e)} ${indexedBy(ENTITY_INDEX.createdOn)} WHERE ${e.orgId} = ${orgId} AND ${e.kind} = ${kind}
    LIMIT ${sql.raw(String(WORKFLOWS_MAX + 1))})) > ${sql.raw(String(WORKFLOWS_MAX))}`,
)

function workflowsWithinQuota(orgId: string, kind: string, written: readonly string[]): Statement {
  const keys = sql`SELECT ${e.triggerKey} FROM ${from(e)} WHERE ${e.id} IN (SELECT value FROM json_each(${JSON.stringify(written)}))
    AND ${e.orgId} = ${orgId}`
  const most = sql`SELECT max(n) FROM (SELECT count(*) AS n FROM ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.triggerKey} IN (${keys})
    GROUP BY ${entities.triggerKey})`
  return statement(withinQuota(orgId, 'workflowsPerTrigger', most))
}

type RunValues = { orgId: string; kind: string; since: number; refusedFrom: string; refusedTo: string }

type RunsGiven = { [Name in keyof RunValues]: Parameters<typeof sql>[1] }

/** Those of the last day that were not allowed to begin: were they counted, refusing would go on for ever. */
const countRefused = ({ orgId, kind, since, refusedFrom, refusedTo }: RunsGiven) =>
  sql<number>`(SELECT count(*) FROM ${from(e)} ${indexedBy(ENTITY_INDEX.federatedId)} WHERE ${e.orgId} = ${orgId}
    AND ${e.kind} = ${kind} AND ${e.federatedId} >= ${refusedFrom} AND ${e.federatedId} < ${refusedTo} AND ${e.createdOn} > ${since})`

/** Those of the last day, counted no further than one beyond the quota. */
const countRuns = (given: RunsGiven) => {
  const { orgId, kind, since } = given
  return sql<number>`SELECT count(*) - ${countRefused(given)} FROM (SELECT 1 FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.createdOn} > ${since}
    LIMIT ${quotaOf(orgId, 'runsPerDay')} + 1 + ${countRefused(given)})`
}

function runValues(orgId: string, kind: string, now: number): RunValues {
  const since = now - DAY_MS
  const refused = refusedSince(timeText(since))
  return { orgId, kind, since, refusedFrom: refused.from, refusedTo: refused.to }
}

/** Fails where `more` runs would be too many. */
export function moreRuns(orgId: string, kind: string, more: number, now: number): Statement {
  const count = sql`SELECT (${countRuns(runValues(orgId, kind, now))}) + ${more}`
  return statement(withinQuota(orgId, 'runsPerDay', count))
}

const readRunsLeft = prepared<RunValues, { left: number; most: number }>(
  given => sql`SELECT ${quotaOf(given.orgId, 'runsPerDay')} - (${countRuns(given)}) AS "left",
    ${quotaOf(given.orgId, 'runsPerDay')} AS most`,
)

export const runsLeft = (orgId: string, kind: string, now: number) => readRunsLeft(runValues(orgId, kind, now))

const findRefused = prepared<{ orgId: string; kind: string; keys: string }, { federatedId: string }>(
  ({
    orgId,
    kind,
    keys,
  }) => sql`SELECT ${columns(e, ['federatedId'])} FROM ${from(e)} ${indexedBy(ENTITY_INDEX.federatedId)}
    WHERE ${e.orgId} = ${orgId} AND ${e.kind} = ${kind} AND ${e.federatedId} IN (SELECT value FROM json_each(${keys}))`,
)

/** Of these workflows, the keys of refused runs that today has already. */
export function refusedToday(orgId: string, kind: string, ids: readonly string[], now: number) {
  const keys = ids.flatMap(id => REFUSAL_CODES.map(code => refusedKey(id, code, timeText(now))))
  return findRefused({ orgId, kind, keys: JSON.stringify(keys) })
}
