// An account of Cloudflare as far as a deploy can see it: what it holds, without a network.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export interface Binding {
  type: string
  name: string
  [property: string]: unknown
}

export interface Metadata {
  bindings: Binding[]
  main_module?: string
  keep_bindings?: string[]
  migrations?: { new_tag: string; steps?: { new_sqlite_classes?: string[] }[] }
  annotations?: Record<string, string>
  assets?: { jwt: string }
  [property: string]: unknown
}

export interface Version {
  id: string
  metadata: Metadata
  /** By file name. */
  modules: Map<string, string>
  /** Of the Worker's Durable Objects, once it was uploaded. */
  migrationTag: string | undefined
}

export interface Script {
  versions: Version[]
  /** Newest first, as the API lists them. */
  deployments: { id: string; created_on: string; versions: { version_id: string; percentage: number }[] }[]
  secrets: Map<string, string>
  schedules: unknown[]
  subdomain: { enabled: boolean; previews_enabled: boolean }
  migrationTag: string | undefined
  /** Of Durable Objects that there are. */
  classes: Set<string>
  tags: string[]
}

export interface Database {
  uuid: string
  name: string
  read_replication: { mode: string }
  primary_location_hint: string | undefined
  jurisdiction: string | undefined
  sqlite: DatabaseSync
}

export interface NewDatabase {
  name: string
  primary_location_hint?: string
  jurisdiction?: string
}

export interface Queue {
  queue_id: string
  queue_name: string
  consumers: { consumer_id: string; script: string; type: 'worker'; [property: string]: unknown }[]
}

export const ACCOUNT_ID = 'a'.repeat(32)

export class Account {
  subdomain: string | undefined = 'acme'
  readonly databases: Database[] = []
  /** Those of a jurisdiction as `eu/name`: their names are apart. */
  readonly buckets = new Set<string>()
  /** By bucket, where one was given. */
  readonly locationHints = new Map<string, string>()
  readonly queues: Queue[] = []
  readonly scripts = new Map<string, Script>()
  /** Assets by their hash. */
  readonly assets = new Set<string>()

  createDatabase({ name, primary_location_hint, jurisdiction }: NewDatabase): Database {
    const database = {
      uuid: randomUUID(),
      name,
      primary_location_hint,
      jurisdiction,
      read_replication: { mode: 'disabled' },
      sqlite: new DatabaseSync(':memory:'),
    }
    this.databases.push(database)
    return database
  }

  /** All that a repeat must leave as it is. Versions of the code come with every upload. */
  picture() {
    return {
      databases: this.databases.map(({ sqlite, ...rest }) => ({
        ...rest,
        schema: sqlite.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all(),
        applied: sqlite.prepare('SELECT * FROM d1_migrations').all(),
      })),
      buckets: [...this.buckets],
      locationHints: [...this.locationHints],
      queues: structuredClone(this.queues),
      scripts: [...this.scripts].map(([name, script]) => ({
        name,
        secrets: [...script.secrets],
        schedules: script.schedules,
        subdomain: script.subdomain,
        migrationTag: script.migrationTag,
        bindings: script.versions.at(-1)?.metadata.bindings.filter(({ type }) => !isInherited(type)),
        code: [...(script.versions.at(-1)?.modules ?? [])],
      })),
    }
  }

  close(): void {
    for (const { sqlite } of this.databases) sqlite.close()
  }
}

/** A repeat says "as before" of what the first deploy named. */
const isInherited = (type: string) => ['inherit', 'd1', 'queue', 'r2_bucket', 'secret_text'].includes(type)
