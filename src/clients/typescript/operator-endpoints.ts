// The outbound endpoints of an organization and what was delivered to them (N41).

import { segment } from './address.ts'
import type { Page } from './entity.ts'
import type { PageArgs } from './people.ts'
import type { CallOptions, Requests } from './request.ts'

export type EndpointAuth =
  | { kind: 'header'; name: string; value: string }
  /** A new secret leaves the one before it in force for `overlapSeconds`, a day where nothing is said. */
  | { kind: 'hmac'; secret: string; overlapSeconds?: number | undefined }
  | { kind: 'allowlist' }

export interface NewEndpoint {
  url: string
  /** Trigger keys to deliver, for example `item|create`, `item|*` or `*`. */
  events?: readonly string[] | undefined
  /** Whether changes made by loads are delivered too. */
  includeLoads?: boolean | undefined
  /** Who may call it: deliveries of events, tasks of workflows, or both (what it is unless you say so). */
  allowedFor?: 'events' | 'workflows' | 'both' | undefined
  auth: EndpointAuth
}

export interface Endpoint {
  name: string
  url: string
  events: string[]
  includeLoads: boolean
  allowedFor: 'events' | 'workflows' | 'both'
  /** Until then calls are signed with the secret before it as well. */
  oldSecretUntil: string | null
  /** Secrets are masked; sent back as they are, they stay. */
  auth: { kind: string; [property: string]: unknown }
  createdOn: string
  updatedOn: string
}

export interface Delivery {
  id: string
  endpointName: string
  triggerKey: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  nextAttemptOn: string | null
  responseStatus: number | null
  error: string | null
  payload: unknown
  createdOn: string
  endedOn: string | null
}

type OfOrg = { slug: string } & CallOptions
type Named = OfOrg & { name: string }

export class Endpoints {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async list(args: OfOrg): Promise<{ results: Endpoint[] }> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: pathOf(slug) })
  }

  async get(args: Named): Promise<Endpoint> {
    const { slug, name, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: pathOf(slug, name) })
  }

  async set(args: Named & { endpoint: NewEndpoint }): Promise<Endpoint> {
    const { slug, name, endpoint, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: pathOf(slug, name), json: endpoint })
  }

  async delete(args: Named): Promise<void> {
    const { slug, name, ...options } = args
    await this.#requests.json({ ...options, method: 'DELETE', path: pathOf(slug, name), doneStatus: 404 })
  }

  /** Newest first. */
  async deliveries(args: Named & PageArgs & { status?: Delivery['status'] | undefined }): Promise<Page<Delivery>> {
    const { slug, name, limit, nextPageKey, status, ...options } = args
    const query = { limit, nextPageKey, status }
    return this.#requests.json({ ...options, method: 'GET', path: `${pathOf(slug, name)}/deliveries`, query })
  }

  async resend(args: Named & { id: string }): Promise<Delivery> {
    const { slug, name, id, ...options } = args
    const path = `${pathOf(slug, name)}/deliveries/${segment('id', id)}/resend`
    return this.#requests.json({ ...options, method: 'POST', path })
  }
}

function pathOf(slug: string, name?: string): string {
  const all = `/operator/orgs/${segment('slug', slug)}/endpoints`
  return name === undefined ? all : `${all}/${segment('name', name)}`
}
