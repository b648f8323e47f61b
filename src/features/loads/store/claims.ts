// The claims of a load's chunks: see transform/claims.ts.
import type { Database } from '../../../platform/db/client.ts'
import type { Claim, Space } from '../transform/claims.ts'
import { slices } from './slices.ts'

const CLAIM = `SELECT ?1 AS load_id, value ->> 0 AS space, value ->> 1 AS key, value ->> 2 AS role, value ->> 3 AS line,
  value ->> 4 AS shared, value ->> 5 AS own_line, value ->> 6 AS own_shared, value ->> 7 AS hash FROM json_each(?2)`

/** Stores the claims that are first and gives back those that others have made before. */
export async function makeClaims(db: Database, loadId: string, claims: readonly Claim[]): Promise<Claim[]> {
  const texts = slices(
    claims.map(c => [c.space, c.key, c.role, c.line, c.shared, c.ownLine, c.ownShared, c.hash] as const),
  )
  if (texts.length === 0) return []
  const insert = (onConflict: string) =>
    texts.map(text => ({
      sql: `INSERT INTO load_claims (load_id, space, key, role, line, shared, own_line, own_shared, hash) ${CLAIM} WHERE true
        ON CONFLICT (load_id, space, key) ${onConflict}`,
      params: [loadId, text],
    }))
  const written = await db.batch(insert('DO NOTHING'))
  // Where every claim was new, there is no other to look for.
  if (written.reduce((sum, { meta }) => sum + meta.changes, 0) === claims.length) return []
  const own = insert(`DO UPDATE SET own_line = excluded.own_line, own_shared = excluded.own_shared, hash = excluded.hash
    WHERE load_claims.own_line IS NULL AND excluded.own_line IS NOT NULL`)
  const read = texts.map(text => ({
    sql: `WITH w AS (${CLAIM}) SELECT c.* FROM w CROSS JOIN load_claims c ON c.load_id = ?1 AND c.space = w.space AND c.key = w.key
      WHERE c.line <> w.line OR coalesce(c.own_line, 0) <> coalesce(w.own_line, 0)`,
    params: [loadId, text],
  }))
  const results = await db.batch([...own, ...read])
  return results.slice(own.length).flatMap(({ results }) => results.map(claimOf))
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
  role: Claim['role'],
  after: string,
  limit: number,
): Promise<Claim[]> {
  const rows = await db.all({
    sql: 'SELECT * FROM load_claims WHERE load_id = ?1 AND space = ?2 AND key > ?3 AND role = ?5 ORDER BY key LIMIT ?4',
    params: [loadId, space, after, limit, role],
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
