// `npm run deploy`: creates what is missing (database, bucket, queues), migrates, deploys, and makes sure that the secrets are
// set. Safe to repeat. Needs `npx wrangler login` or CLOUDFLARE_API_TOKEN; further flags go on to `wrangler deploy`.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const wrangler = path.join(root, 'node_modules/wrangler/bin/wrangler.js')
const ALREADY_THERE = /already exists|already taken|10004|11009|name is already in use/i

function ask(args: string[], input?: string): { ok: boolean; text: string } {
  const run = spawnSync('node', [wrangler, ...args], {
    cwd: root,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  })
  return { ok: run.status === 0, text: `${run.stdout}\n${run.stderr}` }
}

function run(args: string[]): void {
  execFileSync('node', [wrangler, ...args], { cwd: root, stdio: 'inherit' })
}

function ensure(what: string, args: string[]): void {
  const { ok, text } = ask(args)
  if (!ok && !ALREADY_THERE.test(text)) {
    console.error(text)
    throw new Error(`${what} could not be created`)
  }
  console.log(`${what}: ${ok ? 'created' : 'there already'}`)
}

const { text: account } = ask(['whoami'])
if (/not authenticated/i.test(account)) {
  console.error(
    'You are not signed in to Cloudflare.\nRun `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
  )
  process.exit(4)
}

execFileSync('node', [path.join(root, 'src/scripts/assets.ts')], { stdio: 'inherit' })
ensure('database selvedge', ['d1', 'create', 'selvedge'])
ensure('bucket selvedge-files', ['r2', 'bucket', 'create', 'selvedge-files'])
for (const queue of ['selvedge-loads', 'selvedge-steps', 'selvedge-dead-letters']) {
  ensure(`queue ${queue}`, ['queues', 'create', queue])
}
run(['d1', 'migrations', 'apply', 'selvedge', '--remote'])
run(['deploy', '--minify', ...process.argv.slice(2)])

const { text: present } = ask(['secret', 'list'])
for (const name of ['OPERATOR_KEY', 'SECRETS_KEY']) {
  if (present.includes(name)) continue
  const value = process.env[name] ?? randomBytes(32).toString('base64url')
  const { ok, text } = ask(['secret', 'put', name], value)
  if (!ok) throw new Error(`${name} could not be set: ${text}`)
  if (name === 'OPERATOR_KEY' && process.env[name] === undefined) {
    console.log(`\nOPERATOR_KEY, shown this once; keep it safe:\n\n  ${value}\n`)
  }
}
