// Signing in. `login` checks the credential with one cheap call; `connect` takes it as it is and calls nothing.

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

export type ConnectOptions = ConnectionOptions & (KeyCredential | TokenCredential)
export type LoginOptions = ConnectionOptions & (KeyCredential | TokenCredential | PasswordCredential)

/** A client for a credential that is known to be good. */
export function connect(options: ConnectOptions): Client {
  return new Client(new Requests(options, credentialHeaders(options)))
}

/** A client for a key, a token, or an email and password; a wrong one is an ApiError with status 401. */
export async function login(options: LoginOptions): Promise<Client> {
  if ('password' in options) return loginByPassword(options)
  const client = connect(options)
  await client.entities.list({ entityName: 'item', queryParams: { limit: 1 } })
  return client
}

async function loginByPassword(options: ConnectionOptions & PasswordCredential): Promise<Client> {
  const { email, password, orgSlug, ...connection } = options
  const json = { email, password, orgSlug }
  const call = { method: 'POST', path: '/auth/login', json, repeat: 'never' } as const
  const session = await new Requests(connection, {}).json<Session>(call)
  const credential = { accessToken: session.accessToken, orgSlug }
  return new Client(new Requests(connection, credentialHeaders(credential)), session)
}

function credentialHeaders(credential: KeyCredential | TokenCredential): Record<string, string> {
  const org = credential.orgSlug
  if ('apiKey' in credential) {
    if (credential.apiKey === '' || org === undefined || org === '') {
      throw new TypeError('apiKey and orgSlug are both needed and must not be empty')
    }
    return { 'x-api-key': credential.apiKey, 'x-api-org': org }
  }
  if (credential.accessToken === '') throw new TypeError('accessToken must not be empty')
  return { authorization: `Bearer ${credential.accessToken}`, ...(org === undefined ? {} : { 'x-api-org': org }) }
}
