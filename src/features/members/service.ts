// Verbs over the people of an organization: list, change a role, remove. An organization never loses its last admin.
import * as z from 'zod'
import type { Context, OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { auditRow } from '../audit/entry.ts'
import { forgetPerson, mustStillBeIn } from '../auth/authenticate.ts'
import { isStillIn } from '../auth/store.ts'
import { invitedRole } from '../invitations/service.ts'
import { isInvited } from '../invitations/store.ts'
import type { Role } from '../sign-in/store.ts'
import {
  changeRole,
  findMember,
  findMemberByEmail,
  joinMember,
  type MemberRow,
  removeMember,
  selectMembers,
} from './store.ts'

export type Member = MemberRow

const shownMember = ({ id, email, role, joinedOn }: MemberRow) => ({ id, email, role, joinedOn: timeText(joinedOn) })

export function listMembers({ env, org }: Context, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: `members ${org.id}`,
      place: z.tuple([z.number(), z.string()]),
      placeOf: ({ joinedOn, id }: MemberRow) => [joinedOn, id],
      read: (after, limit) => selectMembers(env, org.id, after, limit),
      show: shownMember,
    },
    page,
  )
}

export function memberOf({ env }: Pick<Context, 'env'>, orgId: string, id: string): Promise<Member | undefined> {
  return findMember(env, orgId, id)
}

async function member(context: Context, id: string): Promise<Member> {
  const found = await memberOf(context, context.org.id, id)
  if (!found) throw notFound('user')
  return found
}

const lastAdmin = () => new Fault('conflict', 'An organization needs an admin. Make another member an admin first.')

export async function setRole(context: Context, id: string, role: Role) {
  const { env, org, actor, principal, now } = context
  const before = await member(context, id)
  if (before.role === role) return shownMember(before)
  const event = auditRow(context, {
    orgId: org.id,
    action: 'member_role_changed',
    actor,
    subjectId: id,
    detail: { email: before.email, from: before.role, to: role },
  })
  if (!(await changeRole(env, org.id, id, role, now, event, isStillIn(principal)))) {
    await mustStillBeIn(env, principal)
    const present = await member(context, id)
    if (present.role !== role) throw lastAdmin()
  }
  forgetPerson(id, org.id)
  return shownMember({ ...before, role })
}

/** Ends the person's sessions and user keys at once, and the invitations that they gave out. */
export async function dismiss(context: Context, id: string): Promise<void> {
  const { env, org, actor, principal, now } = context
  const { email, role } = await member(context, id)
  const event = auditRow(context, {
    orgId: org.id,
    action: 'member_removed',
    actor,
    subjectId: id,
    detail: { email, role },
  })
  if (!(await removeMember(env, org.id, id, now, event, isStillIn(principal)))) {
    await mustStillBeIn(env, principal)
    await member(context, id)
    throw lastAdmin()
  }
  forgetPerson(id, org.id)
}

/**
 * Who the identity provider says it is, by verified email (N11). A stranger joins where an admin has invited them, or where
 * the operator lets first sign-ins make members.
 */
export async function admit(
  context: OpenContext,
  orgId: string,
  email: string,
  allowSignUp: boolean,
): Promise<Member | undefined> {
  const { env, now } = context
  const present = await findMemberByEmail(env, orgId, email)
  if (present) return present
  const invited = await invitedRole(context, orgId, email)
  const role = invited ?? (allowSignUp ? 'member' : undefined)
  if (!role) return undefined
  const person = { id: newId(), email, createdOn: now }
  const when = invited && isInvited(orgId, email, invited, now)
  return joinMember(env, { orgId, role, now, when }, person, id =>
    auditRow(context, {
      orgId,
      action: 'member_joined',
      actor: { id, type: 'user' },
      subjectId: id,
      detail: { email, role, method: 'single sign-on' },
    }),
  )
}
