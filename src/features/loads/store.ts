// The tables of loads: their rows, the claims of their chunks, and how loads find the entities that exist already.
import type { Database, Statement } from '../../platform/db/client.ts'
import type { LoadState } from './state.ts'
import type { Claim, Space } from './transform/claims.ts'

export interface Load {
  id: string
  orgId: string
  step: number
  attempts: number
  isCancelled: boolean
  state: LoadState
}

function loadOf(row: Record<string, unknown>): Load {
  return {
    id: String(row.id),
    orgId: String(row.org_id),
    step: Number(row.step),
    attempts: Number(row.attempts),
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
        RETURNING id, org_id, step, attempts, is_cancelled, state`,
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

export function removeLoad(id: string): Statement {
  return { sql: 'DELETE FROM loads WHERE id = ?1', params: [id] }
}

export function cancelLoad(id: string): Statement {
  return { sql: 'UPDATE loads SET is_cancelled = 1 WHERE id = ?1 RETURNING id', params: [id] }
}

const PARAM_MAX_LENGTH = 900_000

/** Lists as JSON texts that each fit into one bound value. */
export function slices(list: readonly unknown[]): string[] {
  const texts: string[] = []
  let parts: string[] = []
  let length = 0
  for (const one of list) {
    const text = JSON.stringify(one)
    if (length > 0 && length + text.length > PARAM_MAX_LENGTH) {
      texts.push(`[${parts.join(',')}]`)
      parts = []
      length = 0
    }
    parts.push(text)
    length += text.length
  }
  if (parts.length > 0) texts.push(`[${parts.join(',')}]`)
  return texts
}

const CLAIM = `SELECT ?1 AS load_id, value ->> 0 AS space, value ->> 1 AS key, value ->> 2 AS role, value ->> 3 AS line,
  value ->> 4 AS shared, value ->> 5 AS own_line, value ->> 6 AS own_shared, value ->> 7 AS hash FROM json_each(?2)`

/** Stores the claims that are first and gives back those that others have made before. */
export async function makeClaims(db: Database, loadId: string, claims: readonly Claim[]): Promise<Claim[]> {
  const texts = slices(
    claims.map(c => [c.space, c.key, c.role, c.line, c.shared, c.ownLine, c.ownShared, c.hash] as const),
  )
  if (texts.length === 0) return []
  const insert = texts.map(text => ({
    sql: `INSERT INTO load_claims (load_id, space, key, role, line, shared, own_line, own_shared, hash) ${CLAIM} WHERE true
      ON CONFLICT (load_id, space, key) DO UPDATE SET own_line = excluded.own_line, own_shared = excluded.own_shared, hash = excluded.hash
      WHERE load_claims.own_line IS NULL AND excluded.own_line IS NOT NULL`,
    params: [loadId, text],
  }))
  const read = texts.map(text => ({
    sql: `WITH w AS (${CLAIM}) SELECT c.* FROM w CROSS JOIN load_claims c ON c.load_id = ?1 AND c.space = w.space AND c.key = w.key
      WHERE c.line <> w.line OR coalesce(c.own_line, 0) <> coalesce(w.own_line, 0)`,
    params: [loadId, text],
  }))
  const results = await db.batch([...insert, ...read])
  return results.slice(insert.length).flatMap(({ results }) => results.map(claimOf))
}

export async function readClaims(
  db: Database,
  loadId: string,
  space: Space,
  keys: readonly string[],
): Promise<Claim[]> {
  const results = await db.batch(
    slices(keys).map(text => ({
      sql: `SELECT c.* FROM json_each(?3) k CROSS JOIN load_claims c ON c.load_id = ?1 AND c.space = ?2 AND c.key = k.value`,
      params: [loadId, space, text],
    })),
  )
  return results.flatMap(({ results }) => results.map(claimOf))
}

export async function claimsAfter(
  db: Database,
  loadId: string,
  space: Space,
  after: string,
  limit: number,
): Promise<Claim[]> {
  const rows = await db.all({
    sql: 'SELECT * FROM load_claims WHERE load_id = ?1 AND space = ?2 AND key > ?3 ORDER BY key LIMIT ?4',
    params: [loadId, space, after, limit],
  })
  return rows.map(claimOf)
}

function claimOf(row: Record<string, unknown>): Claim {
  return {
    space: String(row.space) as Space,
    key: String(row.key),
    role: row.role === 'family' ? 'family' : 'option',
    line: Number(row.line),
    shared: String(row.shared),
    ownLine: row.own_line === null ? null : Number(row.own_line),
    ownShared: String(row.own_shared),
    hash: String(row.hash),
  }
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
