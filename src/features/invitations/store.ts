// Invitations. Answers rows, decides nothing but what must be decided within the transaction.
import { and, asc, desc, eq, exists, gt, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { behind } from '../../platform/db/behind.ts'
import { directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { invitations } from '../../platform/db/schema/people.ts'
import { build, columns, type RowOf, type Statement, selection, statement, valuesOf } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { CredentialRow } from '../auth/store.ts'
import type { OrgRow } from '../organizations/store.ts'
import { type Account, welcome } from '../sign-in/attempts-store.ts'
import type { Role, UserRow } from '../sign-in/store.ts'

export type InvitationRow = RowOf<typeof invitations>

const isOpen = (now: number) =>
  and(isNull(invitations.acceptedOn), isNull(invitations.revokedOn), gt(invitations.expiresOn, now))

const isOpenTo = (orgId: string, email: string, now: number) =>
  and(eq(invitations.orgId, orgId), eq(invitations.email, email), isOpen(now))

/** What an admin has given out does not outlast the admin. */
export function endInvitationsOf(orgId: string, userId: string, now: number): Statement {
  const isAdmin = and(eq(memberships.orgId, orgId), eq(memberships.userId, userId), eq(memberships.role, 'admin'))
  const asAdmin = build.select({ role: memberships.role }).from(memberships).where(isAdmin)
  const end = build
    .update(invitations)
    .set({ revokedOn: now })
    .where(and(eq(invitations.orgId, orgId), eq(invitations.createdById, userId), isOpen(now), notExists(asAdmin)))
  return statement(end)
}

/** A user who became a member in another way no longer needs the invitation. */
export function closeInvitations(orgId: string, email: string, now: number): Statement {
  return statement(
    build
      .update(invitations)
      .set({ acceptedOn: now })
      .where(isOpenTo(orgId, email, now)),
  )
}

const memberOf = (orgId: string, email: string) =>
  build
    .select(selection(users, ['id']))
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), eq(users.email, email)))

export async function isMember(env: Env, orgId: string, email: string): Promise<boolean> {
  return (await directory(env).first(statement(memberOf(orgId, email)))) !== undefined
}

/** A new invitation takes the place of an open one to the same person. False where the condition does not hold, or they have come. */
export async function insertInvitation(env: Env, row: InvitationRow, event: AuditRow, isIn: SQL): Promise<boolean> {
  const { orgId, email, createdOn } = row
  const when = and(isIn, notExists(memberOf(orgId, email)))
  const values = build
    .select(valuesOf(invitations, row))
    .from(orgs)
    .where(and(eq(orgs.id, orgId), when))
  const [, inserted] = await directory(env).batch([
    statement(
      build
        .update(invitations)
        .set({ revokedOn: createdOn })
        .where(and(isOpenTo(orgId, email, createdOn), when)),
    ),
    statement(build.insert(invitations).select(values)),
    auditIfChanged(event),
  ])
  return inserted.meta.changes === 1
}

export async function countOpen(env: Env, orgId: string, now: number): Promise<number> {
  const select = build
    .select({ open: sql<number>`count(*)`.as('open') })
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), isOpen(now)))
  return (await directory(env).first(statement(select)))?.open ?? 0
}

/** Newest first. */
export function selectInvitations(
  env: Env,
  orgId: string,
  after: [createdOn: number, id: string] | undefined,
  limit: number,
): Promise<InvitationRow[]> {
  const { createdOn, id } = invitations
  const select = build
    .select(selection(invitations))
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), behind([{ column: createdOn, descending: true }, { column: id }], after)))
    .orderBy(desc(createdOn), asc(id))
    .limit(limit)
  return directory(env).all(statement(select))
}

export async function endInvitation(
  env: Env,
  orgId: string,
  id: string,
  now: number,
  event: AuditRow,
  when: SQL,
): Promise<boolean> {
  const end = build
    .update(invitations)
    .set({ revokedOn: now })
    .where(and(eq(invitations.id, id), eq(invitations.orgId, orgId), isOpen(now), when))
  const [ended] = await directory(env).batch([statement(end), auditIfChanged(event)])
  return ended.meta.changes === 1
}

export interface OpenInvitation {
  invitation: InvitationRow
  org: OrgRow
  /** The person, where one of this email belongs to any organization already. */
  user: UserRow | undefined
}

export async function findInvitation(env: Env, digest: string, now: number): Promise<OpenInvitation | undefined> {
  const its = <T extends SQLiteTable>(table: T, joined = sql``) =>
    statement(sql<RowOf<T>>`SELECT ${columns(table)} FROM ${invitations}
      JOIN ${orgs} ON ${orgs.id} = ${invitations.orgId} AND ${orgs.deletedOn} IS NULL ${joined}
      WHERE ${invitations.digest} = ${digest} AND ${isOpen(now)}`)
  const ofEmail = sql`JOIN ${users} ON ${users.email} = ${invitations.email}`
  const found = await directory(env).batch([its(invitations), its(orgs), its(users, ofEmail)])
  const [[invitation], [org], [user]] = [found[0].results, found[1].results, found[2].results]
  return invitation && org && { invitation, org, user }
}

export interface Acceptance {
  invitation: InvitationRow
  /** Who joins; `isNew` where the person comes into being with it. */
  user: UserRow
  isNew: boolean
  passwordHash: string
  session: CredentialRow
  account: Account
  now: number
  events: [AuditRow, AuditRow]
}

/** False where the invitation was used, or the person came, joined or went, meanwhile: then nothing at all is written. */
export async function acceptInvitation(env: Env, acceptance: Acceptance): Promise<boolean> {
  const { invitation, user, isNew, passwordHash, session, account, now, events } = acceptance
  const personIsAsSeen = isNew
    ? notExists(build.select({ id: users.id }).from(users).where(eq(users.email, user.email)))
    : exists(build.select({ id: users.id }).from(users).where(eq(users.id, user.id)))
  const { orgId, role } = invitation
  const isMine = and(eq(invitations.acceptedWith, session.id), eq(invitations.orgId, orgId))
  const membership = { orgId, userId: user.id, role, passwordHash, createdOn: now }
  const accept = build
    .update(invitations)
    .set({ acceptedOn: now, acceptedWith: session.id })
    .where(
      and(
        eq(invitations.id, invitation.id),
        eq(invitations.orgId, orgId),
        isOpen(now),
        personIsAsSeen,
        // No link of an admin's leads into an account that there is.
        notExists(memberOf(orgId, user.email)),
      ),
    )
  const asUser = build.select(valuesOf(users, user)).from(invitations).where(isMine)
  const asMember = build.select(valuesOf(memberships, membership)).from(invitations).where(isMine)
  const asSession = build.select(valuesOf(credentials, session)).from(invitations).where(isMine)
  const [accepted] = await directory(env).batch([
    statement(accept),
    statement(build.insert(users).select(asUser).onConflictDoNothing()),
    statement(build.insert(memberships).select(asMember).onConflictDoNothing()),
    statement(build.insert(credentials).select(asSession)),
    auditIfChanged(events[0]),
    auditIfChanged(events[1]),
    ...welcome(account, now),
  ])
  return accepted.meta.changes === 1
}

/** Within a statement: the invitation to this role has not been revoked meanwhile. */
export function isInvited(orgId: string, email: string, role: Role, now: number): SQL {
  const open = build
    .select(selection(invitations, ['id']))
    .from(invitations)
    .where(and(isOpenTo(orgId, email, now), eq(invitations.role, role)))
  return exists(open)
}

export async function findInvitedRole(env: Env, orgId: string, email: string, now: number): Promise<Role | undefined> {
  const select = build
    .select(selection(invitations, ['role']))
    .from(invitations)
    .where(isOpenTo(orgId, email, now))
  return (await directory(env).first(statement(select)))?.role
}
