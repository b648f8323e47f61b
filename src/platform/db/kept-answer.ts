// The answer to a POST under an Idempotency-Key whose work is more than one commit, or none (N64): a claim before the work,
// the answer after it. Work that is one commit is claimed by that commit instead; see commit/idempotency.ts.
import { and, eq, exists, lte, notExists, or, sql } from 'drizzle-orm'
import type { Idempotency } from '../context.ts'
import type { Env } from '../env.ts'
import { Fault } from '../errors.ts'
import { ANSWER_LEASE_MS, ANSWER_LOOK_MS, ANSWER_WAIT_MS, IDEMPOTENCY_KEPT_MS } from '../limits.ts'
import { type Database, databaseFor, directory } from './client.ts'
import { idempotency, idempotencyRows } from './schema/entities.ts'
import { build, statement } from './sql.ts'

/** Does the work once for each claim; a repeat gets the first answer, a simultaneous one waits for it. Faults are not kept. */
export async function answerOnce<T>(
  { env, orgId }: { env: Env; orgId: string },
  claim: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!claim) return work()
  const started = Date.now()
  const db = claimsOf(env, orgId, null)
  for (;;) {
    const held = await take(db, orgId, claim)
    if ('mine' in held) return keeping(claimsOf(env, orgId), orgId, claim, held.mine, work)
    if (held.digest !== claim.digest) throw reused()
    if (held.answer !== null) return JSON.parse(held.answer) as T
    if (Date.now() - started > ANSWER_WAIT_MS) throw underWay()
    await scheduler.wait(ANSWER_LOOK_MS)
  }
}

export function reused(): Fault {
  return new Fault('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
}

function underWay(): Fault {
  return new Fault('unavailable', 'The first request under this Idempotency-Key has not ended yet.', {
    headers: { 'Retry-After': '1' },
  })
}

/** Where the claims of its commits are: one key serves for one request of an organization. */
const claimsOf = (env: Env, orgId: string, bookmark?: null): Database =>
  orgId === '' ? directory(env) : databaseFor(env, orgId, bookmark)

const isOf = (table: typeof idempotency | typeof idempotencyRows, orgId: string, { credentialId, key }: Idempotency) =>
  and(eq(table.credentialId, credentialId), eq(table.key, key), eq(table.orgId, orgId))

const ownClaim = (orgId: string, claim: Idempotency) => isOf(idempotency, orgId, claim)

const ownRows = (orgId: string, claim: Idempotency) => isOf(idempotencyRows, orgId, claim)

const isUnanswered = (orgId: string, claim: Idempotency) =>
  notExists(build.select({ key: idempotencyRows.key }).from(idempotencyRows).where(ownRows(orgId, claim)))

/**
 * Puts the claim down where there is none, or only one that is too old, or whose maker died before it answered. `mine`: the time
 * that it was put down with.
 */
async function take(
  db: Database,
  orgId: string,
  claim: Idempotency,
): Promise<{ mine: number } | { digest: string; answer: string | null }> {
  const now = Date.now()
  const { credentialId, key, digest } = claim
  const isExpired = lte(idempotency.createdOn, now - IDEMPOTENCY_KEPT_MS)
  const isAbandoned = and(lte(idempotency.createdOn, now - ANSWER_LEASE_MS), isUnanswered(orgId, claim))
  const expired = build
    .select({ key: idempotency.key })
    .from(idempotency)
    .where(and(ownClaim(orgId, claim), isExpired))
  const [, , inserted, kept] = await db.batch([
    statement(build.delete(idempotencyRows).where(and(ownRows(orgId, claim), exists(expired)))),
    statement(build.delete(idempotency).where(and(ownClaim(orgId, claim), or(isExpired, isAbandoned)))),
    statement(
      build.insert(idempotency).values({ credentialId, key, orgId, digest, createdOn: now }).onConflictDoNothing(),
    ),
    statement(
      build
        .select({
          digest: sql<string>`${idempotency.digest}`.as('digest'),
          answer: sql<string | null>`${idempotencyRows.rows}`.as('answer'),
        })
        .from(idempotency)
        .leftJoin(idempotencyRows, and(ownRows(orgId, claim), eq(idempotencyRows.slice, 0)))
        .where(ownClaim(orgId, claim)),
    ),
  ])
  const [held] = kept.results
  return inserted.meta.changes > 0 || !held ? { mine: now } : held
}

async function keeping<T>(
  db: Database,
  orgId: string,
  claim: Idempotency,
  claimedOn: number,
  work: () => Promise<T>,
): Promise<T> {
  const { credentialId, key } = claim
  try {
    const answer = await work()
    const row = { credentialId, key, slice: 0, orgId, rows: JSON.stringify(answer) }
    await db.batch([statement(build.insert(idempotencyRows).values(row).onConflictDoNothing())])
    return answer
  } catch (error) {
    // Work that took long may have lost its claim to a repeat: that one's stays.
    const own = and(ownClaim(orgId, claim), eq(idempotency.createdOn, claimedOn), isUnanswered(orgId, claim))
    await db.batch([statement(build.delete(idempotency).where(own))])
    throw error
  }
}
