// Invitations. Answers rows, decides nothing but what must be decided within the transaction.
import { and, asc, count, desc, eq, exists, gt, isNull, notExists } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { behind } from '../../platform/db/behind.ts'
import { type Directory, directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { invitations } from '../../platform/db/schema/people.ts'
import { valuesOf } from '../../platform/db/sql.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { CredentialRow } from '../auth/store.ts'
import type { OrgRow } from '../organizations/store.ts'
import { type Account, type Role, type UserRow, welcome } from '../sign-in/store.ts'

export type InvitationRow = typeof invitations.$inferSelect

const isOpen = (now: number) =>
  and(isNull(invitations.acceptedOn), isNull(invitations.revokedOn), gt(invitations.expiresOn, now))

/** What an admin has given out does not outlast the admin. */
export function endInvitationsOf(db: Directory, orgId: string, userId: string, now: number) {
  const isAdmin = and(eq(memberships.orgId, orgId), eq(memberships.userId, userId), eq(memberships.role, 'admin'))
  const asAdmin = db.select({ role: memberships.role }).from(memberships).where(isAdmin)
  return db
    .update(invitations)
    .set({ revokedOn: now })
    .where(and(eq(invitations.orgId, orgId), eq(invitations.createdById, userId), isOpen(now), notExists(asAdmin)))
}

/** Whoever has come in by another way needs the invitation no more. */
export function closeInvitations(db: Directory, orgId: string, email: string, now: number) {
  return db
    .update(invitations)
    .set({ acceptedOn: now })
    .where(and(eq(invitations.orgId, orgId), eq(invitations.email, email), isOpen(now)))
}

export async function isMember(env: Env, orgId: string, email: string): Promise<boolean> {
  const found = await directory(env)
    .select({ userId: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), eq(users.email, email)))
  return found.length > 0
}

/** A new invitation takes the place of an open one to the same person. */
export async function insertInvitation(env: Env, row: InvitationRow, event: AuditRow): Promise<void> {
  const db = directory(env)
  await db.batch([
    db
      .update(invitations)
      .set({ revokedOn: row.createdOn })
      .where(and(eq(invitations.orgId, row.orgId), eq(invitations.email, row.email), isOpen(row.createdOn))),
    db.insert(invitations).values(row),
    auditIfChanged(db, event),
  ])
}

export async function countOpen(env: Env, orgId: string, now: number): Promise<number> {
  const [counted] = await directory(env)
    .select({ open: count() })
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), isOpen(now)))
  return counted?.open ?? 0
}

/** Newest first. */
export function selectInvitations(
  env: Env,
  orgId: string,
  after: [createdOn: number, id: string] | undefined,
  limit: number,
): Promise<InvitationRow[]> {
  const { createdOn, id } = invitations
  return directory(env)
    .select()
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), behind([{ column: createdOn, descending: true }, { column: id }], after)))
    .orderBy(desc(createdOn), asc(id))
    .limit(limit)
}

export async function endInvitation(
  env: Env,
  orgId: string,
  id: string,
  now: number,
  event: AuditRow,
): Promise<boolean> {
  const db = directory(env)
  const [ended] = await db.batch([
    db
      .update(invitations)
      .set({ revokedOn: now })
      .where(and(eq(invitations.id, id), eq(invitations.orgId, orgId), isOpen(now)))
      .returning({ id: invitations.id }),
    auditIfChanged(db, event),
  ])
  return ended.length === 1
}

export interface OpenInvitation {
  invitation: InvitationRow
  org: OrgRow
  /** The person, where one of this email belongs to any organization already. */
  user: UserRow | null
}

export async function findInvitation(env: Env, digest: string, now: number): Promise<OpenInvitation | undefined> {
  const [found] = await directory(env)
    .select({ invitation: invitations, org: orgs, user: users })
    .from(invitations)
    .innerJoin(orgs, and(eq(orgs.id, invitations.orgId), isNull(orgs.deletedOn)))
    .leftJoin(users, eq(users.email, invitations.email))
    .where(and(eq(invitations.digest, digest), isOpen(now)))
  return found
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

/** False where the invitation was used, or the person came or went, meanwhile: then nothing at all is written. */
export async function acceptInvitation(env: Env, acceptance: Acceptance): Promise<boolean> {
  const { invitation, user, isNew, passwordHash, session, account, now, events } = acceptance
  const db = directory(env)
  const personIsAsSeen = isNew
    ? notExists(db.select({ id: users.id }).from(users).where(eq(users.email, user.email)))
    : exists(db.select({ id: users.id }).from(users).where(eq(users.id, user.id)))
  const { orgId, role } = invitation
  const isMine = and(eq(invitations.acceptedWith, session.id), eq(invitations.orgId, orgId))
  const membership = { orgId, userId: user.id, role, passwordHash, createdOn: now }
  const [accepted] = await db.batch([
    db
      .update(invitations)
      .set({ acceptedOn: now, acceptedWith: session.id })
      .where(and(eq(invitations.id, invitation.id), eq(invitations.orgId, orgId), isOpen(now), personIsAsSeen))
      .returning({ id: invitations.id }),
    db
      .insert(users)
      .select(db.select(valuesOf(users, user)).from(invitations).where(isMine))
      .onConflictDoNothing(),
    db
      .insert(memberships)
      .select(db.select(valuesOf(memberships, membership)).from(invitations).where(isMine))
      .onConflictDoNothing(),
    db.insert(credentials).select(db.select(valuesOf(credentials, session)).from(invitations).where(isMine)),
    auditIfChanged(db, events[0]),
    auditIfChanged(db, events[1]),
    ...welcome(db, account, now),
  ])
  return accepted.length === 1
}

export async function findInvitedRole(env: Env, orgId: string, email: string, now: number): Promise<Role | undefined> {
  const [found] = await directory(env)
    .select({ role: invitations.role })
    .from(invitations)
    .where(and(eq(invitations.orgId, orgId), eq(invitations.email, email), isOpen(now)))
  return found?.role
}
