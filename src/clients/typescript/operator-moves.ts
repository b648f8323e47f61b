// Moves of organizations from one database of the deployment to another (N57).
import { segment } from './address.ts'
import type { CallOptions, Requests } from './request.ts'

export interface OrganizationMove {
  id: string
  /** Slug. */
  organization: string
  from: string
  to: string
  state: 'moving' | 'complete' | 'cancelled' | 'failed'
  phase: string
  percent: number
  rows: { total: number; copied: number; compared: number; followed: number }
  /** Rows of each table, the same in both databases when it was moved. */
  tables: Record<string, number>
  /** How long writes were refused. */
  stoppedMs: number
  startedOn: string
  touchedOn: string
  endedOn: string | null
  error: string | null
}

type OfOrg = { slug: string } & CallOptions

export class Moves {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Begins in the background; sent again while it is under way, it answers how far it is. */
  async begin(args: OfOrg & { database: string }): Promise<OrganizationMove> {
    const { slug, database, ...options } = args
    const json = { database }
    return this.#requests.json({ ...options, method: 'POST', path: movePath(slug), json, idempotent: true })
  }

  /** How far the last one is, or how it ended. */
  async get(args: OfOrg): Promise<OrganizationMove> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: movePath(slug) })
  }

  /** The organization stays where it was. */
  async cancel(args: OfOrg): Promise<OrganizationMove> {
    const { slug, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `${movePath(slug)}/cancel`, idempotent: true })
  }
}

const movePath = (slug: string) => `/operator/orgs/${segment('slug', slug)}/move`
