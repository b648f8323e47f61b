// People, their memberships and their passwords. Answers rows, decides nothing.
import { and, eq, exists, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { attempts, audit, invitations, tickets } from '../../platform/db/schema/people.ts'
import { build, columns, type RowOf, type Statement, selection, statement, valuesOf } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged, outdatedLines } from '../audit/store.ts'
import { type CredentialRow, endOfPerson } from '../auth/store.ts'
import type { OrgRow } from '../organizations/store.ts'
import { type Account, forgetFailures, isFailure, isKnownAddress, welcome } from './attempts-store.ts'

export type UserRow = RowOf<typeof users>
export type MembershipRow = RowOf<typeof memberships>
export type Role = MembershipRow['role']

export interface Found {
  user: UserRow | undefined
  org: OrgRow | undefined
  membership: MembershipRow | undefined
}

/** The person of this email and the organization of this slug, whether or not they belong together. */
export async function findPerson(env: Env, email: string, orgSlug: string): Promise<Found> {
  const isOrg = and(eq(orgs.slug, orgSlug), isNull(orgs.deletedOn))
  const both = build
    .select(selection(memberships))
    .from(memberships)
    .innerJoin(orgs, and(eq(orgs.id, memberships.orgId), isOrg))
    .innerJoin(users, and(eq(users.id, memberships.userId), eq(users.email, email)))
  const [user, org, membership] = await directory(env).batch([
    statement(build.select(selection(users)).from(users).where(eq(users.email, email))),
    statement(build.select(selection(orgs)).from(orgs).where(isOrg)),
    statement(both),
  ])
  return { user: user.results[0], org: org.results[0], membership: membership.results[0] }
}

const isMembership = (orgId: string, userId: string) =>
  and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))

export async function findMembership(
  env: Env,
  orgId: string,
  userId: string,
): Promise<{ user: UserRow; membership: MembershipRow } | undefined> {
  const [{ results: members }, { results: people }] = await directory(env).batch([
    statement(build.select(selection(memberships)).from(memberships).where(isMembership(orgId, userId))),
    statement(build.select(selection(users)).from(users).where(eq(users.id, userId))),
  ])
  const [membership] = members
  const [user] = people
  return user && membership && { user, membership }
}

interface NewSession {
  event: AuditRow
  account: Account
  /** The hash that the membership must still have; null: it did not come by a password. */
  checked: string | null
}

/** False where the person has left, or the password has changed since it was checked. */
export async function insertSession(
  env: Env,
  row: CredentialRow,
  { event, account, checked }: NewSession,
): Promise<boolean> {
  const hasPassword = checked === null ? undefined : eq(memberships.passwordHash, checked)
  const isStill = and(isMembership(row.orgId, row.userId ?? ''), hasPassword)
  const values = build.select(valuesOf(credentials, row)).from(memberships).where(isStill)
  const [inserted] = await directory(env).batch([
    statement(build.insert(credentials).select(values)),
    auditIfChanged(event),
    ...welcome(account, row.createdOn),
  ])
  return inserted.meta.changes === 1
}

export interface PasswordChange {
  membership: MembershipRow
  passwordHash: string
  account: Account
  now: number
}

const isResetOf = ({ orgId, userId }: Pick<MembershipRow, 'orgId' | 'userId'>) =>
  and(eq(tickets.kind, 'password-reset'), eq(tickets.orgId, orgId), eq(tickets.userId, userId))

/** Within a statement behind the change: it was made, and not refused. */
function hasPassword({ orgId, userId }: MembershipRow, passwordHash: string): SQL {
  const changed = and(isMembership(orgId, userId), eq(memberships.passwordHash, passwordHash))
  return exists(build.select({ role: memberships.role }).from(memberships).where(changed))
}

/** False where the password has changed meanwhile. Ends the person's sessions and keys here but the session that asks (N61). */
export async function changePassword(
  env: Env,
  { membership, passwordHash, account, now }: PasswordChange,
  sessionId: string,
  event: AuditRow,
): Promise<boolean> {
  const { orgId, userId } = membership
  const change = build
    .update(memberships)
    .set({ passwordHash })
    .where(and(isMembership(orgId, userId), eq(memberships.passwordHash, membership.passwordHash ?? '')))
  const [changed] = await directory(env).batch([
    statement(change),
    auditIfChanged(event),
    endOfPerson(
      { userId, orgId, kinds: ['session', 'user'], except: sessionId },
      now,
      hasPassword(membership, passwordHash),
    ),
    statement(build.delete(tickets).where(and(isResetOf(membership), hasPassword(membership, passwordHash)))),
    forgetFailures(account),
  ])
  return changed.meta.changes === 1
}

/** A new reset takes the place of those before it. */
export async function insertReset(
  env: Env,
  reset: { digest: string; orgId: string; userId: string; expiresOn: number },
  event: AuditRow,
): Promise<void> {
  await directory(env).batch([
    statement(build.delete(tickets).where(isResetOf(reset))),
    statement(build.insert(tickets).values({ ...reset, kind: 'password-reset', detail: '{}' })),
    auditIfChanged(event),
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
  const its = <T extends SQLiteTable>(table: T) =>
    statement(sql<RowOf<T>>`SELECT ${columns(table)} FROM ${tickets}
      JOIN ${orgs} ON ${orgs.id} = ${tickets.orgId} AND ${orgs.deletedOn} IS NULL JOIN ${users} ON ${users.id} = ${tickets.userId}
      JOIN ${memberships} ON ${memberships.orgId} = ${tickets.orgId} AND ${memberships.userId} = ${tickets.userId}
      WHERE ${isReset(digest, now)}`)
  const found = await directory(env).batch([its(orgs), its(users), its(memberships)])
  const [[org], [user], [membership]] = [found[0].results, found[1].results, found[2].results]
  return org && user && membership && { org, user, membership }
}

/** False where the reset has been used meanwhile. Ends all sessions and keys of the person here (N61). */
export async function applyReset(
  env: Env,
  digest: string,
  { membership, passwordHash, account, now }: PasswordChange,
  event: AuditRow,
): Promise<boolean> {
  const { orgId, userId } = membership
  const change = build
    .update(memberships)
    .set({ passwordHash })
    .where(and(isMembership(orgId, userId), sql`changes() > 0`))
  const [used] = await directory(env).batch([
    statement(build.delete(tickets).where(isReset(digest, now))),
    statement(change),
    auditIfChanged(event),
    endOfPerson({ userId, orgId, kinds: ['session', 'user'] }, now, hasPassword(membership, passwordHash)),
    forgetFailures(account),
  ])
  return used.meta.changes === 1
}

interface Cutoffs {
  now: number
  failures: number
  knownAddresses: number
  invitations: number
  audit: number
}

/** Statements that each remove up to `rows` obsolete rows. */
export function removalsOf(cutoffs: Cutoffs, rows: number): Statement[] {
  const remove = (table: SQLiteTable, condition: SQL | undefined) =>
    statement(build.delete(table).where(sql`rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${rows})`))
  return [
    remove(credentials, and(eq(credentials.kind, 'session'), lte(credentials.expiresOn, cutoffs.now))),
    remove(tickets, lte(tickets.expiresOn, cutoffs.now)),
    remove(attempts, and(isFailure, lte(attempts.lastOn, cutoffs.failures))),
    remove(attempts, and(isKnownAddress, lte(attempts.lastOn, cutoffs.knownAddresses))),
    remove(invitations, lte(invitations.expiresOn, cutoffs.invitations)),
    statement(build.delete(audit).where(sql`${audit.seq} IN (${outdatedLines(cutoffs.audit, rows)})`)),
  ]
}

/** How many each of them has removed. */
export async function removeOutdated(env: Env, removals: readonly Statement[]): Promise<number[]> {
  return (await directory(env).batch(removals)).map(({ meta }) => meta.changes)
}

interface People {
  /** Ids between these two. */
  after: string
  upTo: string
  createdBefore: number
}

/** Of the next `limit` people those go who belong to no organization; answers the last that was looked at, if there may be more. */
export async function removeStrangers(env: Env, people: People, limit: number): Promise<string | undefined> {
  const next = sql`SELECT ${columns(users, ['id', 'createdOn'])} FROM ${users}
    WHERE ${users.id} > ${people.after} AND ${users.id} < ${people.upTo} ORDER BY ${users.id} LIMIT ${limit}`
  const [looked] = await directory(env).batch([
    statement(sql<{ last: string; people: number }>`SELECT max(id) AS last, count(*) AS people FROM (${next})`),
    statement(sql`DELETE FROM ${users} WHERE ${users.id} IN (SELECT n.id FROM (${next}) n WHERE n."createdOn" <= ${people.createdBefore}
      AND NOT EXISTS (SELECT 1 FROM ${memberships} WHERE ${memberships.userId} = n.id))`),
  ])
  const [found] = looked.results
  return found?.people === limit ? found.last : undefined
}
