// Invitations: an admin makes a one-time link and hands it over; no mail server is needed. The person who accepts sets the password
// for this organization; what the person has in others is not touched.
import * as z from 'zod'
import type { Context, OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { INVITATION_TTL_SECONDS, INVITATIONS_MAX_OPEN } from '../../platform/limits.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { auditRow } from '../audit/entry.ts'
import { mustStillBeIn } from '../auth/authenticate.ts'
import { issueEvent } from '../auth/credentials.ts'
import { hashed } from '../auth/hashing.ts'
import { newCredential, secretOf } from '../auth/key-text.ts'
import { isStillIn } from '../auth/store.ts'
import { accountOf } from '../sign-in/attempts.ts'
import { linkOf } from '../sign-in/passwords.ts'
import { checkNotSuspended, prepareSession, shownSession } from '../sign-in/sessions.ts'
import type { Accept, Invite } from './contract.ts'
import * as store from './store.ts'

const textOrNull = (time: number | null) => (time === null ? null : timeText(time))

const shownInvitation = (row: store.InvitationRow) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdOn: timeText(row.createdOn),
  createdById: row.createdById,
  expiresOn: timeText(row.expiresOn),
  acceptedOn: textOrNull(row.acceptedOn),
  revokedOn: textOrNull(row.revokedOn),
})

const isMemberAlready = () => new Fault('duplicate', 'This person is a member already.')

/** The token exists in this answer only. */
export async function invite(context: Context, { email, role }: Invite) {
  const { env, org, actor, principal, now } = context
  if (await store.isMember(env, org.id, email)) throw isMemberAlready()
  if ((await store.countOpen(env, org.id, now)) >= INVITATIONS_MAX_OPEN) {
    throw new Fault('conflict', `There are ${INVITATIONS_MAX_OPEN} open invitations already. Revoke some first.`)
  }
  const { key: token, secret } = newCredential('token')
  const row: store.InvitationRow = {
    id: newId(),
    orgId: org.id,
    email,
    role,
    digest: await digestOf(secret),
    createdOn: now,
    createdById: actor.id,
    expiresOn: now + INVITATION_TTL_SECONDS * 1000,
    acceptedOn: null,
    revokedOn: null,
    acceptedWith: null,
  }
  const event = {
    orgId: org.id,
    action: 'invitation_created',
    actor,
    subjectId: row.id,
    detail: { email, role },
  } as const
  if (!(await store.insertInvitation(env, row, auditRow(context, event), isStillIn(principal)))) {
    await mustStillBeIn(env, principal)
    throw isMemberAlready()
  }
  return { ...shownInvitation(row), token, acceptUrl: linkOf(context, 'invitation', token) }
}

export function listInvitations({ env, org }: Context, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: `invitations ${org.id}`,
      place: z.tuple([z.number(), z.string()]),
      placeOf: ({ createdOn, id }: store.InvitationRow) => [createdOn, id],
      read: (after, limit) => store.selectInvitations(env, org.id, after, limit),
      show: shownInvitation,
    },
    page,
  )
}

export async function revokeInvitation(context: Context, id: string): Promise<void> {
  const { env, org, actor, principal, now } = context
  const event = auditRow(context, { orgId: org.id, action: 'invitation_revoked', actor, subjectId: id })
  if (await store.endInvitation(env, org.id, id, now, event, isStillIn(principal))) return
  await mustStillBeIn(env, principal)
  throw notFound('invitation')
}

const noInvitation = () =>
  new Fault('not_found', 'This invitation is not known, used already, revoked or too old. Ask for a new one.')

export async function accept(context: OpenContext, { token, password }: Accept) {
  const { env, now } = context
  const secret = secretOf(token)
  const open = secret && (await store.findInvitation(env, await digestOf(secret), now))
  if (!open) throw noInvitation()
  const { invitation, org } = open
  checkNotSuspended(org)
  const { email, role } = invitation
  const user = open.user ?? { id: newId(), email, createdOn: now }
  const person = { id: user.id, email, role, org }
  const actor = { id: user.id, type: 'user' } as const
  const session = await prepareSession(context, person, 'invitation')
  const isAccepted = await store.acceptInvitation(env, {
    invitation,
    user,
    isNew: !open.user,
    passwordHash: await hashed(context, password),
    session: session.row,
    account: await accountOf(context, org.slug, email),
    now,
    events: [
      auditRow(context, {
        orgId: org.id,
        action: 'invitation_accepted',
        actor,
        subjectId: invitation.id,
        detail: { email, role },
      }),
      issueEvent(context, session.row, actor),
    ],
  })
  if (!isAccepted) throw noInvitation()
  return shownSession(person, session)
}

/** The role that an open invitation gives to the person of this email. */
export function invitedRole({ env, now }: Pick<OpenContext, 'env' | 'now'>, orgId: string, email: string) {
  return store.findInvitedRole(env, orgId, email, now)
}
