// What wrangler.toml says about the environment that is deployed to.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { unstable_readConfig as readConfig } from 'wrangler'
import { root } from './cloudflare.ts'

export interface Target {
  environment: string
  /** Wrangler's own flag: production is the top of wrangler.toml. */
  envFlag: string
  accountId: string | undefined
  worker: string
  /** The directory first; organizations are spread over all of them (N56). */
  databases: { name: string; id: string | undefined }[]
  /** In their order. */
  migrations: string[]
  /** Of a jurisdiction: those of its names are apart from all others. */
  buckets: { name: string; jurisdiction: string | undefined }[]
  queues: string[]
  requiredSecrets: string[]
  publicUrl: string | undefined
}

/** What is read of Wrangler's configuration. */
interface Config {
  name?: string
  account_id?: string
  d1_databases: { database_name?: string; database_id?: string; migrations_dir?: string }[]
  r2_buckets: { bucket_name?: string; jurisdiction?: string }[]
  queues: { producers?: { queue?: string }[] }
  secrets?: { required?: string[] }
  vars: Record<string, unknown>
}

export function targetOf(environment: string): Target {
  const env = environment === 'production' ? '' : environment
  const config: Config = readConfig({ config: path.join(root, 'wrangler.toml'), env }, { hideWarnings: true })
  const databases = config.d1_databases.flatMap(({ database_name: name, database_id: id }) =>
    name ? { name, id } : [],
  )
  if (!config.name || databases.length === 0) throw new Error('wrangler.toml names no Worker or no database')
  const folder = path.join(root, config.d1_databases[0]?.migrations_dir ?? 'migrations')
  return {
    environment,
    envFlag: `--env=${env}`,
    accountId: config.account_id,
    worker: config.name,
    databases,
    migrations: readdirSync(folder)
      .filter(name => name.endsWith('.sql'))
      .sort(),
    buckets: config.r2_buckets.flatMap(({ bucket_name: name, jurisdiction }) => (name ? { name, jurisdiction } : [])),
    queues: config.queues.producers?.flatMap(({ queue }) => queue ?? []) ?? [],
    requiredSecrets: config.secrets?.required ?? [],
    publicUrl: typeof config.vars.PUBLIC_URL === 'string' ? config.vars.PUBLIC_URL : undefined,
  }
}
