// The answer to a POST under an Idempotency-Key whose work is more than one commit, or none (N64): a claim before the work,
// the answer after it. Work that is one commit is claimed by that commit instead; see commit/idempotency.ts.
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import type { Idempotency } from '../context.ts'
import { Fault } from '../errors.ts'
import { ANSWER_LEASE_MS, ANSWER_LOOK_MS, ANSWER_WAIT_MS, IDEMPOTENCY_KEPT_MS } from '../limits.ts'
import { type Directory, storeOf } from './client.ts'
import { idempotency, idempotencyRows } from './schema/entities.ts'

/** Does the work once for each claim; a repeat gets the first answer, a simultaneous one waits for it. Faults are not kept. */
export async function answerOnce<T>(
  { env, orgId }: { env: Env; orgId: string },
  claim: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!claim) return work()
  const started = Date.now()
  // Where the claims of its commits are: one key serves for one request of an organization, whatever it does.
  const db = await storeOf(env, orgId)
  for (;;) {
    const held = await take(db, orgId, claim)
    if (held === 'mine') return keeping(db, orgId, claim, work)
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

const ownClaim = ({ credentialId, key }: Idempotency) =>
  and(eq(idempotency.credentialId, credentialId), eq(idempotency.key, key))

const ownRows = ({ credentialId, key }: Idempotency) =>
  and(eq(idempotencyRows.credentialId, credentialId), eq(idempotencyRows.key, key))

/** Puts the claim down where there is none, or only one that is too old, or whose maker died before it answered. */
async function take(
  db: Directory,
  orgId: string,
  claim: Idempotency,
): Promise<'mine' | { digest: string; answer: string | null }> {
  const now = Date.now()
  const { credentialId, key, digest } = claim
  const isExpired = lte(idempotency.createdOn, now - IDEMPOTENCY_KEPT_MS)
  const isAbandoned = and(
    lte(idempotency.createdOn, now - ANSWER_LEASE_MS),
    sql`NOT EXISTS (SELECT 1 FROM ${idempotencyRows} WHERE ${ownRows(claim)})`,
  )
  const [, , inserted, [held]] = await db.batch([
    db
      .delete(idempotencyRows)
      .where(and(ownRows(claim), sql`EXISTS (SELECT 1 FROM ${idempotency} WHERE ${and(ownClaim(claim), isExpired)})`)),
    db.delete(idempotency).where(and(ownClaim(claim), or(isExpired, isAbandoned))),
    db
      .insert(idempotency)
      .values({ credentialId, key, orgId, digest, createdOn: now })
      .onConflictDoNothing()
      .returning({ key: idempotency.key }),
    db
      .select({ digest: idempotency.digest, answer: idempotencyRows.rows })
      .from(idempotency)
      .leftJoin(idempotencyRows, and(ownRows(claim), eq(idempotencyRows.slice, 0)))
      .where(ownClaim(claim)),
  ])
  return inserted.length > 0 || !held ? 'mine' : held
}

async function keeping<T>(db: Directory, orgId: string, claim: Idempotency, work: () => Promise<T>): Promise<T> {
  const { credentialId, key } = claim
  try {
    const answer = await work()
    const rows = JSON.stringify(answer)
    await db.insert(idempotencyRows).values({ credentialId, key, slice: 0, orgId, rows }).onConflictDoNothing()
    return answer
  } catch (error) {
    const isUnanswered = isNull(db.select({ key: idempotencyRows.key }).from(idempotencyRows).where(ownRows(claim)))
    await db.delete(idempotency).where(and(ownClaim(claim), isUnanswered))
    throw error
  }
}
