// The claims of a load's chunks: see transform/claims.ts.
import type { Database } from '../../../platform/db/client.ts'
import { objectSlices, slices } from '../../../platform/db/json-slices.ts'
import type { Claim, Space } from '../drafts/claims.ts'

/** What `load_claims.claim` holds; SQL names the places by number. */
type Stored = [
  role: Claim['role'],
  line: number,
  shared: string,
  ownLine: number | null,
  ownShared: string,
  hash: string,
]

function storedOf({ role, line, shared, ownLine, ownShared, hash }: Claim): Stored {
  return [role, line, shared, ownLine, ownShared, hash]
}

/** Stores the claims that are first and gives back those that others have made before. */
export async function makeClaims(db: Database, loadId: string, claims: readonly Claim[]): Promise<Claim[]> {
  const spaces = [...new Set(claims.map(({ space }) => space))]
  const params = spaces.flatMap(space => {
    const some = claims.filter(claim => claim.space === space)
    return objectSlices(some.map(claim => [claim.key, storedOf(claim)] as const)).map(text => [loadId, space, text])
  })
  if (params.length === 0) return []
  const insert = (onConflict: string) =>
    params.map(bound => ({
      sql: `INSERT INTO load_claims (load_id, space, key, claim) SELECT ?1, ?2, key, value FROM json_each(?3) WHERE true
        ON CONFLICT (load_id, space, key) ${onConflict}`,
      params: bound,
    }))
  const written = await db.batch(insert('DO NOTHING'))
  // Where every claim was new, there is no other to look for.
  if (written.reduce((sum, { meta }) => sum + meta.changes, 0) === claims.length) return []
  const own = insert(`DO UPDATE SET claim = json_set(load_claims.claim,
      '$[3]', excluded.claim ->> 3, '$[4]', excluded.claim ->> 4, '$[5]', excluded.claim ->> 5)
    WHERE load_claims.claim ->> 3 IS NULL AND excluded.claim ->> 3 IS NOT NULL`)
  const read = params.map(bound => ({
    sql: `SELECT c.* FROM json_each(?3) w CROSS JOIN load_claims c ON c.load_id = ?1 AND c.space = ?2 AND c.key = w.key
      WHERE c.claim ->> 1 <> w.value ->> 1 OR coalesce(c.claim ->> 3, 0) <> coalesce(w.value ->> 3, 0)`,
    params: bound,
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
    sql: 'SELECT * FROM load_claims WHERE load_id = ?1 AND space = ?2 AND key > ?3 AND claim ->> 0 = ?5 ORDER BY key LIMIT ?4',
    params: [loadId, space, after, limit, role],
  })
  return rows.map(claimOf)
}

function claimOf(row: Record<string, unknown>): Claim {
  const [role, line, shared, ownLine, ownShared, hash] = JSON.parse(String(row.claim)) as Stored
  return { space: String(row.space) as Space, key: String(row.key), role, line, shared, ownLine, ownShared, hash }
}
