// What the service says to an identity provider, by oauth4webapi: authorization code with PKCE, state and nonce. The ID token
// comes straight from the provider over TLS, which stands in for its signature (OpenID Connect Core 3.1.3.7). Nothing
// that a provider says reaches a caller or a log.
import * as oauth from 'oauth4webapi'
import type { Env } from '../../platform/env.ts'
import { readBounded } from '../../platform/http/bounded-body.ts'
import { SSO_PROVIDER_ANSWER_MAX_BYTES, SSO_PROVIDER_TIMEOUT_MS } from '../../platform/limits.ts'
import { Email } from '../auth/contract.ts'
import { addressFault } from '../outbound/address.ts'
import { addressRules } from '../outbound/own-calls.ts'

export interface Provider {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface Flow {
  state: string
  nonce: string
  codeVerifier: string
  callbackUrl: string
}

/** The provider could not be reached, or its answer was not one to rely on. */
export class ProviderFailure extends Error {}

/** The addresses that a provider names pass the same guard as those of outbound calls (N41). */
const mayCall = (env: Env, address: string) => addressFault(address, addressRules(env)) === undefined

export async function discover(env: Env, issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  return relying(async () => {
    const answer = await oauth.discoveryRequest(url, options(env, issuer))
    return oauth.processDiscoveryResponse(url, answer)
  })
}

export async function authorizationUrl(env: Env, { issuer, clientId }: Provider, flow: Flow): Promise<string> {
  const { authorization_endpoint: endpoint } = await discover(env, issuer)
  if (!endpoint || !mayCall(env, endpoint)) throw new ProviderFailure('no authorization endpoint')
  const url = new URL(endpoint)
  const parameters = {
    client_id: clientId,
    redirect_uri: flow.callbackUrl,
    response_type: 'code',
    scope: 'openid email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.codeVerifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export interface Identity {
  /** The permanent identity at this provider; an email may pass on to another person. */
  subject: string
  /** The email that the provider has verified; undefined where it names none, or has not verified it. */
  email: string | undefined
}

export async function identityOf(env: Env, provider: Provider, flow: Flow, answer: URLSearchParams): Promise<Identity> {
  const server = await discover(env, provider.issuer)
  const claims = await relying(() => claimsOf(env, server, provider, flow, answer))
  const email = Email.safeParse(claims.email)
  const isVerified = email.success && claims.email_verified === true
  return { subject: String(claims.sub), email: isVerified ? email.data : undefined }
}

async function claimsOf(
  env: Env,
  server: oauth.AuthorizationServer,
  { issuer, clientId, clientSecret }: Provider,
  { state, nonce, codeVerifier, callbackUrl }: Flow,
  answer: URLSearchParams,
): Promise<Record<string, unknown>> {
  const client: oauth.Client = { client_id: clientId }
  const parameters = oauth.validateAuthResponse(server, client, answer, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication(server, clientSecret),
    parameters,
    callbackUrl,
    codeVerifier,
    options(env, issuer),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw new ProviderFailure('no ID token')
  if (claims.email !== undefined || !server.userinfo_endpoint) return claims
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options(env, issuer))
  return oauth.processUserInfoResponse(server, client, claims.sub, info)
}

function authentication(server: oauth.AuthorizationServer, clientSecret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported
  const isPostOnly = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isPostOnly ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
}

/** The library's errors carry what the provider sent, tokens included: only their message goes on. */
async function relying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ProviderFailure(error instanceof Error ? error.name : 'failed')
  }
}

const options = (env: Env, issuer: string) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:',
  [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) => boundedFetch(env, url, init),
  signal: () => AbortSignal.timeout(SSO_PROVIDER_TIMEOUT_MS),
})

async function boundedFetch(env: Env, url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> {
  if (!mayCall(env, url)) throw new ProviderFailure('address refused')
  const response = await fetch(url, init as RequestInit)
  const { bytes, isCut } = await readBounded(response.body, SSO_PROVIDER_ANSWER_MAX_BYTES)
  if (isCut) throw new ProviderFailure('answer too large')
  return new Response(bytes.length ? bytes : null, { status: response.status, headers: response.headers })
}
