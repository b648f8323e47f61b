// `npm run dev`: migrates the local database, writes .dev.vars on the first start, starts the service, seeds the organization
// `demo` and prints what to copy. Further flags go on to wrangler.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Demo, seedDemo } from './seed.ts'

const root = path.resolve(import.meta.dirname, '../..')
const varsFile = path.join(root, '.dev.vars')
const flags = process.argv.slice(2)

function flag(name: string): string | undefined {
  const at = flags.findIndex(candidate => candidate === name || candidate.startsWith(`${name}=`))
  return at < 0 ? undefined : flags[at]?.includes('=') ? flags[at]?.split('=')[1] : flags[at + 1]
}

const port = flag('--port') ?? '8787'
const persistTo = flag('--persist-to')
// Beside the database that knows the key; in .dev.vars it would make wrangler start anew.
const demoFile = path.join(path.resolve(root, persistTo ?? '.wrangler/state'), 'demo.json')

function readVars(): Record<string, string> {
  if (!existsSync(varsFile)) return {}
  const lines = readFileSync(varsFile, 'utf8').split('\n')
  return Object.fromEntries(lines.filter(line => line.includes('=')).map(line => line.split(/=(.*)/s).slice(0, 2)))
}

function readDemo(): Demo | undefined {
  return existsSync(demoFile) ? (JSON.parse(readFileSync(demoFile, 'utf8')) as Demo) : undefined
}

/** Keeps what is there and adds what is missing. */
function ensureVars(wanted: Record<string, string>): Record<string, string> {
  const present = readVars()
  for (const [name, value] of Object.entries(wanted)) {
    if (!(name in present)) appendFileSync(varsFile, `${name}=${value}\n`, { mode: 0o600 })
  }
  return readVars()
}

const secret = () => randomBytes(32).toString('base64url')
const vars = ensureVars({ ENVIRONMENT: 'local', OPERATOR_KEY: secret(), SECRETS_KEY: secret() })

const wrangler = path.join(root, 'node_modules/wrangler/bin/wrangler.js')
const quiet = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }

execFileSync('node', [path.join(root, 'src/scripts/assets.ts')], { stdio: 'inherit' })
console.log('Migrating the local database …')
const persistFlags = persistTo ? ['--persist-to', persistTo] : []
execFileSync('node', [wrangler, 'd1', 'migrations', 'apply', 'selvedge', '--local', ...persistFlags], {
  cwd: root,
  env: quiet,
  stdio: ['ignore', 'ignore', 'inherit'],
})

const defaults = flag('--port') ? [] : ['--port', port]
const service: ChildProcess = spawn(
  'node',
  [wrangler, 'dev', '--show-interactive-dev-session=false', ...defaults, ...flags],
  {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
service.on('exit', code => process.exit(code ?? 0))

const origin = `http://localhost:${port}`
try {
  const demo = await seedDemo(origin, vars.OPERATOR_KEY ?? '', readDemo())
  writeFileSync(demoFile, JSON.stringify(demo), { mode: 0o600 })
  console.log(`
Selvedge is ready.

  export BASE_URL=${origin}/api
  export ORG_SLUG=demo
  export API_KEY=${demo.apiKey}

  API reference   ${origin}/docs
  Admin of demo   ${demo.email}  ${demo.password}
  Operator key    in .dev.vars (OPERATOR_KEY)
`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  service.kill('SIGTERM')
  process.exitCode = 1
}
