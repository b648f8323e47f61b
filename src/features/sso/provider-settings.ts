// The operator's verbs over the identity provider of an organization (N12). The client secret is kept encrypted.

import type { OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { decryptSecret, encryptSecret } from '../../platform/secrets.ts'
import { auditRow, OPERATOR } from '../audit/entry.ts'
import { organization } from '../organizations/service.ts'
import { addressFault } from '../outbound/address.ts'
import { addressRules } from '../outbound/own-calls.ts'
import type { IdentityProviderBody } from './contract.ts'
import { discover, type Provider, ProviderFailure } from './openid.ts'
import { findProvider, type ProviderRow, removeProvider, saveProvider } from './store.ts'

const MASKED = '••••••••'

/** One address for each organization: an answer for one is never taken for another (N78). */
export const callbackUrlOf = ({ baseUrl }: Pick<OpenContext, 'baseUrl'>, orgId: string) =>
  `${baseUrl}/auth/sso/callback/${orgId}`

export const providerOwner = (orgId: string) => `identity-provider ${orgId}`

const shownProvider = (context: OpenContext, { orgId, issuer, clientId, allowSignUp, updatedOn }: ProviderRow) => ({
  issuer,
  clientId,
  clientSecret: MASKED,
  allowSignUp,
  callbackUrl: callbackUrlOf(context, orgId),
  updatedOn: timeText(updatedOn),
})

export async function opened(env: Env, { orgId, issuer, clientId, clientSecret }: ProviderRow): Promise<Provider> {
  return { issuer, clientId, clientSecret: await decryptSecret(env, providerOwner(orgId), clientSecret) }
}

/** Under the key that is in force now. */
export async function resealed(env: Env, row: ProviderRow): Promise<string> {
  return encryptSecret(env, providerOwner(row.orgId), (await opened(env, row)).clientSecret)
}

/** Asks the provider for its description first: a typing error shows here and not at the first sign-in. */
export async function setProvider(context: OpenContext, slug: string, body: IdentityProviderBody) {
  const { env, now } = context
  const { issuer, clientId, allowSignUp } = body
  const { id: orgId } = await organization(context, slug)
  const clientSecret = await sealedSecretOf(env, orgId, body.clientSecret)
  await checkIssuer(env, issuer)
  const row: ProviderRow = {
    orgId,
    issuer,
    clientId,
    clientSecret,
    allowSignUp,
    updatedOn: now,
  }
  const detail = { issuer, clientId, allowSignUp }
  const event = auditRow(context, { orgId, action: 'identity_provider_set', actor: OPERATOR, detail })
  await saveProvider(env, row, event)
  return shownProvider(context, row)
}

/** Masked as it is read, it stays as it is. */
async function sealedSecretOf(env: Env, orgId: string, clientSecret: string): Promise<string> {
  if (clientSecret !== MASKED) return encryptSecret(env, providerOwner(orgId), clientSecret)
  const known = await findProvider(env, orgId)
  if (!known) throw invalid([{ path: '/clientSecret', message: 'There is no secret to keep.' }])
  return known.clientSecret
}

async function checkIssuer(env: Env, issuer: string): Promise<void> {
  const fault = (message: string) => invalid([{ path: '/issuer', message }])
  const refused = addressFault(issuer, addressRules(env))
  if (refused) throw fault(refused)
  try {
    await discover(env, issuer)
  } catch (error) {
    if (error instanceof ProviderFailure) throw fault('There is no OpenID Connect provider at this address.')
    throw error
  }
}

export async function shownProviderOf(context: OpenContext, slug: string) {
  const { id } = await organization(context, slug)
  const found = await findProvider(context.env, id)
  if (!found) throw notFound('identity provider')
  return shownProvider(context, found)
}

export async function unsetProvider(context: OpenContext, slug: string): Promise<void> {
  const { id: orgId } = await organization(context, slug)
  const event = auditRow(context, { orgId, action: 'identity_provider_removed', actor: OPERATOR })
  if (!(await removeProvider(context.env, orgId, event))) throw notFound('identity provider')
}
