// Members of organizations. Answers rows, decides nothing but what must be decided within the transaction.
import { and, asc, eq, gt, ne, notExists, or } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { behind } from '../../platform/db/behind.ts'
import { directory } from '../../platform/db/client.ts'
import { memberships, users } from '../../platform/db/schema/organizations.ts'
import { signOns } from '../../platform/db/schema/people.ts'
import { build } from '../../platform/db/sql.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import { endOfPerson } from '../auth/store.ts'
import { closeInvitations, endInvitationsOf } from '../invitations/store.ts'
import type { Role, UserRow } from '../sign-in/store.ts'

export interface MemberRow {
  id: string
  email: string
  role: Role
  joinedOn: number
}

const MEMBER = { id: users.id, email: users.email, role: memberships.role, joinedOn: memberships.createdOn }

const isMember = (orgId: string, userId: string) => and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))

export function selectMembers(
  env: Env,
  orgId: string,
  after: [joinedOn: number, id: string] | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const { createdOn } = memberships
  return directory(env)
    .select(MEMBER)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), behind([{ column: createdOn }, { column: users.id }], after)))
    .orderBy(asc(createdOn), asc(users.id))
    .limit(limit)
}

export async function findMember(env: Env, orgId: string, userId: string): Promise<MemberRow | undefined> {
  const [found] = await directory(env)
    .select(MEMBER)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMember(orgId, userId))
  return found
}

export async function findMemberByEmail(env: Env, orgId: string, email: string): Promise<MemberRow | undefined> {
  const [found] = await directory(env)
    .select(MEMBER)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), eq(users.email, email)))
  return found
}

/** Within the statement itself, so that two admins cannot remove each other at the same moment. */
const leavesAnAdmin = (orgId: string) =>
  or(
    ne(memberships.role, 'admin'),
    gt(build.$count(memberships, and(eq(memberships.orgId, orgId), eq(memberships.role, 'admin'))), 1),
  )

/** False where the organization would be left without an admin. */
export async function changeRole(
  env: Env,
  orgId: string,
  userId: string,
  role: Role,
  now: number,
  event: AuditRow,
): Promise<boolean> {
  const db = directory(env)
  const [changed] = await db.batch([
    db
      .update(memberships)
      .set({ role })
      .where(and(isMember(orgId, userId), role === 'admin' ? undefined : leavesAnAdmin(orgId)))
      .returning({ role: memberships.role }),
    auditIfChanged(db, event),
    endInvitationsOf(db, orgId, userId, now),
  ])
  return changed.length === 1
}

/** False where the organization would be left without an admin. */
export async function removeMember(
  env: Env,
  orgId: string,
  userId: string,
  now: number,
  event: AuditRow,
): Promise<boolean> {
  const db = directory(env)
  const hasLeft = notExists(db.select({ role: memberships.role }).from(memberships).where(isMember(orgId, userId)))
  const [removed] = await db.batch([
    db
      .delete(memberships)
      .where(and(isMember(orgId, userId), leavesAnAdmin(orgId)))
      .returning({ role: memberships.role }),
    auditIfChanged(db, event),
    endInvitationsOf(db, orgId, userId, now),
    endOfPerson(db, { userId, orgId, kinds: ['session', 'user'] }, now, hasLeft),
    db.delete(signOns).where(and(eq(signOns.orgId, orgId), eq(signOns.userId, userId), hasLeft)),
  ])
  return removed.length === 1
}

/** Makes the person of this email a member, creating them where they are new. Who they are then. */
export async function joinMember(
  env: Env,
  { orgId, role, now }: { orgId: string; role: Role; now: number },
  person: UserRow,
  event: (userId: string) => AuditRow,
): Promise<MemberRow | undefined> {
  const db = directory(env)
  const [, [user]] = await db.batch([
    db.insert(users).values(person).onConflictDoNothing(),
    db.select({ id: users.id }).from(users).where(eq(users.email, person.email)),
  ])
  if (!user) return undefined
  const [, , , [member]] = await db.batch([
    db.insert(memberships).values({ orgId, userId: user.id, role, createdOn: now }).onConflictDoNothing(),
    auditIfChanged(db, event(user.id)),
    closeInvitations(db, orgId, person.email, now),
    db
      .select(MEMBER)
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(isMember(orgId, user.id)),
  ])
  return member
}
