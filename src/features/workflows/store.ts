// Reads workflows, runs and tasks; statements around their writing. Decides nothing.
import type { Database, Statement } from '../../platform/db/client.ts'
import type { EntityRow } from '../../platform/db/row.ts'

const ROW_COLUMNS =
  'seq, id, org_id AS "orgId", kind, version, created_on AS "createdOn", updated_on AS "updatedOn", created_by_id AS "createdById", updated_by_id AS "updatedById", data'

import type { WorkflowPath } from './definition.ts'
import type { ProcessStatus, RunProcess, RunTask, TaskStatus } from './next-move.ts'

const rows = (result: D1Result<Record<string, unknown>> | undefined) =>
  (result?.results ?? []) as unknown as EntityRow[]

export interface ListeningWorkflow {
  id: string
  triggerKey: string
  includeLoads: boolean
  createdOn: number
}

const IS_ACTIVE = "coalesce(data ->> '$.isActive', 1) <> 0"

/** Which events workflows wait for, without their definitions. */
export function listeningStatement(orgId: string): Statement {
  return {
    sql: `SELECT id, trigger_key AS triggerKey, coalesce(data ->> '$.includeLoads', 0) AS includeLoads, created_on AS createdOn
      FROM entities INDEXED BY entities_trigger_key
      WHERE org_id = ?1 AND kind = 'event-workflow' AND trigger_key IS NOT NULL AND trigger_key LIKE '%|%' AND ${IS_ACTIVE}`,
    params: [orgId],
  }
}

export interface DefinedWorkflow {
  id: string
  name: string | null
  paths: WorkflowPath[]
}

function definedOf(row: EntityRow): DefinedWorkflow {
  const { name = null, paths = [] } = JSON.parse(row.data) as { name?: string | null; paths?: WorkflowPath[] }
  return { id: row.id, name, paths }
}

export async function workflowsTriggeredBy(db: Database, orgId: string, key: string): Promise<DefinedWorkflow[]> {
  const [found] = await db.batch([
    {
      sql: `SELECT ${ROW_COLUMNS} FROM entities INDEXED BY entities_trigger_key
        WHERE org_id = ?1 AND kind = 'event-workflow' AND trigger_key = ?2 AND ${IS_ACTIVE} ORDER BY seq`,
      params: [orgId, key],
    },
  ])
  return rows(found).map(definedOf)
}

export async function workflowsWithIds(db: Database, orgId: string, ids: readonly string[]) {
  const [found] = await db.batch([
    {
      sql: `SELECT ${ROW_COLUMNS} FROM entities
        WHERE org_id = ?1 AND kind = 'event-workflow' AND id IN (SELECT value FROM json_each(?2))`,
      params: [orgId, JSON.stringify(ids)],
    },
  ])
  return new Map(rows(found).map(row => [row.id, definedOf(row)]))
}

export interface Run {
  process: RunProcess
  tasks: RunTask[]
}

export async function readRun(db: Database, orgId: string, processId: string): Promise<Run | undefined> {
  const [processes, tasks] = await db.batch([
    {
      sql: `SELECT ${ROW_COLUMNS} FROM entities WHERE id = ?2 AND org_id = ?1 AND kind = 'event-workflow-process'`,
      params: [orgId, processId],
    },
    {
      sql: `SELECT ${ROW_COLUMNS} FROM entities INDEXED BY entities_process_id
        WHERE org_id = ?1 AND kind = 'event-workflow-task' AND process_id = ?2`,
      params: [orgId, processId],
    },
  ])
  const [process] = rows(processes)
  return process && { process: processOf(process), tasks: rows(tasks).map(taskOf) }
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

export function webhookSecretStatement(digest: string, orgId: string, webhookId: string, now: number): Statement {
  return {
    sql: 'INSERT INTO webhook_secrets (digest, org_id, webhook_id, created_on) VALUES (?1, ?2, ?3, ?4)',
    params: [digest, orgId, webhookId, now],
  }
}

/** Runs that have not moved for a while although nothing outside holds them up. */
export function standingStatement(orgId: string, movedBefore: number, limit: number): Statement {
  return {
    sql: `SELECT id FROM entities INDEXED BY entities_status
      WHERE org_id = ?1 AND kind = 'event-workflow-process' AND status IN ('pending', 'active') AND updated_on < ?2 LIMIT ?3`,
    params: [orgId, movedBefore, limit],
  }
}

/** Whether anything of the organization still needs looking after. */
export async function hasUnfinished(db: Database, orgId: string): Promise<boolean> {
  const [found] = await db.all({
    sql: `SELECT EXISTS (SELECT 1 FROM clocks WHERE org_id = ?1 AND heard_seq IS NOT NULL)
      OR EXISTS (SELECT 1 FROM entities INDEXED BY entities_status
        WHERE org_id = ?1 AND kind = 'event-workflow-process' AND status IN ('pending', 'active'))
      OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due WHERE org_id = ?1 AND status = 'pending') AS unfinished`,
    params: [orgId],
  })
  return found?.unfinished === 1
}

/** The webhook of a secret, where it is still there and active. */
export async function webhookOf(db: Database, orgId: string, digest: string): Promise<string | undefined> {
  const [found] = await db.all({
    sql: `SELECT e.id FROM webhook_secrets s JOIN entities e ON e.id = s.webhook_id AND e.org_id = s.org_id AND e.kind = 'webhook'
      WHERE s.digest = ?1 AND s.org_id = ?2 AND ${IS_ACTIVE.replace('data', 'e.data')}`,
    params: [digest, orgId],
  })
  return found && String(found.id)
}
