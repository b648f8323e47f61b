// Members of organizations. Answers rows, decides nothing but what must be decided within the transaction.
import { and, asc, eq, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { behind } from '../../platform/db/behind.ts'
import { directory } from '../../platform/db/client.ts'
import { memberships, users } from '../../platform/db/schema/organizations.ts'
import { signOns, tickets } from '../../platform/db/schema/people.ts'
import { build, from, named, selection, statement, valuesOf } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
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

const selectMember = () =>
  build
    .select({
      ...selection(users, ['id', 'email']),
      ...selection(memberships, ['role']),
      joinedOn: sql<number>`${memberships.createdOn}`.as('joinedOn'),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))

const isMember = (orgId: string, userId: string) => and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))

export function selectMembers(
  env: Env,
  orgId: string,
  after: [joinedOn: number, id: string] | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const { createdOn } = memberships
  const select = selectMember()
    .where(and(eq(memberships.orgId, orgId), behind([{ column: createdOn }, { column: users.id }], after)))
    .orderBy(asc(createdOn), asc(users.id))
    .limit(limit)
  return directory(env).all(statement(select))
}

export async function findMember(env: Env, orgId: string, userId: string): Promise<MemberRow | undefined> {
  return directory(env).first(statement(selectMember().where(isMember(orgId, userId))))
}

export async function findMemberByEmail(env: Env, orgId: string, email: string): Promise<MemberRow | undefined> {
  const select = selectMember().where(and(eq(memberships.orgId, orgId), eq(users.email, email)))
  return directory(env).first(statement(select))
}

const admins = named(memberships, 'admins')

/** Within the statement itself, so that two admins cannot remove each other at the same moment. */
const leavesAnAdmin = (orgId: string) =>
  or(
    ne(memberships.role, 'admin'),
    sql`(SELECT count(*) FROM ${from(admins)} WHERE ${admins.orgId} = ${orgId} AND ${admins.role} = 'admin') > 1`,
  )

/** False where the organization would be left without an admin, the member has it or is gone, or the condition does not hold. */
export async function changeRole(
  env: Env,
  orgId: string,
  userId: string,
  role: Role,
  now: number,
  event: AuditRow,
  when: SQL,
): Promise<boolean> {
  const mayBe = role === 'admin' ? undefined : leavesAnAdmin(orgId)
  const change = build
    .update(memberships)
    .set({ role })
    .where(and(isMember(orgId, userId), ne(memberships.role, role), mayBe, when))
  const [changed] = await directory(env).batch([
    statement(change),
    auditIfChanged(event),
    endInvitationsOf(orgId, userId, now),
  ])
  return changed.meta.changes === 1
}

/** False where the organization would be left without an admin, the member is gone, or the condition does not hold. */
export async function removeMember(
  env: Env,
  orgId: string,
  userId: string,
  now: number,
  event: AuditRow,
  when: SQL,
): Promise<boolean> {
  const hasLeft = notExists(build.select({ role: memberships.role }).from(memberships).where(isMember(orgId, userId)))
  const [removed] = await directory(env).batch([
    statement(build.delete(memberships).where(and(isMember(orgId, userId), leavesAnAdmin(orgId), when))),
    auditIfChanged(event),
    endInvitationsOf(orgId, userId, now),
    endOfPerson({ userId, orgId, kinds: ['session', 'user'] }, now, hasLeft),
    statement(build.delete(signOns).where(and(eq(signOns.orgId, orgId), eq(signOns.userId, userId), hasLeft))),
    // A link to set a password anew must not outlast the member, who may come back with another role.
    statement(build.delete(tickets).where(and(eq(tickets.orgId, orgId), eq(tickets.userId, userId), hasLeft))),
  ])
  return removed.meta.changes === 1
}

/** Makes the person of this email a member, creating them where they are new, if the condition holds. Who they are then. */
export async function joinMember(
  env: Env,
  { orgId, role, now, when }: { orgId: string; role: Role; now: number; when: SQL | undefined },
  person: UserRow,
  event: (userId: string) => AuditRow,
): Promise<MemberRow | undefined> {
  const db = directory(env)
  const [, known] = await db.batch([
    statement(build.insert(users).values(person).onConflictDoNothing()),
    statement(
      build
        .select(selection(users, ['id']))
        .from(users)
        .where(eq(users.email, person.email)),
    ),
  ])
  const [user] = known.results
  if (!user) return undefined
  // A user without a membership may have been swept since.
  const asMember = build
    .select(valuesOf(memberships, { orgId, userId: user.id, role, passwordHash: null, createdOn: now }))
    .from(users)
    .where(and(eq(users.id, user.id), when))
  const [, , , joined] = await db.batch([
    statement(build.insert(memberships).select(asMember).onConflictDoNothing()),
    auditIfChanged(event(user.id)),
    closeInvitations(orgId, person.email, now),
    statement(selectMember().where(isMember(orgId, user.id))),
  ])
  return joined.results[0]
}
