// People, their memberships and what guards their passwords. Answers rows, decides nothing.
import { and, eq, gt, inArray, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Env } from '../../env.ts'
import { type Directory, directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { attempts, audit, invitations, tickets } from '../../platform/db/schema/people.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged, outdatedLines } from '../audit/store.ts'
import { type CredentialRow, endOfPerson } from '../auth/store.ts'
import type { OrgRow } from '../organizations/store.ts'

export type UserRow = typeof users.$inferSelect
export type MembershipRow = typeof memberships.$inferSelect
export type Role = MembershipRow['role']

/** What attempts are counted under: digests, so that the table tells of nobody. */
export interface Account {
  everywhere: string
  here: string
  /** Stands in the table where somebody has signed in to the account from this address. */
  known: string
}

interface Waits {
  here: readonly number[]
  everywhere: readonly number[]
}

/**
 * Counts an attempt, unless the account is closed here, or everywhere to addresses that it does not know. `waits` hold the wait
 * for each number of failures.
 */
export async function takeAttempt(
  env: Env,
  account: Account,
  now: number,
  waits: Waits,
  memoryMs: number,
): Promise<{ isOpen: boolean; closedUntil: number }> {
  const db = directory(env)
  const failures = sql`CASE WHEN ${attempts.lastOn} < ${now - memoryMs} THEN 1 ELSE ${attempts.failures} + 1 END`
  const wait = (list: readonly number[]) =>
    sql`${JSON.stringify(list)} ->> ('$[' || min(${failures}, ${list.length - 1}) || ']')`
  const counted = (list: readonly number[]) => ({
    target: attempts.account,
    set: { failures, lastOn: now, closedUntil: sql`${now} + (${wait(list)})` },
    setWhere: lte(attempts.closedUntil, now),
  })
  const firstFailure = (name: string) => ({ account: name, failures: 1, lastOn: now, closedUntil: now })
  const row = firstFailure(account.everywhere)
  const [here, everywhere, rows] = await db.batch([
    db.insert(attempts).values(firstFailure(account.here)).onConflictDoUpdate(counted(waits.here)).returning(),
    // Behind a closed door nothing more is counted.
    db
      .insert(attempts)
      .select(
        sql`SELECT ${row.account}, ${row.failures}, ${row.lastOn}, ${row.closedUntil} WHERE changes() > 0 AND NOT EXISTS ${isKnown(db, account)}`,
      )
      .onConflictDoUpdate(counted(waits.everywhere))
      .returning(),
    db
      .select({ account: attempts.account, closedUntil: attempts.closedUntil })
      .from(attempts)
      .where(inArray(attempts.account, [account.here, account.everywhere, account.known])),
  ])
  const knowsAddress = rows.some(({ account: name }) => name === account.known)
  const counts = rows.filter(({ account: name }) => name === account.here || !knowsAddress)
  return {
    isOpen: here.length === 1 && (knowsAddress || everywhere.length === 1),
    closedUntil: Math.max(now, ...counts.map(({ closedUntil }) => closedUntil)),
  }
}

const known = alias(attempts, 'known')
const isKnown = (db: Directory, account: Account) =>
  db.select({ one: sql`1` }).from(known).where(eq(known.account, account.known))

/** Somebody has signed in from here: what failed here is forgotten, and the address is theirs for a while. */
export function welcome(db: Directory, account: Account, now: number) {
  const row = { account: account.known, failures: 0, lastOn: now, closedUntil: 0 }
  return [
    db.delete(attempts).where(eq(attempts.account, account.here)),
    // This attempt was none of the strangers'.
    db
      .update(attempts)
      .set({ failures: sql`max(0, ${attempts.failures} - 1)` })
      .where(and(eq(attempts.account, account.everywhere), notExists(isKnown(db, account)))),
    db
      .insert(attempts)
      .values(row)
      .onConflictDoUpdate({ target: attempts.account, set: { lastOn: now } }),
  ] as const
}

export interface Found {
  user: UserRow | undefined
  org: OrgRow | undefined
  membership: MembershipRow | undefined
}

/** The person of this email and the organization of this slug, whether or not they belong together. */
export async function findPerson(env: Env, email: string, orgSlug: string): Promise<Found> {
  const db = directory(env)
  const [[user], [found]] = await db.batch([
    db.select().from(users).where(eq(users.email, email)),
    db
      .select({ org: orgs, membership: memberships })
      .from(orgs)
      .leftJoin(
        memberships,
        and(
          eq(memberships.orgId, orgs.id),
          eq(memberships.userId, db.select({ id: users.id }).from(users).where(eq(users.email, email))),
        ),
      )
      .where(and(eq(orgs.slug, orgSlug), isNull(orgs.deletedOn))),
  ])
  return { user, org: found?.org, membership: found?.membership ?? undefined }
}

const isMembership = (orgId: string, userId: string) =>
  and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))

export async function findMembership(
  env: Env,
  orgId: string,
  userId: string,
): Promise<{ user: UserRow; membership: MembershipRow } | undefined> {
  const [found] = await directory(env)
    .select({ user: users, membership: memberships })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMembership(orgId, userId))
  return found
}

export async function insertSession(env: Env, row: CredentialRow, event: AuditRow, account: Account): Promise<void> {
  const db = directory(env)
  await db.batch([
    db.insert(credentials).values(row),
    auditIfChanged(db, event),
    ...welcome(db, account, row.createdOn),
  ])
}

export interface PasswordChange {
  membership: MembershipRow
  passwordHash: string
  account: Account
  now: number
}

const isResetOf = ({ orgId, userId }: Pick<MembershipRow, 'orgId' | 'userId'>) =>
  and(eq(tickets.kind, 'password-reset'), eq(tickets.orgId, orgId), eq(tickets.userId, userId))

/** False where the password has changed meanwhile. Ends the person's sessions and keys here but the session that asks (N61). */
export async function changePassword(
  env: Env,
  { membership, passwordHash, account, now }: PasswordChange,
  sessionId: string,
  event: AuditRow,
): Promise<boolean> {
  const db = directory(env)
  const { orgId, userId } = membership
  const [changed] = await db.batch([
    db
      .update(memberships)
      .set({ passwordHash })
      .where(and(isMembership(orgId, userId), eq(memberships.passwordHash, membership.passwordHash ?? '')))
      .returning({ userId: memberships.userId }),
    auditIfChanged(db, event),
    endOfPerson(db, { userId, orgId, kinds: ['session', 'user'], except: sessionId }, now),
    db.delete(tickets).where(isResetOf(membership)),
    db.delete(attempts).where(inArray(attempts.account, [account.here, account.everywhere])),
  ])
  return changed.length === 1
}

/** A new reset takes the place of those before it. */
export async function insertReset(
  env: Env,
  reset: { digest: string; orgId: string; userId: string; expiresOn: number },
  event: AuditRow,
): Promise<void> {
  const db = directory(env)
  await db.batch([
    db.delete(tickets).where(isResetOf(reset)),
    db.insert(tickets).values({ ...reset, kind: 'password-reset', detail: '{}' }),
    auditIfChanged(db, event),
  ])
}

const isReset = (digest: string, now: number) =>
  and(eq(tickets.digest, digest), eq(tickets.kind, 'password-reset'), gt(tickets.expiresOn, now))

export interface Reset {
  org: OrgRow
  user: UserRow
  membership: MembershipRow
}

export async function findReset(env: Env, digest: string, now: number): Promise<Reset | undefined> {
  const [found] = await directory(env)
    .select({ org: orgs, user: users, membership: memberships })
    .from(tickets)
    .innerJoin(orgs, and(eq(orgs.id, tickets.orgId), isNull(orgs.deletedOn)))
    .innerJoin(users, eq(users.id, tickets.userId))
    .innerJoin(memberships, and(eq(memberships.orgId, tickets.orgId), eq(memberships.userId, tickets.userId)))
    .where(isReset(digest, now))
  return found
}

/** False where the reset has been used meanwhile. Ends all sessions and keys of the person here (N61). */
export async function applyReset(
  env: Env,
  digest: string,
  { membership, passwordHash, account, now }: PasswordChange,
  event: AuditRow,
): Promise<boolean> {
  const db = directory(env)
  const { orgId, userId } = membership
  const [used] = await db.batch([
    db.delete(tickets).where(isReset(digest, now)).returning({ digest: tickets.digest }),
    db
      .update(memberships)
      .set({ passwordHash })
      .where(and(isMembership(orgId, userId), sql`changes() > 0`)),
    auditIfChanged(db, event),
    endOfPerson(db, { userId, orgId, kinds: ['session', 'user'] }, now),
    db.delete(attempts).where(inArray(attempts.account, [account.here, account.everywhere])),
  ])
  return used.length === 1
}

interface Cutoffs {
  now: number
  attempts: number
  invitations: number
  audit: number
  users: number
}

/** Removes up to `rows` rows of each table that nobody needs any more. */
export async function removeOutdated(env: Env, cutoffs: Cutoffs, rows: number): Promise<number> {
  const db = directory(env)
  const remove = (table: SQLiteTable, condition: SQL | undefined) =>
    db.delete(table).where(sql`rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${rows})`)
  const ofUser = db.select({ userId: memberships.userId }).from(memberships).where(eq(memberships.userId, users.id))
  const results = await db.batch([
    remove(credentials, and(eq(credentials.kind, 'session'), lte(credentials.expiresOn, cutoffs.now))),
    remove(tickets, lte(tickets.expiresOn, cutoffs.now)),
    remove(attempts, lte(attempts.lastOn, cutoffs.attempts)),
    remove(invitations, lte(invitations.expiresOn, cutoffs.invitations)),
    db.delete(audit).where(sql`${audit.seq} IN (${outdatedLines(cutoffs.audit, rows)})`),
    remove(users, and(lte(users.createdOn, cutoffs.users), notExists(ofUser))),
  ])
  return results.reduce((sum, result) => sum + result.meta.changes, 0)
}
