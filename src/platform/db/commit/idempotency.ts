// A POST under an Idempotency-Key (N18): the claim and the rows it wrote go into the same batch as the writes, so that
// no crash and no simultaneous repeat can come between them. A repeat gets the rows of the first time back.

import { sql } from 'drizzle-orm'
import type { Context, Idempotency } from '../../context.ts'
import { Fault, isRefusal } from '../../errors.ts'
import { IDEMPOTENCY_KEPT_MS } from '../../limits.ts'
import type { Database } from '../client.ts'
import { KEPT_PIECE_BYTES } from '../limits.ts'
import { type EntityRow, rowAsJson } from '../row.ts'
import { entities, idempotency, idempotencyRows } from '../schema/entities.ts'
import { columns, from, type Given, insertInto, named, prepared, type Statement } from '../sql.ts'

type ClaimValues = { credentialId: string; key: string; orgId: string }

const c = named(idempotency, 'c')
const isOf = (table: typeof idempotency | typeof idempotencyRows, { credentialId, key, orgId }: Given<ClaimValues>) =>
  sql`${table.credentialId} = ${credentialId} AND ${table.key} = ${key} AND ${table.orgId} = ${orgId}`

const forgetExpired = (table: typeof idempotency | typeof idempotencyRows) =>
  prepared<ClaimValues & { expired: number }>(
    given => sql`DELETE FROM ${table} WHERE ${isOf(table, given)} AND EXISTS (
      SELECT 1 FROM ${from(c)} WHERE ${isOf(c, given)} AND ${c.createdOn} <= ${given.expired})`,
  )

const forgetRows = forgetExpired(idempotencyRows)
const forgetClaim = forgetExpired(idempotency)
const insertClaim = prepared<ClaimValues & { digest: string; now: number }>(
  ({ credentialId, key, orgId, digest, now }) => sql`
    ${insertInto(idempotency, ['credentialId', 'key', 'orgId', 'digest', 'createdOn'])}
    VALUES (${credentialId}, ${key}, ${orgId}, ${digest}, ${now})`,
)

export function claimStatements({ credentialId, key, digest }: Idempotency, orgId: string, now: number): Statement[] {
  const expired = { credentialId, key, orgId, expired: now - IDEMPOTENCY_KEPT_MS }
  return [forgetRows(expired), forgetClaim(expired), insertClaim({ credentialId, key, orgId, digest, now })]
}

const e = named(entities, 'e')
const x = named(entities, 'x')

const number = (value: number) => sql.raw(String(value))

/** What a kept row takes beside its data, and more pieces than a slice of writes can have. */
const KEPT_OVERHEAD_BYTES = 300
const SLICE_MAX_PIECES = 100_000

// An update may be small and its entity large: what was written is divided by what is stored. Quotes and backslashes double in
// a piece, and its last entity may go beyond it.
const keepRows = prepared<ClaimValues & { slice: number; ids: string }>(
  ({ credentialId, key, slice, orgId, ids }) => sql`
    ${insertInto(idempotencyRows, ['credentialId', 'key', 'slice', 'orgId', 'rows'])}
    SELECT ${credentialId}, ${key}, ${slice} * ${number(SLICE_MAX_PIECES)} + p.piece, ${orgId}, json_group_array(${rowAsJson(e)} ORDER BY p.at)
    FROM (SELECT at, seq, (bytes - size) / ${number(KEPT_PIECE_BYTES)} AS piece FROM (
      SELECT *, sum(size) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT w.key AS at, ${x.seq} AS seq, octet_length(${x.data}) + ${number(KEPT_OVERHEAD_BYTES)} AS size
        FROM json_each(${ids}) w CROSS JOIN ${from(x)} ON ${x.id} = w.value WHERE ${x.orgId} = ${orgId}))) p
    CROSS JOIN ${from(e)} ON ${e.seq} = p.seq AND ${e.orgId} = ${orgId} GROUP BY p.piece`,
)

/** Keeps what a slice has written, in pieces, in the order of its ids. */
export function keepStatement(
  { credentialId, key }: Idempotency,
  orgId: string,
  slice: number,
  ids: string[],
): Statement {
  return keepRows({ credentialId, key, slice, orgId, ids: JSON.stringify(ids) })
}

export function isClaimed(error: unknown): boolean {
  return error instanceof Error && error.message.includes('UNIQUE constraint failed: idempotency.')
}

const readClaim = prepared<ClaimValues, { digest: string }>(
  given => sql`SELECT ${columns(idempotency, ['digest'])} FROM ${idempotency} WHERE ${isOf(idempotency, given)}`,
)
const readRows = prepared<ClaimValues, { rows: string }>(
  given => sql`SELECT ${columns(idempotencyRows, ['rows'])} FROM ${idempotencyRows}
    WHERE ${isOf(idempotencyRows, given)} ORDER BY ${idempotencyRows.slice}`,
)
const readClaimTime = prepared<ClaimValues, { createdOn: number }>(
  given => sql`SELECT ${columns(idempotency, ['createdOn'])} FROM ${idempotency} WHERE ${isOf(idempotency, given)}`,
)

/** The rows that were kept under the key; undefined where it was not used yet, or too long ago. */
export async function claimedRows(db: Database, orgId: string, claim: Idempotency): Promise<EntityRow[] | undefined> {
  const { credentialId, key } = claim
  const held = await db.first(readClaimTime({ credentialId, key, orgId }))
  const isKept = held && held.createdOn > Date.now() - IDEMPOTENCY_KEPT_MS
  return isKept ? keptRows(db, orgId, claim) : undefined
}

export async function keptRows(
  db: Database,
  orgId: string,
  { credentialId, key, digest }: Idempotency,
): Promise<EntityRow[]> {
  const [claim, kept] = await db.batch([
    readClaim({ credentialId, key, orgId }),
    readRows({ credentialId, key, orgId }),
  ])
  if (claim.results[0]?.digest !== digest) {
    throw new Fault('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  }
  return kept.results.flatMap(({ rows }) => JSON.parse(rows) as EntityRow[])
}

/**
 * Before anything is committed, what has changed since may stand against a repeat, such as other types, or a file that is gone:
 * what the first request has done is its answer all the same.
 */
export async function orKept<T>(
  { db, org, idempotency: claim, isDryRun }: Pick<Context, 'db' | 'org' | 'idempotency' | 'isDryRun'>,
  work: () => Promise<T>,
  answer: (rows: EntityRow[]) => T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const kept = claim && !isDryRun && isRefusal(error) ? await claimedRows(db, org.id, claim) : undefined
    if (!kept) throw error
    return answer(kept)
  }
}

const SWEPT_ROWS = 2000

const sweepOf = (table: typeof idempotency | typeof idempotencyRows) =>
  prepared<{ expired: number }>(
    ({ expired }) => sql`DELETE FROM ${table} WHERE (${table.credentialId}, ${table.key}) IN (
      SELECT ${c.credentialId}, ${c.key} FROM ${from(c)} WHERE ${c.createdOn} <= ${expired}
      ORDER BY ${c.createdOn} LIMIT ${sql.raw(String(SWEPT_ROWS))})`,
  )
const sweepRows = sweepOf(idempotencyRows)
const sweepClaims = sweepOf(idempotency)

/** Forgets claims that are too old to be repeated. */
export async function sweepIdempotency(db: Database, now: number): Promise<void> {
  const expired = { expired: now - IDEMPOTENCY_KEPT_MS }
  for (;;) {
    const [, claims] = await db.batch([sweepRows(expired), sweepClaims(expired)])
    if (claims.meta.changes < SWEPT_ROWS) return
  }
}
