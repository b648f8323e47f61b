// People, their memberships and what guards their passwords. Answers rows, decides nothing.
import { and, eq, gt, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Env } from '../../env.ts'
import { directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { attempts, audit, invitations, tickets } from '../../platform/db/schema/people.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import { type CredentialRow, endOfPerson } from '../auth/store.ts'

export type UserRow = typeof users.$inferSelect
export type OrgRow = typeof orgs.$inferSelect
export type MembershipRow = typeof memberships.$inferSelect
export type Role = MembershipRow['role']

/** Counts an attempt, unless the account is closed. `waitsMs` holds the wait for each number of failures. */
export async function takeAttempt(
  env: Env,
  account: string,
  now: number,
  waitsMs: readonly number[],
  memoryMs: number,
): Promise<{ isOpen: boolean; closedUntil: number }> {
  const db = directory(env)
  const failures = sql`CASE WHEN ${attempts.lastOn} < ${now - memoryMs} THEN 1 ELSE ${attempts.failures} + 1 END`
  const wait = sql`${JSON.stringify(waitsMs)} ->> ('$[' || min(${failures}, ${waitsMs.length - 1}) || ']')`
  const [taken, [row]] = await db.batch([
    db
      .insert(attempts)
      .values({ account, failures: 1, lastOn: now, closedUntil: now + (waitsMs[1] ?? 0) })
      .onConflictDoUpdate({
        target: attempts.account,
        set: { failures, lastOn: now, closedUntil: sql`${now} + (${wait})` },
        setWhere: lte(attempts.closedUntil, now),
      })
      .returning({ account: attempts.account }),
    db.select({ closedUntil: attempts.closedUntil }).from(attempts).where(eq(attempts.account, account)),
  ])
  return { isOpen: taken.length === 1, closedUntil: row?.closedUntil ?? now }
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

export async function insertSession(env: Env, row: CredentialRow, event: AuditRow, account: string): Promise<void> {
  const db = directory(env)
  await db.batch([
    db.insert(credentials).values(row),
    auditIfChanged(db, event),
    db.delete(attempts).where(eq(attempts.account, account)),
  ])
}

export interface PasswordChange {
  membership: MembershipRow
  passwordHash: string
  account: string
  now: number
}

const isResetOf = ({ orgId, userId }: Pick<MembershipRow, 'orgId' | 'userId'>) =>
  and(eq(tickets.kind, 'password-reset'), eq(tickets.orgId, orgId), eq(tickets.userId, userId))

/** False where the password has changed meanwhile. Ends the person's sessions here but the one that asks. */
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
    endOfPerson(db, { userId, orgId, kinds: ['session'], except: sessionId }, now),
    db.delete(tickets).where(isResetOf(membership)),
    db.delete(attempts).where(eq(attempts.account, account)),
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

/** False where the reset has been used meanwhile. Ends all sessions of the person here. */
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
    endOfPerson(db, { userId, orgId, kinds: ['session'] }, now),
    db.delete(attempts).where(eq(attempts.account, account)),
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
    remove(audit, lte(audit.createdOn, cutoffs.audit)),
    remove(users, and(lte(users.createdOn, cutoffs.users), notExists(ofUser))),
  ])
  return results.reduce((sum, result) => sum + result.meta.changes, 0)
}
