// Signing in with email and password, signing out, and who is signed in (N10). Every failure takes the same steps and gives
// the same response: it does not reveal whether the email, the password or the organization was wrong.
import type { Context, OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'
import { SESSION_TTL_SECONDS } from '../../platform/limits.ts'
import type { AuditEvent } from '../audit/entry.ts'
import { unauthorized } from '../auth/authenticate.ts'
import { issueEvent, prepareCredential, revokeCredential } from '../auth/credentials.ts'
import { isPassword } from '../auth/hashing.ts'
import type { CredentialRow } from '../auth/store.ts'
import { AccountClosed, accountOf, beginAttempt, checkedOrTakenBack } from './attempts.ts'
import type { SignIn } from './contract.ts'
import { recordFailure, recordStranger } from './failures.ts'
import { findMembership, findPerson, insertSession, type Role } from './store.ts'

export interface Person {
  id: string
  email: string
  role: Role
  org: { id: string; slug: string; name: string }
}

export type Method = 'password' | 'invitation' | 'single sign-on'

export function wrongSignIn(): Fault {
  return new Fault('unauthorized', 'The email, the password or the organization is not right.', {
    headers: unauthorized().headers,
  })
}

export function checkNotSuspended(org: { suspendedOn: number | null }): void {
  if (org.suspendedOn !== null) {
    throw new Fault('organization_suspended', 'The operator has suspended this organization.')
  }
}

export async function signIn(context: OpenContext, { email, password, orgSlug }: SignIn) {
  const begun = await attempt(context, orgSlug, email)
  const { waitSeconds, knowsAddress } = begun
  const { user, org, membership } = await findPerson(context.env, email, orgSlug)
  const isRight = await checkedOrTakenBack(context, begun, () =>
    isPassword(context, password, membership?.passwordHash, knowsAddress),
  )
  if (isRight && user && org && membership) {
    checkNotSuspended(org)
    const { role, passwordHash } = membership
    return beginSession(context, { id: user.id, email, role, org }, 'password', passwordHash)
  }
  context.defer(noteFailure(context, { user, org, membership }, email, { waitSeconds }))
  throw wrongSignIn()
}

/** What is refused because the account is closed is written down as well. */
async function attempt(context: OpenContext, orgSlug: string, email: string) {
  try {
    return await beginAttempt(context, orgSlug, email)
  } catch (error) {
    if (error instanceof AccountClosed) {
      const person = findPerson(context.env, email, orgSlug)
      context.defer(person.then(found => noteFailure(context, found, email, { reason: 'closed' }, error.period)))
    }
    throw error
  }
}

type Found = Pick<Awaited<ReturnType<typeof findPerson>>, 'user' | 'org' | 'membership'>

/** The email of a stranger is not written down: people mistake the field for that of the password. */
async function noteFailure(
  context: OpenContext,
  { user, org, membership }: Found,
  email: string,
  detail: NonNullable<AuditEvent['detail']>,
  closed?: string,
): Promise<void> {
  if (!org) return
  if (!membership || !user) return recordStranger(context, { orgId: org.id, detail })
  return recordFailure(context, { orgId: org.id, subjectId: user.id, detail: { ...detail, email } }, closed)
}

export async function prepareSession({ now }: Pick<OpenContext, 'now'>, { id, org }: Person, method: Method) {
  return prepareCredential(now, {
    orgId: org.id,
    kind: 'session',
    name: method,
    scope: 'write',
    userId: id,
    by: { id, type: 'user' },
    expiresOn: now + SESSION_TTL_SECONDS * 1000,
  })
}

/** The response to a sign-in: it shows the token once. */
export function shownSession({ id, email, role, org }: Person, { row, key }: { row: CredentialRow; key: string }) {
  return {
    accessToken: key,
    expiresOn: timeText(row.expiresOn ?? row.createdOn),
    user: { id, email, role },
    org: { id: org.id, slug: org.slug, name: org.name },
  }
}

/** `checked`: the hash that the password matched; if the user has a new password by now, the sign-in fails. */
export async function beginSession(
  context: OpenContext,
  person: Person,
  method: Method,
  checked: string | null = null,
) {
  const session = await prepareSession(context, person, method)
  const event = issueEvent(context, session.row, { id: person.id, type: 'user' })
  const account = await accountOf(context, person.org.slug, person.email)
  if (!(await insertSession(context.env, session.row, { event, account, checked }))) throw wrongSignIn()
  return shownSession(person, session)
}

export async function signOut(context: Context): Promise<void> {
  const { org, principal, actor } = context
  await revokeCredential(context, { orgId: org.id, kinds: ['session'] }, principal.credentialId, actor)
}

/** For people and for keys alike. */
export async function whoAmI({ env, principal }: Context) {
  const found = principal.userId === null ? undefined : await findMembership(env, principal.org.id, principal.userId)
  return {
    credential: {
      id: principal.credentialId,
      kind: principal.credentialKind,
      expiresOn: principal.expiresOn === null ? null : timeText(principal.expiresOn),
    },
    org: principal.org,
    user: found ? { id: found.user.id, email: found.user.email, role: found.membership.role } : null,
    role: principal.role,
    scope: principal.scope,
    tier: principal.tier,
  }
}
