// A POST under an Idempotency-Key (N18): the claim and the rows it wrote go into the same batch as the writes, so that
// no crash and no simultaneous repeat can come between them. A repeat gets the rows of the first time back.
import type { Idempotency } from '../../context.ts'
import { Fault } from '../../errors.ts'
import { IDEMPOTENCY_KEPT_MS } from '../../limits.ts'
import type { Database, Statement } from '../client.ts'
import type { EntityRow } from '../row.ts'

export function claimStatements({ credentialId, key, digest }: Idempotency, orgId: string, now: number): Statement[] {
  const expired = now - IDEMPOTENCY_KEPT_MS
  return [
    ...['idempotency_rows', 'idempotency'].map(table => ({
      sql: `DELETE FROM ${table} WHERE credential_id = ?1 AND key = ?2 AND EXISTS (
        SELECT 1 FROM idempotency WHERE credential_id = ?1 AND key = ?2 AND created_on <= ?3)`,
      params: [credentialId, key, expired],
    })),
    {
      sql: 'INSERT INTO idempotency (credential_id, key, org_id, digest, created_on) VALUES (?1, ?2, ?3, ?4, ?5)',
      params: [credentialId, key, orgId, digest, now],
    },
  ]
}

/** Keeps what a slice has written, in the order of its ids. */
export function keepStatement(
  { credentialId, key }: Idempotency,
  orgId: string,
  slice: number,
  ids: string[],
): Statement {
  return {
    sql: `INSERT INTO idempotency_rows (credential_id, key, slice, org_id, rows)
      SELECT ?1, ?2, ?3, ?4, json_group_array(json_object('seq', seq, 'id', id, 'org_id', org_id, 'kind', kind, 'version', version,
        'created_on', created_on, 'updated_on', updated_on, 'created_by_id', created_by_id, 'updated_by_id', updated_by_id, 'data', data))
      FROM (SELECT e.* FROM json_each(?5) w CROSS JOIN entities e ON e.id = w.value WHERE e.org_id = ?4 ORDER BY w.key)`,
    params: [credentialId, key, slice, orgId, JSON.stringify(ids)],
  }
}

export function isClaimed(error: unknown): boolean {
  return error instanceof Error && error.message.includes('UNIQUE constraint failed: idempotency.')
}

/** The rows that were kept under the key; undefined where it was not used yet, or too long ago. */
export async function claimedRows(db: Database, claim: Idempotency): Promise<EntityRow[] | undefined> {
  const { credentialId, key } = claim
  const [held] = await db.all({
    sql: 'SELECT created_on FROM idempotency WHERE credential_id = ?1 AND key = ?2',
    params: [credentialId, key],
  })
  const isKept = held && Number(held.created_on) > Date.now() - IDEMPOTENCY_KEPT_MS
  return isKept ? keptRows(db, claim) : undefined
}

export async function keptRows(db: Database, { credentialId, key, digest }: Idempotency): Promise<EntityRow[]> {
  const [claim, rows] = await db.batch([
    { sql: 'SELECT digest FROM idempotency WHERE credential_id = ?1 AND key = ?2', params: [credentialId, key] },
    {
      sql: 'SELECT rows FROM idempotency_rows WHERE credential_id = ?1 AND key = ?2 ORDER BY slice',
      params: [credentialId, key],
    },
  ])
  if (claim?.results[0]?.digest !== digest) {
    throw new Fault('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  }
  return (rows?.results ?? []).flatMap(({ rows }) => JSON.parse(String(rows)) as EntityRow[])
}

const SWEPT_ROWS = 2000

/** Forgets claims that are too old to be repeated. */
export async function sweepIdempotency(db: Database, now: number): Promise<void> {
  const expired = `SELECT credential_id, key FROM idempotency WHERE created_on <= ?1 ORDER BY created_on LIMIT ${SWEPT_ROWS}`
  const params = [now - IDEMPOTENCY_KEPT_MS]
  for (;;) {
    const [, claims] = await db.batch([
      { sql: `DELETE FROM idempotency_rows WHERE (credential_id, key) IN (${expired})`, params },
      { sql: `DELETE FROM idempotency WHERE (credential_id, key) IN (${expired})`, params },
    ])
    if ((claims?.meta.changes ?? 0) < SWEPT_ROWS) return
  }
}
