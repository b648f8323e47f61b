// What a verb is given: who asks, for which organization, and the way to its data.

import type { Database } from './db/client.ts'
import type { Env } from './env.ts'
import type { Tier } from './http/rate-limit.ts'

export type ActorType = 'user' | 'app' | 'operator' | 'loader' | 'workflow'

export interface Actor {
  id: string
  type: ActorType
}

export interface Org {
  id: string
  slug: string
}

export type CredentialKind = 'app' | 'user' | 'token' | 'session'

/** The caller as its credential shows it. */
export interface Principal {
  credentialId: string
  credentialKind: CredentialKind
  org: Org
  actor: Actor
  userId: string | null
  role: 'admin' | 'member' | null
  scope: 'read' | 'write'
  tier: Tier
  suspended: boolean
  expiresOn: number | null
  /** The entity types that the key is limited to. */
  entityTypes?: readonly string[] | undefined
  /** The blocks of addresses that it may be used from. */
  addresses?: readonly string[] | undefined
  /** The one task that the caller may call back, where it came with that task's token. */
  taskId?: string
}

export interface Idempotency {
  credentialId: string
  key: string
  /** Of the whole request. */
  digest: string
}

export interface Context {
  env: Env
  org: Org
  actor: Actor
  principal: Principal
  db: Database
  now: number
  requestId: string
  /** Where the request came from; none where no request stands behind the work. */
  address?: string
  /** Whose operator key was sent, by name. */
  operator?: string
  /** Base address of the API for links in answers: `PUBLIC_URL`, else as the caller wrote it. */
  baseUrl: string
  /** How deep in a chain of workflows the caller stands: one of our own outbound calls that came back to us (N68). */
  chainDepth?: number
  /** The caller's Idempotency-Key; the first commit of the request takes it (N18). */
  idempotency?: Idempotency | undefined
  /** Everything that a commit checks is checked, and nothing is kept. */
  isDryRun?: boolean
  /** An id that all repeats under one Idempotency-Key share: what was made with it is known again (N64). */
  repeatId?: string
  /** Work that may end after the answer. */
  defer(work: Promise<unknown>): void
  /** Wakes the listeners to changes of the organization. */
  announce(): void
  /** Something was committed: the search index follows it. */
  committed(): void
  /** Arms the organization's watchdog, before the work that it guards exists: the caller may die at any line. */
  keepWatch(): Promise<void>
}

/** What a call without an organization is given. */
export type OpenContext = Omit<Context, 'org' | 'actor' | 'principal' | 'db' | 'announce' | 'committed' | 'keepWatch'>
