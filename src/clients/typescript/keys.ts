// API keys. Calls that issue a key are never repeated by the client: a lost answer would leave a key nobody knows.

import { segment } from './address.ts'
import type { Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'

export type Scope = 'read' | 'write'

export interface ApiKey {
  id: string
  kind: string
  name: string
  /** The first characters, to recognise it by. */
  start: string
  scope: Scope
  tier: string | null
  createdOn: string
  lastUsedOn: string | null
  expiresOn: string | null
  revokedOn: string | null
  entityTypes: string[] | null
  addresses: string[] | null
  [property: string]: unknown
}

/** With the key itself, this once. */
export type IssuedKey = ApiKey & { key: string }

export interface NewKey {
  name: string
  kind?: 'app' | 'user' | undefined
  scope?: Scope | undefined
  expiresOn?: string | null | undefined
  /** The only entity types that the key can read and write; absent: everything. */
  entityTypes?: readonly string[] | null | undefined
  /** The only addresses, or blocks such as `192.0.2.0/24`, that it can be used from. */
  addresses?: readonly string[] | null | undefined
}

export class Keys {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async list(
    args: { limit?: number | undefined; nextPageKey?: string | null | undefined } & CallOptions = {},
  ): Promise<Page<ApiKey>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: '/api-keys', query: { limit, nextPageKey } })
  }

  async create(args: NewKey & CallOptions): Promise<IssuedKey> {
    const { signal, timeoutMs, maxRetries, ...json } = args
    const options = { signal, timeoutMs, maxRetries }
    return this.#requests.json({ ...options, method: 'POST', path: '/api-keys', json, repeat: 'never' })
  }

  /** A new key in place of the old one, which keeps working for `overlapSeconds`. */
  async rotate(args: { id: string; overlapSeconds?: number | undefined } & CallOptions): Promise<IssuedKey> {
    const { id, overlapSeconds, ...options } = args
    const path = `/api-keys/${segment('id', id)}/rotate`
    return this.#requests.json({ ...options, method: 'POST', path, json: { overlapSeconds }, repeat: 'never' })
  }

  async delete(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    await this.#requests.json({
      ...options,
      method: 'DELETE',
      path: `/api-keys/${segment('id', id)}`,
      doneStatus: 404,
    })
  }
}
