// The operator's calls (N12), for whoever owns the deployment. They take the operator key, never an organization's.

import { segment } from './address.ts'
import { ArgumentError } from './api-error.ts'
import type { Page } from './entity.ts'
import type { ApiKey, IssuedKey, Scope } from './keys.ts'
import { Backups } from './operator-backups.ts'
import { Endpoints } from './operator-endpoints.ts'
import { Moves } from './operator-moves.ts'
import type { DataStore, DeadLetter, DeploymentStatus, SealedSecrets } from './operator-status.ts'
import { type AuditEntry, type AuditExport, type AuditExportArgs, auditExport, type PageArgs } from './people.ts'
import { type Call, type CallOptions, type ConnectionOptions, Requests } from './request.ts'

export interface Organization {
  id: string
  slug: string
  name: string
  tier: string
  createdOn: string
  suspendedOn: string | null
  historyRetentionDays: number | null
  historyArchiveDays: number | null
  /** Where its data is: see `databases`. */
  database: string
  /** On its way to another one. */
  moving: boolean
  [property: string]: unknown
}

export interface NewOrganization {
  slug: string
  name: string
  tier?: string | undefined
  admin?: { email: string; password: string } | undefined
  /** By its name; else the emptiest. */
  database?: string | undefined
}

export interface OrganizationChange {
  name?: string | undefined
  suspended?: boolean | undefined
  /** Days that change history is kept; null for ever. */
  historyRetentionDays?: number | null | undefined
  /** Days after which change records move into files, where they are read from as before; null for never. */
  historyArchiveDays?: number | null | undefined
}

export interface NewIdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Whether a first sign-in makes a person a member who is not one yet. */
  allowSignUp?: boolean | undefined
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  /** Masked. */
  clientSecret: string
  allowSignUp: boolean
  /** The redirect address to register with the provider. */
  callbackUrl: string
  updatedOn: string
}

type OfOrg = { slug: string } & CallOptions

export interface Quota {
  limit: number
  /** Nobody has set another one. */
  isUsual: boolean
  used: number
}

export class Operator {
  readonly backups: Backups
  readonly endpoints: Endpoints
  readonly moves: Moves
  readonly #requests: Requests

  constructor(options: ConnectionOptions & { operatorKey: string }) {
    if (options.operatorKey === '') throw new ArgumentError('operatorKey must not be empty')
    this.#requests = new Requests(options, { 'x-operator-key': options.operatorKey })
    this.backups = new Backups(this.#requests)
    this.endpoints = new Endpoints(this.#requests)
    this.moves = new Moves(this.#requests)
  }

  /** What is deployed, whether its stores answer, and what stands still. */
  async status(options: CallOptions = {}): Promise<DeploymentStatus> {
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/status' })
  }

  /** The databases of the deployment, and how full each is. */
  async databases(options: CallOptions = {}): Promise<{ results: DataStore[] }> {
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/databases' })
  }

  /** Wake-ups that the queues gave up, oldest first. */
  async deadLetters(args: PageArgs = {}): Promise<Page<DeadLetter>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({
      ...options,
      method: 'GET',
      path: '/operator/dead-letters',
      query: { limit, nextPageKey },
    })
  }

  async replayDeadLetter(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    await this.#requests.json({
      ...options,
      method: 'POST',
      path: `/operator/dead-letters/${segment('id', id)}/replay`,
    })
  }

  async listOrgs(args: PageArgs = {}): Promise<Page<Organization>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/orgs', query: { limit, nextPageKey } })
  }

  async getOrg(args: OfOrg): Promise<Organization> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: orgPath(slug) })
  }

  async createOrg(args: NewOrganization & CallOptions): Promise<Organization> {
    const { slug, name, tier, admin, database, ...options } = args
    const json = { slug, name, tier, admin, database }
    return this.#requests.json({ ...options, method: 'POST', path: '/operator/orgs', json, repeat: 'never' })
  }

  async updateOrg(args: OfOrg & { change: OrganizationChange }): Promise<Organization> {
    const { slug, change, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: orgPath(slug), json: change })
  }

  async deleteOrg(args: OfOrg): Promise<void> {
    const { slug, ...options } = args
    await this.#requests.json({ ...options, method: 'DELETE', path: orgPath(slug), doneStatus: 404 })
  }

  async setTier(args: OfOrg & { tier: string }): Promise<Organization> {
    const { slug, tier, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: `${orgPath(slug)}/tier`, json: { tier } })
  }

  /** Makes its search index anew, in the background. */
  async rebuildSearchIndex(args: OfOrg): Promise<Organization> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `${orgPath(slug)}/search-index`, idempotent: true })
  }

  /** What an organization may have, and has. */
  async quotas(args: OfOrg): Promise<Record<string, Quota>> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: `${orgPath(slug)}/quotas` })
  }

  /** By name; null brings back the usual one. */
  async setQuotas(args: OfOrg & { quotas: Record<string, number | null> }): Promise<Record<string, Quota>> {
    const { slug, quotas, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: `${orgPath(slug)}/quotas`, json: quotas })
  }

  async listKeys(args: OfOrg & PageArgs): Promise<Page<ApiKey>> {
    const { slug, limit, nextPageKey, ...options } = args
    const query = { limit, nextPageKey }
    return this.#requests.json({ ...options, method: 'GET', path: `${orgPath(slug)}/api-keys`, query })
  }

  async createKey(
    args: OfOrg & {
      name: string
      scope?: Scope | undefined
      tier?: string | undefined
      expiresOn?: string | undefined
      entityTypes?: readonly string[] | undefined
      addresses?: readonly string[] | undefined
    },
  ): Promise<IssuedKey> {
    const { slug, name, scope, tier, expiresOn, entityTypes, addresses, ...options } = args
    const json = { name, scope, tier, expiresOn, entityTypes, addresses }
    const path = `${orgPath(slug)}/api-keys`
    return this.#requests.json({ ...options, method: 'POST', path, json, repeat: 'never' })
  }

  async deleteKey(args: OfOrg & { id: string }): Promise<void> {
    const { slug, id, ...options } = args
    const path = `${orgPath(slug)}/api-keys/${segment('id', id)}`
    await this.#requests.json({ ...options, method: 'DELETE', path, doneStatus: 404 })
  }

  async createToken(
    args: OfOrg & { name: string; ttlSeconds?: number | undefined; scope?: Scope | undefined },
  ): Promise<{ id: string; name: string; accessToken: string; expiresOn: string }> {
    const { slug, name, ttlSeconds, scope, ...options } = args
    const json = { name, ttlSeconds, scope }
    const path = `${orgPath(slug)}/tokens`
    return this.#requests.json({ ...options, method: 'POST', path, json, repeat: 'never' })
  }

  async listTokens(args: OfOrg & PageArgs): Promise<Page<ApiKey>> {
    const { slug, limit, nextPageKey, ...options } = args
    const query = { limit, nextPageKey }
    return this.#requests.json({ ...options, method: 'GET', path: `${orgPath(slug)}/tokens`, query })
  }

  async deleteToken(args: OfOrg & { id: string }): Promise<void> {
    const { slug, id, ...options } = args
    const path = `${orgPath(slug)}/tokens/${segment('id', id)}`
    await this.#requests.json({ ...options, method: 'DELETE', path, doneStatus: 404 })
  }

  /** A one-time link for a user who forgot the password. */
  async passwordReset(
    args: OfOrg & { email: string },
  ): Promise<{ token: string; resetUrl: string; expiresOn: string }> {
    const { slug, email, ...options } = args
    const path = `${orgPath(slug)}/password-reset`
    return this.#requests.json({ ...options, method: 'POST', path, json: { email }, repeat: 'never' })
  }

  async setIdentityProvider(args: OfOrg & NewIdentityProvider): Promise<IdentityProvider> {
    const { slug, issuer, clientId, clientSecret, allowSignUp, ...options } = args
    const json = { issuer, clientId, clientSecret, allowSignUp }
    return this.#requests.json({ ...options, method: 'PUT', path: `${orgPath(slug)}/identity-provider`, json })
  }

  async getIdentityProvider(args: OfOrg): Promise<IdentityProvider> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: `${orgPath(slug)}/identity-provider` })
  }

  async deleteIdentityProvider(args: OfOrg): Promise<void> {
    const { slug, ...options } = args
    const path = `${orgPath(slug)}/identity-provider`
    await this.#requests.json({ ...options, method: 'DELETE', path, doneStatus: 404 })
  }

  async audit(args: OfOrg & PageArgs): Promise<Page<AuditEntry>> {
    const { slug, limit, nextPageKey, ...options } = args
    const query = { limit, nextPageKey }
    return this.#requests.json({ ...options, method: 'GET', path: `${orgPath(slug)}/audit`, query })
  }

  /** The whole trail of an organization as chained lines; without a slug that of acts which outlive their organization. */
  async exportAudit(args: Partial<OfOrg> & AuditExportArgs = {}): Promise<AuditExport> {
    const { slug, ...options } = args
    return auditExport(this.#requests, slug === undefined ? '/operator/audit' : `${orgPath(slug)}/audit`, options)
  }

  /** Acts of operators that outlive their organization: deletions. */
  async ownAudit(args: PageArgs = {}): Promise<Page<AuditEntry>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/audit', query: { limit, nextPageKey } })
  }

  async secrets(options: CallOptions = {}): Promise<SealedSecrets> {
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/secrets' })
  }

  /** Any other call with the operator key. */
  async request<T = unknown>(call: Call): Promise<T> {
    return this.#requests.json<T>(call)
  }
}

function orgPath(slug: string): string {
  return `/operator/orgs/${segment('slug', slug)}`
}
