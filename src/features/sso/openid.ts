// What the service says to an identity provider, by oauth4webapi: authorization code with PKCE, state and nonce. The ID token
// comes straight from the provider over TLS, which stands in for its signature (OpenID Connect Core 3.1.3.7). Nothing
// that a provider says reaches a caller or a log.
import * as oauth from 'oauth4webapi'
import type { Env } from '../../env.ts'
import { readBounded } from '../../platform/http/bounded-body.ts'
import { SSO_PROVIDER_ANSWER_MAX_BYTES, SSO_PROVIDER_TIMEOUT_MS } from '../../platform/limits.ts'
import { Email } from '../auth/contract.ts'

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

export function mayUse(env: Env, issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || (protocol === 'http:' && isLocal && env.ENVIRONMENT !== 'production')
}

export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  return relying(async () => oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options(issuer))))
}

export async function authorizationUrl({ issuer, clientId }: Provider, flow: Flow): Promise<string> {
  const { authorization_endpoint: endpoint } = await discover(issuer)
  if (!endpoint || !URL.canParse(endpoint)) throw new ProviderFailure('no authorization endpoint')
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

/** The email that the provider has verified; undefined where it names none, or has not verified it. */
export async function verifiedEmail(
  provider: Provider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<string | undefined> {
  const server = await discover(provider.issuer)
  const claims = await relying(() => claimsOf(server, provider, flow, answer))
  const email = Email.safeParse(claims.email)
  return email.success && claims.email_verified === true ? email.data : undefined
}

async function claimsOf(
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
    options(issuer),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw new ProviderFailure('no ID token')
  if (claims.email !== undefined || !server.userinfo_endpoint) return claims
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options(issuer))
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

const options = (issuer: string) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:',
  [oauth.customFetch]: boundedFetch,
  signal: () => AbortSignal.timeout(SSO_PROVIDER_TIMEOUT_MS),
})

async function boundedFetch(url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> {
  const response = await fetch(url, init as RequestInit)
  const { bytes, isCut } = await readBounded(response.body, SSO_PROVIDER_ANSWER_MAX_BYTES)
  if (isCut) throw new ProviderFailure('answer too large')
  return new Response(bytes.length ? bytes : null, { status: response.status, headers: response.headers })
}
