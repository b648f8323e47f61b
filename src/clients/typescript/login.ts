// Signing in. `login` checks the credential with one cheap call; `connect` takes it as it is and calls nothing.

import { baseAddress, queryString } from './address.ts'
import { ArgumentError } from './api-error.ts'
import { Client, type Session } from './client.ts'
import { type ConnectionOptions, Requests } from './request.ts'

export interface KeyCredential {
  apiKey: string
  orgSlug: string
}

export interface TokenCredential {
  accessToken: string
  orgSlug?: string | undefined
}

export interface PasswordCredential {
  email: string
  password: string
  orgSlug: string
}

/** What single sign-on has brought back to the redirect address (N11). */
export interface SsoCredential {
  code: string
  codeVerifier: string
  orgSlug: string
}

/** In a page of the service itself: the browser sends the session's cookie, which no script can read (N45). */
export interface CookieCredential {
  cookie: true
}

export type ConnectOptions = ConnectionOptions & (KeyCredential | TokenCredential | CookieCredential)
export type LoginOptions = ConnectionOptions & (KeyCredential | TokenCredential | PasswordCredential | SsoCredential)

/** A client for a credential that is known to be good. */
export function connect(options: ConnectOptions): Client {
  return new Client(new Requests(options, credentialHeaders(options)))
}

/** A client for a key, a token, or an email and password; a wrong one is an ApiError with status 401. */
export async function login(options: LoginOptions): Promise<Client> {
  if ('password' in options) {
    const { email, password, orgSlug, ...connection } = options
    return withSession(connection, orgSlug, '/auth/login', { email, password, orgSlug })
  }
  if ('codeVerifier' in options) {
    const { code, codeVerifier, orgSlug, ...connection } = options
    return withSession(connection, orgSlug, '/auth/sso/token', { code, codeVerifier })
  }
  const client = connect(options)
  await client.me()
  return client
}

async function withSession(options: ConnectionOptions, orgSlug: string, path: string, json: object): Promise<Client> {
  const session = await new Requests(options, {}).json<Session>({ method: 'POST', path, json, repeat: 'never' })
  const credential = { accessToken: session.accessToken, orgSlug }
  return new Client(new Requests(options, credentialHeaders(credential)), session)
}

export interface SsoRequest {
  baseUrl: string
  orgSlug: string
  /** Where the browser brings the code: a page of yours, or a loopback address. */
  redirectUri: string
  /** Comes back with the code; compare it. */
  state: string
  /** SHA-256 of the code verifier, in base64url. */
  codeChallenge: string
}

/** The address to send a browser to for single sign-on. `login` with the code ends it. */
export function ssoAddress(request: SsoRequest): string {
  const { baseUrl, ...query } = request
  return `${baseAddress(baseUrl)}/auth/sso/start${queryString(query)}`
}

function credentialHeaders(credential: KeyCredential | TokenCredential | CookieCredential): Record<string, string> {
  if ('cookie' in credential) return {}
  const org = credential.orgSlug
  if ('apiKey' in credential) {
    if (credential.apiKey === '' || org === undefined || org === '') {
      throw new ArgumentError('apiKey and orgSlug are both needed and must not be empty')
    }
    return { 'x-api-key': credential.apiKey, 'x-api-org': org }
  }
  if (credential.accessToken === '') throw new ArgumentError('accessToken must not be empty')
  return { authorization: `Bearer ${credential.accessToken}`, ...(org === undefined ? {} : { 'x-api-org': org }) }
}
