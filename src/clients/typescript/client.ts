// What a login gives: one client per resource, all of them over the same request funnel.

import { Assortments } from './assortments.ts'
import { Changes } from './changes.ts'
import { Entities } from './entities.ts'
import { EntityTypes } from './entity-types.ts'
import { Exports } from './exports.ts'
import { Files } from './files.ts'
import { Keys, type Scope } from './keys.ts'
import { Loads } from './loads.ts'
import { People, type Role, type User } from './people.ts'
import type { Call, CallOptions, Requests } from './request.ts'
import { Reverts } from './reverts.ts'
import { Tasks } from './tasks.ts'
import type { EntityClient, ExportClient } from './typed-calls.ts'
import { Workflows } from './workflows.ts'

export interface Session {
  accessToken: string
  expiresOn: string
  user: User
  org?: { id: string; slug: string; name: string }
}

export interface Me {
  credential: { id: string; kind: 'app' | 'user' | 'token' | 'session'; expiresOn: string | null }
  org: { id: string; slug: string }
  /** Null for an app key. */
  user: User | null
  role: Role | null
  scope: Scope
  tier: string
}

export class Client {
  readonly baseUrl: string
  /** The token of a login by email and password. */
  readonly session: Session | undefined
  readonly entities: EntityClient
  readonly changes: Changes
  readonly files: Files
  readonly loads: Loads
  readonly reverts: Reverts
  readonly exports: ExportClient
  readonly workflows: Workflows
  readonly tasks: Tasks
  readonly keys: Keys
  readonly people: People
  readonly types: EntityTypes
  readonly assortments: Assortments
  readonly #requests: Requests

  constructor(requests: Requests, session?: Session) {
    this.#requests = requests
    this.baseUrl = requests.baseUrl
    this.session = session
    this.entities = new Entities(requests)
    this.changes = new Changes(requests)
    this.files = new Files(requests)
    this.loads = new Loads(requests)
    this.reverts = new Reverts(requests)
    this.exports = new Exports(requests)
    this.workflows = new Workflows(requests)
    this.tasks = new Tasks(requests)
    this.keys = new Keys(requests)
    this.people = new People(requests)
    this.types = new EntityTypes(requests)
    this.assortments = new Assortments(requests)
  }

  /** Who the credential belongs to. */
  async me(options: CallOptions = {}): Promise<Me> {
    return this.#requests.json({ ...options, method: 'GET', path: '/auth/me' })
  }

  /** Ends the session of an access token. */
  async logout(options: CallOptions = {}): Promise<void> {
    await this.#requests.json({ ...options, method: 'POST', path: '/auth/logout', idempotent: true })
  }

  /** Any other call of the API, with the same repeats, deadline and errors. */
  async request<T = unknown>(call: Call): Promise<T> {
    return this.#requests.json<T>(call)
  }
}
