// Reads workflows, runs and tasks; statements around their writing. Decides nothing.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { type EntityRow, rowColumns, type StoredRow } from '../../platform/db/row.ts'
import { CHANGE_INDEX, changes, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { webhookSecrets } from '../../platform/db/schema/events.ts'
import { build, columns, from, indexedBy, named, prepared, type Statement, statement } from '../../platform/db/sql.ts'
import { eventKeys, isActive, isOfEvent } from '../history/outbox-store.ts'
import type { WorkflowPath } from './definition.ts'
import { PROCESS, TASK, WEBHOOK, WORKFLOW } from './kind.ts'
import type { ProcessStatus, RunProcess, RunTask, TaskStatus } from './next-move.ts'
import { refusedToday, runsLeft } from './quota-store.ts'

const c = named(changes, 'c')
const task = named(entities, 'task')

export interface ListeningWorkflow {
  id: string
  triggerKey: string
  includeLoads: 0 | 1
  /** When this trigger took effect, and its change record: earlier changes do not start the workflow. */
  createdOn: number
  afterSeq: number
  /** The same for loads: the record that switched `includeLoads` on. */
  loadsAfterSeq: number
}

const isOf = (orgId: SQL.Aliased | Parameters<typeof sql>[1], kind: string) =>
  sql`${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}`

/** Of the last change record of the workflow that made it, or touched one of these. */
const lastOf = (
  column: SQL | typeof c.seq | typeof c.createdOn,
  orgId: Parameters<typeof sql>[1],
  fields: readonly string[],
) =>
  sql`SELECT ${column} FROM ${from(c)} ${indexedBy(CHANGE_INDEX.entity)} WHERE ${c.orgId} = ${orgId}
    AND ${c.entityType} = ${WORKFLOW.name} AND ${c.entityId} = ${entities.id}
    AND (${c.changeType} = 'create' OR ${sql.join(
      fields.map(field => sql`${c.detail} -> ${sql.raw(`'$.${field}'`)} IS NOT NULL`),
      sql` OR `,
    )})
    ORDER BY ${c.seq} DESC LIMIT 1`

const LISTENS_BY = ['isActive', 'triggerKey']
const HEARS_LOADS_BY = [...LISTENS_BY, 'includeLoads']

/** Which events workflows wait for, without their definitions. */
const readListening = prepared<{ orgId: string; keys: string }, ListeningWorkflow>(
  ({ orgId, keys }) => sql`SELECT ${columns(entities, ['id', 'triggerKey'])},
      coalesce(${entities.data} ->> '$.includeLoads', 0) AS "includeLoads",
      coalesce((${lastOf(c.createdOn, orgId, LISTENS_BY)}), ${entities.createdOn}) AS "createdOn",
      coalesce((${lastOf(c.seq, orgId, LISTENS_BY)}), 0) AS "afterSeq",
      coalesce((${lastOf(c.seq, orgId, HEARS_LOADS_BY)}), 0) AS "loadsAfterSeq"
    FROM ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
    WHERE ${isOf(orgId, WORKFLOW.name)} AND ${isOfEvent(keys)} AND ${isActive(entities)}`,
)

export const listeningWorkflows = (orgId: string) => readListening({ orgId, keys: JSON.stringify(eventKeys()) })

export interface DefinedWorkflow {
  id: string
  name: string | null
  paths: WorkflowPath[]
}

function definedOf(row: EntityRow): DefinedWorkflow {
  const { name = null, paths = [] } = JSON.parse(row.data) as { name?: string | null; paths?: WorkflowPath[] }
  return { id: row.id, name, paths }
}

const triggeredBy = prepared<{ orgId: string; key: string }, StoredRow>(
  ({ orgId, key }) => sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
    WHERE ${isOf(orgId, WORKFLOW.name)} AND ${entities.triggerKey} = ${key} AND ${isActive(entities)} ORDER BY ${entities.seq}`,
)

export async function workflowsTriggeredBy(db: Database, orgId: string, key: string): Promise<DefinedWorkflow[]> {
  return (await db.all(triggeredBy({ orgId, key }))).map(definedOf)
}

const withIds = prepared<{ orgId: string; ids: string }, StoredRow>(
  ({ orgId, ids }) => sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${isOf(orgId, WORKFLOW.name)} AND ${entities.id} IN (SELECT value FROM json_each(${ids}))`,
)

export async function workflowsWithIds(
  db: Database,
  orgId: string,
  ids: readonly string[],
): Promise<DefinedWorkflow[]> {
  return (await db.all(withIds({ orgId, ids: JSON.stringify(ids) }))).map(definedOf)
}

const sizesOf = prepared<{ orgId: string; ids: string }, { id: string; size: number }>(
  ({ orgId, ids }) => sql`SELECT ${columns(entities, ['id'])}, octet_length(${entities.data}) AS size
    FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${isOf(orgId, WORKFLOW.name)} AND ${entities.id} IN (SELECT value FROM json_each(${ids}))`,
)

/** What is to be known of workflows before their runs begin: how large they are, which are refused today, and how many runs are left. */
export async function beginningsOf(db: Database, orgId: string, ids: readonly string[], now: number) {
  const [sizes, refused, runs] = await db.batch([
    sizesOf({ orgId, ids: JSON.stringify(ids) }),
    refusedToday(orgId, PROCESS.name, ids, now),
    runsLeft(orgId, PROCESS.name, now),
  ])
  const { left = 0, most = 0 } = runs.results[0] ?? {}
  return {
    sizes: sizes.results.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    refused: new Set(refused.results.map(({ federatedId }) => federatedId)),
    left,
    most,
  }
}

export interface Run {
  process: RunProcess
  tasks: RunTask[]
}

const readProcess = prepared<{ orgId: string; processId: string }, StoredRow>(
  ({ orgId, processId }) => sql`SELECT ${rowColumns()} FROM ${entities}
    WHERE ${entities.id} = ${processId} AND ${isOf(orgId, PROCESS.name)}`,
)

const readTasks = prepared<{ orgId: string; processId: string }, StoredRow>(
  ({ orgId, processId }) => sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.processId)}
    WHERE ${isOf(orgId, TASK.name)} AND ${entities.processId} = ${processId}`,
)

export async function readRun(db: Database, orgId: string, processId: string): Promise<Run | undefined> {
  const [processes, tasks] = await db.batch([readProcess({ orgId, processId }), readTasks({ orgId, processId })])
  const [process] = processes.results
  return process && { process: processOf(process), tasks: tasks.results.map(taskOf) }
}

export function processOf(row: EntityRow): RunProcess {
  const data = JSON.parse(row.data) as Record<string, unknown>
  return {
    id: row.id,
    version: row.version,
    status: data.status as ProcessStatus,
    triggerEvent: (data.triggerEvent ?? {}) as Record<string, unknown>,
    depth: Number(data.depth ?? 1),
  }
}

const timeOf = (text: unknown) => (typeof text === 'string' ? Date.parse(text) : null)

export function taskOf(row: EntityRow): RunTask {
  const data = JSON.parse(row.data) as Record<string, unknown>
  return {
    id: row.id,
    version: row.version,
    name: String(data.name ?? ''),
    position: Number(data.position ?? 0),
    status: data.status as TaskStatus,
    action: data.action as RunTask['action'],
    async: data.async === true,
    config: (data.config ?? {}) as Record<string, unknown>,
    timeoutSeconds: (data.timeoutSeconds as number | undefined) ?? null,
    output: (data.output ?? {}) as Record<string, unknown>,
    logs: (data.logs ?? []) as string[],
    attempts: Number(data.attempts ?? 0),
    startedOn: timeOf(data.startedOn),
    dueOn: timeOf(data.dueOn),
  }
}

export function insertWebhookSecret(row: typeof webhookSecrets.$inferInsert): Statement {
  return statement(build.insert(webhookSecrets).values(row))
}

type StandingValues = { orgId: string; movedBefore: number; dueBefore: string; limit: number }

/** Runs that have not moved for a while although nothing outside holds them up, and none of their tasks has a time to come. */
export const standingRuns = prepared<StandingValues, { id: string }>(
  ({ orgId, movedBefore, dueBefore, limit }) => sql`SELECT ${columns(entities, ['id'])}
    FROM ${entities} ${indexedBy(ENTITY_INDEX.status)}
    WHERE ${isOf(orgId, PROCESS.name)} AND ${entities.status} IN ('pending', 'active') AND ${entities.updatedOn} < ${movedBefore}
      AND NOT EXISTS (SELECT 1 FROM ${from(task)} ${indexedBy(ENTITY_INDEX.processId)} WHERE ${task.orgId} = ${orgId}
        AND ${task.kind} = ${TASK.name} AND ${task.processId} = ${entities.id} AND ${task.status} = 'active'
        AND ${task.data} ->> '$.dueOn' >= ${dueBefore})
    LIMIT ${limit}`,
)

const e = named(entities, 'e')

const findWebhook = prepared<{ orgId: string; digest: string }, { id: string }>(
  ({ orgId, digest }) => sql`SELECT ${columns(e, ['id'])} FROM ${webhookSecrets}
    JOIN ${from(e)} ON ${e.id} = ${webhookSecrets.webhookId} AND ${e.orgId} = ${orgId} AND ${e.kind} = ${WEBHOOK.name}
    WHERE ${webhookSecrets.digest} = ${digest} AND ${webhookSecrets.orgId} = ${orgId} AND ${isActive(e)}`,
)

/** The webhook of a secret, where it is still there and active. */
export async function webhookOf(db: Database, orgId: string, digest: string): Promise<string | undefined> {
  return (await db.first(findWebhook({ orgId, digest })))?.id
}
