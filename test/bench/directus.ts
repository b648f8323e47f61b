// Directus with SQLite in a process of its own: installed into an ignored folder on first use, on a fresh database each time.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { Target } from './client.ts'
import { root, workspace } from './runtime.ts'

export const VERSION = '12.4.0'
/** Its native parts are built from source where no built ones can be had, and do not build on every Node. */
const NODE_VERSION = '22.23.3'
const TOKEN = 'token-of-the-bench-0123456789'
const STARTS_WITHIN_MS = 120_000

const home = path.join(root, 'dist/peers', `directus-${VERSION}`)
const cli = path.join(home, 'node_modules/directus/cli.js')
const nodePackage = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`
const nodeHome = path.join(home, 'node_modules', nodePackage)
const node = path.join(nodeHome, 'bin/node')

export interface Directus {
  target: Target
  stop(): Promise<void>
}

/** With a Node of its own, whose headers lie beside it. */
function install(): void {
  if (existsSync(cli)) return
  console.log(`installing Directus ${VERSION}, which takes minutes …`)
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n')
  const env = {
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodeHome,
  }
  for (const name of [`${nodePackage}@${NODE_VERSION}`, `directus@${VERSION}`]) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', name], {
      cwd: home,
      env,
      stdio: 'inherit',
    })
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

async function ready(target: Target, child: ChildProcess): Promise<void> {
  const ends = Date.now() + STARTS_WITHIN_MS
  for (;;) {
    const isUp = await target.call({ method: 'GET', path: '/server/info' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (child.exitCode !== null || Date.now() > ends) throw new Error('Directus did not start')
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

/** Its items are known by the field that is the key; where none is named, Directus counts them. */
export async function addCollection(
  { target }: Directus,
  collection: string,
  properties: Record<string, string>,
  key?: string,
): Promise<void> {
  const fields = Object.entries(properties).map(([field, type]) => ({
    field,
    type,
    schema: field === key ? { is_primary_key: true, length: 255 } : {},
    meta: {},
  }))
  await target.call({ method: 'POST', path: '/collections', body: { collection, schema: {}, meta: {}, fields } })
}

export async function startDirectus(): Promise<Directus> {
  install()
  const state = path.join(workspace, 'directus')
  mkdirSync(state, { recursive: true })
  const port = await freePort()
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: 'secret-of-the-bench-0123456789-0123456789',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: path.join(state, 'data.db'),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-bench',
    ADMIN_TOKEN: TOKEN,
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    // It turns requests away on a busy machine; what it does with them is to be measured.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  await promisify(execFile)(node, [cli, 'bootstrap'], { cwd: state, env })
  const child = spawn(node, [cli, 'start'], { cwd: state, env, stdio: 'ignore' })
  const target = new Target(env.PUBLIC_URL, { Authorization: `Bearer ${TOKEN}` })
  const stop = async () => {
    target.close()
    const gone = new Promise(resolve => child.once('exit', resolve))
    if (child.exitCode === null && child.kill()) await gone
    rmSync(state, { recursive: true, force: true })
  }
  try {
    await ready(target, child)
    return { target, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
