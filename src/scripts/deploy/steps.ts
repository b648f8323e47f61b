// The steps of a deploy, in their order. Each looks first and tells what it would do; doing it again changes nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ApiFailure, type Cloudflare, wrangler } from './cloudflare.ts'
import type { Place } from './place.ts'
import { VERSION } from './release.ts'
import {
  earlierSecretsFile,
  isFile,
  isPipeline,
  makeSecrets,
  planSecrets,
  rememberedIn,
  secretsFile,
  withPrivateFolder,
} from './secrets.ts'
import { smokeTest } from './smoke.ts'
import type { Target } from './target.ts'

/** What the steps hand on. */
export interface Progress {
  /** By name, of those that there are. */
  databaseIds: Map<string, string>
  /** Of what is created. */
  place: Place
  secrets: Record<string, string>
  operatorKey?: OperatorKey
  /** What stands behind `--` on the command line goes on to `wrangler deploy`. */
  wranglerArguments: string[]
  origin?: string | undefined
  /** How long the smoke test waits for it to work. */
  patienceMs: number
}

/** Where the operator's key stands on this machine, as far as it does. */
interface OperatorKey {
  file: string
  /** Otherwise the Worker had one before, and somebody may have changed it since. */
  isUploaded: boolean
}

export interface Outlook {
  /** What there is to do; none: it is as it should be. */
  todo?: string
  /** What is so, where there is nothing to do. */
  as?: string
  /** What it gives is shown, where it is a text. */
  act?(): unknown
}

export interface Step {
  name: string
  /** The permission of a token that it takes, as the dashboard calls it. */
  permission: string
  look(account: Cloudflare, target: Target, progress: Progress): Promise<Outlook> | Outlook
}

interface Database {
  uuid: string
  name: string
  read_replication?: { mode: string }
}

const shown = ({ location, jurisdiction }: Place) =>
  jurisdiction ? ` in jurisdiction ${jurisdiction}` : location ? ` near ${location}` : ''

const listed = (names: readonly string[]) => names.join(' and ')

const LOST_WITH_THE_MACHINE =
  'WARNING: what was made here goes with the machine of this pipeline. Set OPERATOR_KEY and SECRETS_KEY as its secrets before the first deploy, or keep'

const secrets: Step = {
  name: 'secrets',
  permission: 'Account · Workers Scripts · Edit',
  async look(account, target, progress) {
    const present = (await account.find<{ name: string }[]>(`/workers/scripts/${target.worker}/secrets`)) ?? []
    const names = present.map(({ name }) => name)
    const ownFile = secretsFile(target.worker, account.accountId)
    const files = [ownFile, ...(await earlierFiles(account, target))]
    const plan = planSecrets(target.requiredSecrets, names, files)
    const told = [
      ...Object.keys(plan.given).map(name => `${name} from the environment`),
      ...Object.entries(plan.remembered).map(([name, { file }]) => `${name} from ${file}`),
      ...plan.missing.map(name => `${name}, made at random and kept in ${ownFile}`),
    ]
    noteOperatorKey(progress, files, false)
    if (told.length === 0) return { as: `the Worker has ${plan.kept.join(' and ')}` }
    return {
      todo: `upload with the code: ${told.join('; ')}`,
      act() {
        progress.secrets = makeSecrets(plan, ownFile)
        noteOperatorKey(progress, files, true)
        return plan.missing.length > 0 && isPipeline() && `${LOST_WITH_THE_MACHINE} ${ownFile}`
      },
    }
  },
}

function noteOperatorKey(progress: Progress, files: readonly string[], isUploading: boolean): void {
  const found = rememberedIn(files).get('OPERATOR_KEY')
  if (found) {
    progress.operatorKey = {
      file: found.file,
      isUploaded: isUploading && progress.secrets.OPERATOR_KEY === found.value,
    }
  }
}

/** A file that names no account is not that of an account where nothing was deployed yet: the database always came before it. */
async function earlierFiles(account: Cloudflare, { environment, databases: [first] }: Target): Promise<string[]> {
  const file = earlierSecretsFile(environment)
  return first && isFile(file) && (await foundDatabase(account, first.name, first.id)) ? [file] : []
}

const database: Step = {
  name: 'database',
  permission: 'Account · D1 · Edit',
  async look(account, { databases }, progress) {
    for (const { name, id } of databases) {
      const found = await foundDatabase(account, name, id)
      if (found) progress.databaseIds.set(name, found.uuid)
    }
    const missing = databases.map(({ name }) => name).filter(name => !progress.databaseIds.has(name))
    if (missing.length === 0) {
      return { as: `${listed(databases.map(({ name }) => name))} ${databases.length > 1 ? 'are' : 'is'} there` }
    }
    return {
      todo: `create ${listed(missing)}${shown(progress.place)}`,
      async act() {
        const { location: primary_location_hint, jurisdiction } = progress.place
        for (const name of missing) {
          const wanted = { name, primary_location_hint, jurisdiction }
          progress.databaseIds.set(name, (await account.call<Database>('POST', '/d1/database', wanted)).uuid)
        }
      },
    }
  },
}

async function foundDatabase(account: Cloudflare, name: string, id: string | undefined): Promise<Database | undefined> {
  if (id === undefined) {
    const named = await account.call<Database[]>('GET', `/d1/database?name=${encodeURIComponent(name)}`)
    return named.find(each => each.name === name)
  }
  const found = await account.find<Database>(`/d1/database/${id}`)
  if (!found) throw new Error(`wrangler.toml names database ${id}, which this account does not have`)
  return found
}

const replication: Step = {
  name: 'replicas',
  permission: 'Account · D1 · Edit',
  async look(account, { databases }, { databaseIds }) {
    const without: string[] = []
    for (const { name } of databases) {
      const id = databaseIds.get(name)
      const mode = id && (await account.call<Database>('GET', `/d1/database/${id}`)).read_replication?.mode
      if (mode !== 'auto') without.push(name)
    }
    if (without.length === 0) return { as: 'read replication is on' }
    return {
      todo: `turn read replication on for ${listed(without)}`,
      async act() {
        for (const name of without) {
          await account.call('PUT', `/d1/database/${databaseIds.get(name)}`, { read_replication: { mode: 'auto' } })
        }
      },
    }
  },
}

const migrations: Step = {
  name: 'migrations',
  permission: 'Account · D1 · Edit',
  async look(account, { migrations: files, databases, envFlag }, { databaseIds }) {
    const behind: { name: string; pending: string[] }[] = []
    for (const { name } of databases) {
      const id = databaseIds.get(name)
      const applied = id ? await appliedMigrations(account, id) : []
      const pending = files.filter(file => !applied.includes(file))
      if (pending.length) behind.push({ name, pending })
    }
    if (behind.length === 0) return { as: `all ${files.length} are applied` }
    const told = behind.map(({ name, pending }) => {
      return `${pending.length} to ${name}: ${pending.map(file => file.replace(/\.sql$/, '')).join(', ')}`
    })
    return {
      todo: `apply ${told.join('; ')}`,
      // CI: it is not asked for again.
      async act() {
        for (const { name } of behind) {
          await wrangler(account, ['d1', 'migrations', 'apply', name, '--remote', envFlag], { CI: 'true' })
        }
      },
    }
  },
}

async function appliedMigrations(account: Cloudflare, databaseId: string): Promise<string[]> {
  try {
    const [answer] = await account.call<{ results: { name: string }[] }[]>('POST', `/d1/database/${databaseId}/query`, {
      sql: 'SELECT name FROM d1_migrations ORDER BY id',
    })
    return answer?.results.map(({ name }) => name) ?? []
  } catch (error) {
    if (error instanceof ApiFailure && /no such table/.test(error.message)) return []
    throw error
  }
}

const upload: Step = {
  name: 'upload',
  permission:
    'Account · Workers Scripts · Edit, Workers R2 Storage · Edit, Queues · Edit; for routes: Zone · Workers Routes · Edit',
  async look(account, target, progress) {
    const buckets = await missingBuckets(account, target)
    const queues = await missingQueues(account, target)
    const missing = [
      ...buckets.map(({ name, jurisdiction }) => `create bucket ${name}${shown({ ...progress.place, jurisdiction })}`),
      ...queues.map(name => `create queue ${name}`),
    ]
    return {
      todo: `${[...missing, `upload Worker ${target.worker} ${VERSION}`].join(', ')}`,
      async act() {
        for (const bucket of buckets) {
          const wanted = { name: bucket.name, locationHint: progress.place.location }
          await account.call('POST', '/r2/buckets', wanted, jurisdictionOf(bucket))
        }
        const found = await uploaded(account, target, progress)
        progress.origin ??= found
        return progress.origin
      },
    }
  },
}

type Bucket = Target['buckets'][number]

const jurisdictionOf = ({ jurisdiction }: Bucket) => (jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {})

async function missingBuckets(account: Cloudflare, { buckets }: Target): Promise<Bucket[]> {
  const missing: Bucket[] = []
  for (const bucket of buckets) {
    if (!(await account.find(`/r2/buckets/${bucket.name}`, jurisdictionOf(bucket)))) missing.push(bucket)
  }
  return missing
}

/** Wrangler creates them as it uploads; looked for here to be told. */
async function missingQueues(account: Cloudflare, { queues }: Target): Promise<string[]> {
  const there = await account.call<{ queue_name: string }[]>(
    'GET',
    `/queues?${queues.map(name => `name=${name}`).join('&')}`,
  )
  return queues.filter(queue => !there.some(({ queue_name }) => queue_name === queue))
}

/** One upload of code, pages and secrets. Where it can be reached, as far as Wrangler knows. */
function uploaded(account: Cloudflare, { envFlag }: Target, progress: Progress): Promise<string | undefined> {
  return withPrivateFolder(async folder => {
    const output = path.join(folder, 'output.ndjson')
    const file = path.join(folder, 'secrets.json')
    // Also without new secrets: with the file, those that are there are kept by word.
    writeFileSync(file, JSON.stringify(progress.secrets), { mode: 0o600 })
    const args = ['deploy', '--minify', envFlag, '--tag', VERSION, '--secrets-file', file]
    await wrangler(account, [...args, ...progress.wranglerArguments], { WRANGLER_OUTPUT_FILE_PATH: output })
    return addressIn(readFileSync(output, 'utf8'))
  })
}

function addressIn(output: string): string | undefined {
  const entries = output
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { type: string; targets?: string[] })
  const targets = entries.find(({ type }) => type === 'deploy')?.targets ?? []
  const domain = targets.flatMap(target => /^([\w.-]+\.\w+) \(custom domain/.exec(target)?.[1] ?? []).at(0)
  return domain ? `https://${domain}` : targets.find(target => target.startsWith('https://'))
}

const smoke: Step = {
  name: 'smoke test',
  permission: 'none',
  look(_account, { environment }, { origin, patienceMs }) {
    return {
      todo: `ask ${origin ?? 'the address of the Worker'} for version, schema and bindings`,
      act() {
        if (!origin) return 'left out: Wrangler names no address; give one with --url'
        return smokeTest(origin, environment, patienceMs)
      },
    }
  },
}

/** What `--migrate-only` does: the code that runs goes on with the schema of the next. */
export const SCHEMA_STEPS: readonly Step[] = [database, replication, migrations]
export const STEPS: readonly Step[] = [secrets, ...SCHEMA_STEPS, upload, smoke]
