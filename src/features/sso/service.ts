// Single sign-on (N11) in three steps: to the provider, back from it, and the fetching of the session. Each step is tied to
// the one before by something that is good once: the state at the provider's side, a code and its verifier at ours. The
// verifier never leaves the client that began, so that neither a stolen code nor a foreign one signs a user in.

import * as z from 'zod'
import type { OpenContext } from '../../platform/context.ts'
import { digestOf, equalSecrets } from '../../platform/digest.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { randomText } from '../../platform/ids.ts'
import { SSO_CODE_TTL_SECONDS, SSO_STATE_TTL_SECONDS } from '../../platform/limits.ts'
import { decryptSecret, encryptSecret } from '../../platform/secrets.ts'
import { unauthorized } from '../auth/authenticate.ts'
import { admit, type Member, memberOf } from '../members/service.ts'
import type { OrgRow } from '../organizations/store.ts'
import { recordStranger } from '../sign-in/failures.ts'
import { beginSession } from '../sign-in/sessions.ts'
import type { SsoToken, Start } from './contract.ts'
import { authorizationUrl, type Flow, type Identity, identityOf, ProviderFailure } from './openid.ts'
import { callbackUrlOf, opened } from './provider-settings.ts'
import { parseRedirect, withParameters } from './redirect.ts'
import { findSignOn, findSso, insertTicket, linkSignOn, type ProviderRow, takeTicket } from './store.ts'

const SECRET_LENGTH = 43

/** What the state stands for while the person is with the provider. */
const Journey = z.object({
  redirectUri: z.string(),
  codeChallenge: z.string(),
  clientState: z.string().nullable(),
  /** The provider that the person was sent to; no other one may answer (RFC 9700, 2.1). */
  issuer: z.string(),
  /** The flow towards the provider, encrypted. */
  sealed: z.string(),
})
type Journey = z.output<typeof Journey>

const Sealed = z.object({ nonce: z.string(), codeVerifier: z.string(), callbackUrl: z.string() })
const Code = z.object({ codeChallenge: z.string() })

const ownerOf = (digest: string) => `sso ${digest}`

export async function start(context: OpenContext, { orgSlug, redirectUri, codeChallenge, state }: Start) {
  const { env, now, baseUrl } = context
  const redirect = parseRedirect(redirectUri, new URL(baseUrl).origin)
  if (!redirect) {
    const message = 'Expected a page of this service, or http://127.0.0.1:<port>/… .'
    throw invalid([{ path: '/redirectUri', message }])
  }
  const found = await findSso(env, { slug: orgSlug })
  if (!found) throw new Fault('not_found', 'There is no single sign-on for this organization.')
  const flow: Flow = {
    state: randomText(SECRET_LENGTH),
    nonce: randomText(SECRET_LENGTH),
    codeVerifier: randomText(SECRET_LENGTH),
    callbackUrl: callbackUrlOf(context, found.org.id),
  }
  const url = await unlessProviderFails(async () => authorizationUrl(env, await opened(env, found.provider), flow))
  const digest = await digestOf(flow.state)
  const { state: _, ...secrets } = flow
  const journey: Journey = {
    redirectUri: redirect.href,
    codeChallenge,
    clientState: state ?? null,
    issuer: found.provider.issuer,
    sealed: await encryptSecret(env, ownerOf(digest), JSON.stringify(secrets)),
  }
  await insertTicket(env, {
    digest,
    kind: 'sso-state',
    orgId: found.org.id,
    userId: null,
    detail: JSON.stringify(journey),
    expiresOn: now + SSO_STATE_TTL_SECONDS * 1000,
  })
  return url
}

async function unlessProviderFails<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Fault('unavailable', 'The identity provider does not answer as it should. Try again.', {
      headers: { 'Retry-After': '5' },
    })
  }
}

const noJourney = () => new Fault('not_found', 'This sign-in is not known, used already or too old. Begin again.')

/** Where the person goes next: back to where they began, with a code or with the reason why there is none. */
export async function comeBack(context: OpenContext, orgId: string, answer: URLSearchParams): Promise<string> {
  const { env, now } = context
  const state = answer.get('state') ?? ''
  const digest = await digestOf(state)
  const ticket = await takeTicket(env, 'sso-state', { digest, orgId, now })
  const found = ticket && (await findSso(env, { id: orgId }))
  if (!found) throw noJourney()
  const { redirectUri, codeChallenge, clientState, issuer, sealed } = Journey.parse(JSON.parse(ticket.detail))
  if (issuer !== found.provider.issuer) throw noJourney()
  const secrets = Sealed.parse(JSON.parse(await decryptSecret(env, ownerOf(digest), sealed)))
  const outcome = await identify(context, found, { ...secrets, state }, answer)
  if ('refusal' in outcome) {
    const { refusal: reason, email } = outcome
    const detail = { method: 'single sign-on', reason, email }
    await recordStranger(context, { orgId: found.org.id, detail })
    const error = reason === 'provider_failed' ? 'server_error' : 'access_denied'
    return withParameters(redirectUri, { error, error_description: REFUSALS[reason], state: clientState })
  }
  const code = randomText(SECRET_LENGTH)
  await insertTicket(env, {
    digest: await digestOf(code),
    kind: 'sso-code',
    orgId: found.org.id,
    userId: outcome.member.id,
    detail: JSON.stringify({ codeChallenge }),
    expiresOn: now + SSO_CODE_TTL_SECONDS * 1000,
  })
  return withParameters(redirectUri, { code, state: clientState })
}

const REFUSALS = {
  denied: 'The identity provider has not signed you in.',
  provider_failed: 'The identity provider does not answer as it should.',
  email_not_verified: 'The identity provider has not verified your email.',
  not_a_member: 'There is no member with your email.',
  someone_else: 'Somebody else has signed in with your email before. An admin can remove that member and invite you.',
}

type Outcome = { member: Member } | { refusal: keyof typeof REFUSALS; email?: string }
type Sso = { org: OrgRow; provider: ProviderRow }

async function identify(context: OpenContext, sso: Sso, flow: Flow, answer: URLSearchParams): Promise<Outcome> {
  if (answer.has('error')) return { refusal: 'denied' }
  let identity: Identity
  try {
    identity = await identityOf(context.env, await opened(context.env, sso.provider), flow, answer)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { refusal: 'provider_failed' }
  }
  return memberFor(context, sso, identity)
}

/** The first time a verified email tells who it is; from then on the provider's own name for the person does. */
async function memberFor(context: OpenContext, { org, provider }: Sso, { subject, email }: Identity): Promise<Outcome> {
  const { env, now } = context
  const at = { orgId: org.id, issuer: provider.issuer, subject }
  const known = await findSignOn(env, at)
  const present = known && (await memberOf(context, org.id, known))
  if (present) return { member: present }
  if (email === undefined) return { refusal: 'email_not_verified' }
  const member = await admit(context, org.id, email, provider.allowSignUp)
  if (!member) return { refusal: 'not_a_member', email }
  const isLinked = await linkSignOn(env, { ...at, userId: member.id, createdOn: now })
  return isLinked ? { member } : { refusal: 'someone_else', email }
}

function wrongCode(): Fault {
  const detail = 'This code is not known, has been used, is too old, or leads to nobody who may sign in. Begin again.'
  return new Fault('unauthorized', detail, { headers: unauthorized().headers })
}

export async function fetchSession(context: OpenContext, { code, codeVerifier }: SsoToken) {
  const { env, now } = context
  const ticket = await takeTicket(env, 'sso-code', { digest: await digestOf(code), now })
  if (!ticket) throw wrongCode()
  const { codeChallenge } = Code.parse(JSON.parse(ticket.detail))
  if (!(await equalSecrets(await digestOf(codeVerifier), codeChallenge))) throw wrongCode()
  const found = await findSso(env, { id: ticket.orgId })
  const member = found && (await memberOf(context, ticket.orgId, ticket.userId ?? ''))
  if (!member) throw wrongCode()
  return beginSession(context, { ...member, org: found.org }, 'single sign-on')
}
