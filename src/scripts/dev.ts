// `npm run dev`: migrates the local database, writes .dev.vars on the first start, starts the service, seeds the organization
// `demo` and prints what to copy, last and once.
//
// Wrangler's own `dev` command ends at the first connection that breaks in the middle of a body: its library builds and runs the
// Worker here, and callers come in by a door of our own.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../clients/typescript/index.ts'
import { DemoMemory } from './demo/memory.ts'
import { seedDemo } from './demo/seed.ts'
import { ensureVars } from './dev-vars.ts'
import { openDoor, type Target } from './door.ts'
import { flagsOf, refuse } from './flags.ts'
import { migrateLocally } from './migrate-locally.ts'
import { takeLock } from './state-lock.ts'

const root = path.resolve(import.meta.dirname, '../..')
const varsFile = path.join(root, '.dev.vars')
const config = path.join(root, 'wrangler.toml')
process.chdir(root)

const HELP = `npm run dev -- [flags]    starts the service on this machine, with the organization demo

  --port 8787               where it listens
  --ip localhost            on which address
  --persist-to <folder>     where its databases and files are (default: .wrangler/state)
  --inspector-port <port>   for a debugger of the Worker
  --log-level warn          info shows each request, log also what the Worker logs
`

const SEED_ATTEMPTS = 5
const PAUSE_MS = 1_000

const { values: flags } = flagsOf({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    port: { type: 'string', default: '8787' },
    ip: { type: 'string', default: 'localhost' },
    'persist-to': { type: 'string' },
    'inspector-port': { type: 'string' },
    /** `info` shows each request, `log` also what the Worker logs. */
    'log-level': { type: 'string', default: 'warn' },
  },
})
if (flags.help) {
  console.log(HELP)
  process.exit(0)
}
const persistTo = flags['persist-to']
const stateFolder = path.resolve(root, persistTo ?? '.wrangler/state')
const origin = `http://${flags.ip.includes(':') ? `[${flags.ip}]` : flags.ip}:${flags.port}`
const memory = new DemoMemory(path.join(stateFolder, 'demo.json'))

/** A connection breaks when the runtime takes in a change meanwhile; seeding finds what the broken call has left. */
async function againWhereItBreaks<T>(call: () => Promise<T>): Promise<T> {
  for (let left = SEED_ATTEMPTS; ; left--) {
    try {
      return await call()
    } catch (error) {
      if (left === 1 || !(error instanceof ApiError && error.status === 0)) throw error
      await setTimeout(PAUSE_MS)
    }
  }
}

const secret = () => randomBytes(32).toString('base64url')
const vars = ensureVars(varsFile, { ENVIRONMENT: 'local', OPERATOR_KEY: secret(), SECRETS_KEY: secret() })
// Nothing is reported, and nothing asked of the internet.
Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' })
process.env.WRANGLER_LOG = flags['log-level']
// How Wrangler starts the [build] of wrangler.toml is no concern of the reader.
process.noDeprecation = true

const lockFile = path.join(stateFolder, 'dev.lock')
const holder = takeLock(lockFile, origin)
if (holder) {
  refuse(
    `It is already running on this database: ${holder.address}, process ${holder.pid} (if there is no such service, delete ${lockFile}). ` +
      'Another one needs a database of its own: npm run dev -- --port 8788 --persist-to .wrangler/second',
  )
}
console.log('Bringing the database to the newest schema …')
await migrateLocally(config, stateFolder)
const { unstable_DevEnv: DevEnv } = await import('wrangler')

const environment = new DevEnv()
let target: Target | undefined
environment.on(
  'reloadComplete',
  ({ proxyData }: { proxyData: { userWorkerUrl: { hostname: string; port: string } } }) => {
    const { hostname, port } = proxyData.userWorkerUrl
    target = { hostname, port: Number(port) }
    environment.emit('target')
  },
)
const whereItRuns = async (): Promise<Target> => {
  while (target === undefined) await once(environment, 'target')
  return target
}
await openDoor(flags.ip, Number(flags.port), whereItRuns).catch(error =>
  refuse(`Port ${flags.port} cannot be used: ${error.message}. Choose another: npm run dev -- --port 8788`),
)

console.log('Laying out the pages and building the Worker …')
// Tests start many services at once, for all of which the pages are laid out already.
const pages = process.env.ASSETS_ARE_LAID_OUT ? undefined : path.join(stateFolder, 'pages')
if (pages !== undefined) {
  mkdirSync(pages, { recursive: true })
  process.env.ASSETS_FOLDER = pages
}

const inspectorPort = flags['inspector-port']
const worker = await environment.startWorker({
  config,
  ...(pages !== undefined && { assets: pages }),
  // By itself Wrangler takes only the required secrets from .dev.vars.
  bindings: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { type: 'secret_text', value }])),
  // The pages are laid out once, at the start, and not again with every change.
  build: { custom: { command: '' } },
  dev: {
    server: { hostname: '127.0.0.1', port: 0 },
    inspector: inspectorPort === undefined ? false : { port: Number(inspectorPort) },
    persist: persistTo,
    logLevel: flags['log-level'],
    watch: true,
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void worker.dispose().finally(() => process.exit(0)))
}

console.log('Filling the organization demo …')
// The service runs whatever becomes of the demo: somebody may have suspended it.
const demo = await againWhereItBreaks(() => seedDemo(`${origin}/api`, vars.OPERATOR_KEY ?? '', memory)).catch(
  (error: Error) => {
    console.error(`Warning: the organization demo is not as a first start makes it: ${error.message}`)
    return memory.known()
  },
)
const key = demo && `  export ORG_SLUG=demo\n  export API_KEY=${demo.apiKey}\n`
const admin = demo && `  Admin of demo   ${demo.email}  ${demo.password}\n`
console.log(`
Selvedge is ready.

  export BASE_URL=${origin}/api
${key ?? ''}
  Console         ${origin}/console/
  API reference   ${origin}/docs
${admin ?? ''}  Operator key    in .dev.vars (OPERATOR_KEY)
  A load to try   npm run -s selvedge -- load upload-and-load src/scripts/demo/styles.csv src/scripts/demo/styles.yaml
`)
