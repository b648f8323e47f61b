// What loads and reverts have under way, and what they leave behind.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { withinQuota } from '../../../platform/db/quota.ts'
import {
  clocks,
  ENTITY_INDEX,
  entities,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import { jobs } from '../../../platform/db/schema/jobs.ts'
import { loadClaims, loadMembers, loads } from '../../../platform/db/schema/loads.ts'
import { columns, from, indexedBy, named, prepared, type Statement, statement } from '../../../platform/db/sql.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { readJob } from '../../../platform/jobs/store.ts'
import type { LoadState } from '../state.ts'
import { readState } from '../stored-state.ts'

export type Load = Job<LoadState>

export async function readLoad(db: Database, orgId: string, id: string): Promise<Load | undefined> {
  const job = await readJob(db, 'organization', orgId, id)
  return job?.kind === 'load' ? { ...job, state: readState(job.state) } : undefined
}

/** Fails where too many wait or run already. */
export function oneMoreLoad(orgId: string): Statement {
  const waiting = sql`SELECT count(*) + 1 FROM ${jobs} WHERE ${jobs.orgId} = ${orgId} AND ${jobs.lane} = 'load'`
  return statement(withinQuota(orgId, 'concurrentLoads', waiting))
}

const KEPT = [loadClaims, loadMembers]

/** Removes what a load has kept, some of it at a time; true when nothing is left. */
export async function forget(db: Database, loadId: string, limit: number): Promise<boolean> {
  const results = await db.batch(
    KEPT.map(table =>
      statement(sql`DELETE FROM ${table} WHERE rowid IN (
        SELECT rowid FROM ${table} WHERE ${table.loadId} = ${loadId} LIMIT ${limit})`),
    ),
  )
  return results.every(({ meta }) => meta.changes < limit)
}

const removeAside = prepared<{ before: number; limit: number }>(
  ({ before, limit }) => sql`DELETE FROM ${unrecordedChanges} WHERE ${unrecordedChanges.seq} IN (
    SELECT ${unrecordedChanges.seq} FROM ${unrecordedChanges} ${indexedBy(UNRECORDED_INDEX.createdOn)}
    WHERE ${unrecordedChanges.createdOn} < ${before} LIMIT ${limit})`,
)

/** What was kept aside for reverts of loads that are no more. */
export async function forgetAside(db: Database, before: number, limit: number): Promise<number> {
  const [removed] = await db.batch([removeAside({ before, limit })])
  return removed.meta.changes
}

/** Loads that are no more but have left claims or members, but for ids between the two given; each id is one step along the index. */
export async function orphans(db: Database, { from, to }: { from: string; to: string }): Promise<string[]> {
  const results = await db.batch(
    KEPT.map(table =>
      statement(sql<{ id: string }>`WITH RECURSIVE ids(id) AS (SELECT min(${table.loadId}) FROM ${table}
          UNION ALL SELECT (SELECT min(${table.loadId}) FROM ${table} WHERE ${table.loadId} > ids.id) FROM ids WHERE ids.id IS NOT NULL)
        SELECT id FROM ids WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${loads} WHERE ${loads.id} = ids.id)
          AND NOT EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.id} = ids.id)
          AND NOT (id > ${from} AND id < ${to}) LIMIT 1000`),
    ),
  )
  return [...new Set(results.flatMap(({ results: rows }) => rows.map(({ id }) => id)))]
}

const readUnderWay = prepared<{ ids: string }, { id: string }>(
  ({ ids }) =>
    sql`SELECT ${columns(loads, ['id'])} FROM json_each(${ids}) i CROSS JOIN ${loads} ON ${loads.id} = i.value
      UNION ALL SELECT ${columns(jobs, ['id'])} FROM json_each(${ids}) i CROSS JOIN ${jobs} ON ${jobs.id} = i.value`,
)

/** Those of the loads and reverts that have not ended; of all organizations. */
export async function underWay(db: Database, ids: readonly string[]): Promise<string[]> {
  return (await db.all(readUnderWay({ ids: JSON.stringify(ids) }))).map(({ id }) => id)
}

export interface EndedLoad {
  id: string
  orgId: string
  kind: string
  /** Its reports, and the file that came with it. */
  fileIds: string[]
}

const e = named(entities, 'e')

const selectEnded = prepared<
  { before: number; limit: number },
  { id: string; orgId: string; kind: string; issues: string | null; annotated: string | null; own: string | null }
>(
  ({ before, limit }) => sql`SELECT ${columns(e, ['id', 'orgId', 'kind'])}, ${e.data} ->> '$.issuesFileId' AS issues,
      ${e.data} ->> '$.annotatedFileId' AS annotated,
      CASE WHEN ${e.data} ->> '$.ownsFile' THEN ${e.data} ->> '$.fileLocation' END AS own
    FROM ${clocks} CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.updatedOn)}
      ON ${e.orgId} = ${clocks.orgId} AND ${e.kind} IN ('loader-process', 'revert-process') AND ${e.updatedOn} < ${before}
    WHERE ${clocks.state} = 'open' AND ${e.data} ->> '$.endedOn' IS NOT NULL LIMIT ${limit}`,
)

export async function endedLoads(db: Database, before: number, limit: number): Promise<EndedLoad[]> {
  const rows = await db.all(selectEnded({ before, limit }))
  return rows.map(({ id, orgId, kind, issues, annotated, own }) => ({
    id,
    orgId,
    kind,
    fileIds: [issues, annotated, own].filter(fileId => fileId !== null),
  }))
}
