// The real service, started as a person starts it (`npm run dev`), with a database that is thrown away.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { ApiError, type Client, connect, Operator } from '../../../src/clients/typescript/index.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** Ends what hangs: a busy machine takes its time. */
const START_TIMEOUT_MS = 300_000

export interface Service {
  /** For `login` by key. */
  key: { baseUrl: string; orgSlug: string; apiKey: string }
  /** For `login` by password. */
  admin: { baseUrl: string; orgSlug: string; email: string; password: string }
  operator: { baseUrl: string; operatorKey: string }
  stop(): Promise<void>
}

export async function startService(wanted?: number): Promise<Service> {
  const port = wanted ?? (await freePort())
  const state = `.wrangler/test-clients-${port}`
  await rm(path.join(root, state), { recursive: true, force: true })
  const flags = ['src/scripts/dev.ts', '--port', String(port), '--inspector-port', '0', '--persist-to', state]
  const child = spawn(process.execPath, flags, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = async () => {
    await ended(child)
    await rm(path.join(root, state), { recursive: true, force: true })
  }
  try {
    const said = await untilReady(child)
    const value = (pattern: RegExp) => pattern.exec(said)?.[1] ?? ''
    const at = { baseUrl: value(/BASE_URL=(\S+)/), orgSlug: value(/ORG_SLUG=(\S+)/) }
    const vars = await readFile(path.join(root, '.dev.vars'), 'utf8')
    return {
      key: { ...at, apiKey: value(/API_KEY=(\S+)/) },
      admin: { ...at, email: value(/Admin of demo +(\S+)/), password: value(/Admin of demo +\S+ +(\S+)/) },
      operator: { baseUrl: at.baseUrl, operatorKey: /^OPERATOR_KEY=(.+)$/m.exec(vars)?.[1] ?? '' },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A connection that stood idle while this process was busy may have been closed from the other side. */
const careful = <T>(call: () => Promise<T>): Promise<T> =>
  call().catch(error => {
    if (error instanceof ApiError && error.status === 0) return call()
    throw error
  })

/** A client for a new organization with nothing in it. */
export async function newOrg({ operator }: Service, slug: string): Promise<Client> {
  const admin = { email: `admin@${slug}.example`, password: 'correct horse battery' }
  const organizations = new Operator(operator)
  await careful(() => organizations.createOrg({ slug, name: slug, admin }))
  const { key } = await careful(() => organizations.createKey({ slug, name: 'tests', tier: 'internal' }))
  return connect({ baseUrl: operator.baseUrl, orgSlug: slug, apiKey: key })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`The service did not start:\n${said}`)), START_TIMEOUT_MS)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      if (!/Admin of demo.*\n/.test(said)) return
      clearTimeout(timer)
      resolve(said)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', code => reject(new Error(`The service ended with ${code}:\n${said}`)))
  })
}

/** The whole group that this test has started: the script, wrangler and workerd. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const gone = new Promise(resolve => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
