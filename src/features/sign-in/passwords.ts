// Changing a password, and the operator's one-time link for a person who has lost theirs. A password counts in one
// organization; only its owner and the operator can change it, never an admin or an identity provider.
import type { Context, OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { PASSWORD_RESET_TTL_SECONDS } from '../../platform/limits.ts'
import { auditRow, OPERATOR } from '../audit/entry.ts'
import { forgetPerson, unauthorized } from '../auth/authenticate.ts'
import { hashed, isPassword } from '../auth/hashing.ts'
import { newCredential, secretOf } from '../auth/key-text.ts'
import { accountOf, beginAttempt, checkedOrTakenBack } from './attempts.ts'
import type { ChangePassword, ResetPassword } from './contract.ts'
import { applyReset, changePassword, findMembership, findPerson, findReset, insertReset } from './store.ts'

export async function changeOwnPassword(context: Context, { currentPassword, newPassword }: ChangePassword) {
  const { env, now, org, actor, principal } = context
  const found = await findMembership(env, org.id, principal.userId ?? '')
  if (!found) throw unauthorized()
  const { user, membership } = found
  if (currentPassword === newPassword) {
    throw invalid([{ path: '/newPassword', message: 'Expected another password than the current one.' }])
  }
  const attempt = await beginAttempt(context, org.slug, user.email)
  const { account } = attempt
  const isRight = await checkedOrTakenBack(context, attempt, () =>
    isPassword(context, currentPassword, membership.passwordHash, true),
  )
  if (!isRight) throw wrongCurrent()
  const event = auditRow(context, { orgId: org.id, action: 'password_changed', actor, subjectId: user.id })
  const change = { membership, passwordHash: await hashed(context, newPassword), account, now }
  if (!(await changePassword(env, change, principal.credentialId, event))) throw wrongCurrent()
  forgetPerson(user.id, org.id)
}

const wrongCurrent = () =>
  new Fault('forbidden', 'The current password is not right.', {
    errors: [{ path: '/currentPassword', message: 'The current password is not right.' }],
  })

/** The operator's part: the token exists in this answer only. */
export async function issueReset(context: OpenContext, slug: string, email: string) {
  const { env, now } = context
  const { user, org, membership } = await findPerson(env, email, slug)
  if (!org) throw notFound('organization')
  if (!user || !membership) throw notFound('user')
  const { key: token, secret } = newCredential('token')
  const expiresOn = now + PASSWORD_RESET_TTL_SECONDS * 1000
  const event = auditRow(context, {
    orgId: org.id,
    action: 'password_reset_issued',
    actor: OPERATOR,
    subjectId: user.id,
    detail: { email },
  })
  await insertReset(env, { digest: await digestOf(secret), orgId: org.id, userId: user.id, expiresOn }, event)
  return { token, resetUrl: linkOf(context, 'password-reset', token), expiresOn: timeText(expiresOn) }
}

/** A page of the console; what stands behind `#` is never sent to a server, so that no log holds the token. */
export function linkOf({ baseUrl }: Pick<OpenContext, 'baseUrl'>, page: string, token: string): string {
  return `${new URL(baseUrl).origin}/console/${page}#token=${token}`
}

const noReset = () => new Fault('not_found', 'This link is not known, used already or too old. Ask for a new one.')

export async function resetPassword(context: OpenContext, { token, newPassword }: ResetPassword): Promise<void> {
  const { env, now } = context
  const secret = secretOf(token)
  if (!secret) throw noReset()
  const digest = await digestOf(secret)
  const reset = await findReset(env, digest, now)
  if (!reset) throw noReset()
  const { user, org, membership } = reset
  const account = await accountOf(context, org.slug, user.email)
  const event = auditRow(context, {
    orgId: org.id,
    action: 'password_reset_used',
    actor: { id: user.id, type: 'user' },
    subjectId: user.id,
  })
  const change = { membership, passwordHash: await hashed(context, newPassword), account, now }
  if (!(await applyReset(env, digest, change, event))) throw noReset()
  forgetPerson(user.id, org.id)
}
