// The table of loads: what each remembers, and the guard that lets a step through only once.
import type { Database, Statement } from '../../../platform/db/client.ts'
import type { LoadState } from '../state.ts'

export interface Load {
  id: string
  orgId: string
  step: number
  attempts: number
  touchedOn: number
  isCancelled: boolean
  state: LoadState
}

function loadOf(row: Record<string, unknown>): Load {
  return {
    id: String(row.id),
    orgId: String(row.org_id),
    step: Number(row.step),
    attempts: Number(row.attempts),
    touchedOn: Number(row.touched_on),
    isCancelled: row.is_cancelled === 1,
    state: JSON.parse(String(row.state)) as LoadState,
  }
}

export function insertLoad(id: string, orgId: string, state: LoadState, now: number): Statement {
  return {
    sql: `INSERT INTO loads (id, org_id, step, attempts, is_cancelled, state, touched_on) VALUES (?1, ?2, 0, 0, 0, ?3, ?4)`,
    params: [id, orgId, JSON.stringify(state), now],
  }
}

/** The load whose turn it is; the look itself is counted as an attempt. */
export async function takeFirst(db: Database, orgId: string): Promise<Load | undefined> {
  const [taken] = await db.batch([
    {
      sql: `UPDATE loads SET attempts = attempts + 1 WHERE seq = (SELECT min(seq) FROM loads WHERE org_id = ?1)
        RETURNING id, org_id, step, attempts, is_cancelled, state, touched_on`,
      params: [orgId],
    },
  ])
  const row = taken?.results[0]
  return row && loadOf(row)
}

export async function readLoad(db: Database, orgId: string, id: string): Promise<Load | undefined> {
  const [row] = await db.all({ sql: 'SELECT * FROM loads WHERE id = ?1 AND org_id = ?2', params: [id, orgId] })
  return row && loadOf(row)
}

export async function hasLoads(db: Database, orgId: string): Promise<boolean> {
  const rows = await db.all({ sql: 'SELECT 1 FROM loads WHERE org_id = ?1 LIMIT 1', params: [orgId] })
  return rows.length > 0
}

export async function organizationsWithLoads(db: Database): Promise<string[]> {
  const rows = await db.all({ sql: 'SELECT DISTINCT org_id FROM loads', params: [] })
  return rows.map(row => String(row.org_id))
}

/** Begins the message of a step that came too late. */
export const MOVED = 'load moved'

/** Fails the batch on purpose unless the load stands where this step began (N34). */
export function guard({ id, step }: Load, mayBeCancelled: boolean): Statement {
  return {
    sql: `SELECT json_extract('{}', '${MOVED}')
      WHERE NOT EXISTS (SELECT 1 FROM loads WHERE id = ?1 AND step = ?2 AND (is_cancelled = 0 OR ?3 = 1))`,
    params: [id, step, mayBeCancelled ? 1 : 0],
  }
}

export function moveOn({ id, step }: Load, state: LoadState, now: number): Statement {
  return {
    sql: 'UPDATE loads SET step = ?2 + 1, attempts = 0, state = ?3, touched_on = ?4 WHERE id = ?1 AND step = ?2',
    params: [id, step, JSON.stringify(state), now],
  }
}

/** What a step that threw adds to the attempts; a wake-up that only came too early adds one. */
export const FAILURE = 100

export function noteFailure({ id, step }: Load): Statement {
  return {
    sql: `UPDATE loads SET attempts = attempts + ${FAILURE} WHERE id = ?1 AND step = ?2`,
    params: [id, step],
  }
}

export function removeLoad(id: string): Statement {
  return { sql: 'DELETE FROM loads WHERE id = ?1', params: [id] }
}

export function cancelLoad(id: string): Statement {
  return { sql: 'UPDATE loads SET is_cancelled = 1 WHERE id = ?1 RETURNING id', params: [id] }
}

/** Removes what a load has kept, some of it at a time; true when nothing is left. */
export async function forget(db: Database, loadId: string, limit: number): Promise<boolean> {
  const results = await db.batch(
    ['load_claims', 'load_members'].map(table => ({
      sql: `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE load_id = ?1 LIMIT ?2)`,
      params: [loadId, limit],
    })),
  )
  return results.every(({ meta }) => meta.changes < limit)
}

/** Loads that are no more but have left claims or members; each id is one step along the index. */
export async function orphans(db: Database): Promise<string[]> {
  const results = await db.batch(
    ['load_claims', 'load_members'].map(table => ({
      sql: `WITH RECURSIVE ids(id) AS (SELECT min(load_id) FROM ${table}
          UNION ALL SELECT (SELECT min(load_id) FROM ${table} WHERE load_id > ids.id) FROM ids WHERE ids.id IS NOT NULL)
        SELECT id FROM ids WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM loads l WHERE l.id = ids.id) LIMIT 1000`,
      params: [],
    })),
  )
  return [...new Set(results.flatMap(({ results: rows }) => rows.map(row => String(row.id))))]
}

export interface EndedLoad {
  id: string
  orgId: string
  /** Its reports. */
  fileIds: string[]
}

export async function endedLoads(db: Database, before: number, limit: number): Promise<EndedLoad[]> {
  const rows = await db.all({
    sql: `SELECT e.id, e.org_id, e.data ->> '$.issuesFileId' AS issues, e.data ->> '$.annotatedFileId' AS annotated
      FROM clocks c CROSS JOIN entities e INDEXED BY entities_updated_on
        ON e.org_id = c.org_id AND e.kind = 'loader-process' AND e.updated_on < ?1
      WHERE e.data ->> '$.endedOn' IS NOT NULL LIMIT ?2`,
    params: [before, limit],
  })
  return rows.map(row => ({
    id: String(row.id),
    orgId: String(row.org_id),
    fileIds: [row.issues, row.annotated].flatMap(id => (id === null ? [] : [String(id)])),
  }))
}
