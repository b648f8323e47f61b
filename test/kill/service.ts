// The service in a process of its own that a test kills and starts again; its state outlives it.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { buildBundle } from '../../src/scripts/bundle.ts'
import type { Served } from './serve.ts'

const OPERATOR_KEY = 'operator-key-of-the-kill-test-0123456'
const root = path.resolve(import.meta.dirname, '../..')

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** The Worker as it would be deployed, with the bindings of its configuration. */
function optionsOf(script: string): object {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(path.join(root, 'wrangler.toml'))
  const { assets: _, ...options } = workerOptions as unknown as Record<string, unknown>
  return {
    ...options,
    name: 'service',
    bindings: {
      ENVIRONMENT: 'local',
      OPERATOR_KEY,
      SECRETS_KEY: 'secrets-key-of-the-kill-test-01234567',
    },
    serviceBindings: { ASSETS: { disk: { path: root, writable: false } } },
    modules: [{ type: 'ESModule', path: script, contents: readFileSync(script, 'utf8') }],
    modulesRoot: path.dirname(script),
    rootPath: path.dirname(script),
  }
}

function migrations(): string[] {
  const folder = path.join(root, 'drizzle')
  const files = readdirSync(folder).filter(name => name.endsWith('.sql'))
  return files
    .sort()
    .flatMap(file => readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint'))
    .map(statement => statement.trim())
}

export class KilledService {
  readonly #workspace = mkdtempSync(path.join(tmpdir(), 'selvedge-kill-'))
  readonly #options = optionsOf(buildBundle(path.join(this.#workspace, 'service')))
  readonly #port: number
  #child: ChildProcess | undefined
  /** The next one, which has read its code already. */
  #next: ChildProcess | undefined
  #isMigrated = false

  constructor(port: number) {
    this.#port = port
  }

  get operator(): Record<string, string> {
    return { 'X-Operator-Key': OPERATOR_KEY }
  }

  /** Of the process that is served by. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Where its databases and objects lie. */
  get state(): string {
    return path.join(this.#workspace, 'state')
  }

  #fork(): ChildProcess {
    const serve = path.join(import.meta.dirname, 'serve.ts')
    // A group of its own: the kill reaches workerd as well.
    return fork(serve, [], { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  }

  async start(): Promise<void> {
    const child = this.#next ?? this.#fork()
    this.#child = child
    const served: Served = {
      options: this.#options,
      state: this.state,
      port: this.#port,
      migrations: this.#isMigrated ? [] : migrations(),
    }
    child.send(served)
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', code => reject(new Error(`the service ended with ${code}`)))
    })
    this.#isMigrated = true
    this.#next = this.#fork()
  }

  async kill(): Promise<void> {
    await killed(this.#child)
  }

  async end(): Promise<void> {
    await killed(this.#child)
    await killed(this.#next)
    rmSync(this.#workspace, { recursive: true, force: true })
  }

  async call<T>(method: string, route: string, headers: Record<string, string>, body?: unknown): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api${route}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Headers of a new organization. */
  async organization(slug: string): Promise<Record<string, string>> {
    await this.call('POST', '/operator/orgs', this.operator, { slug, name: slug })
    const body = { name: 'k', tier: 'internal' }
    const issued = await this.call<{ key: string }>('POST', `/operator/orgs/${slug}/api-keys`, this.operator, body)
    return { 'X-Api-Key': issued.key, 'X-Api-Org': slug }
  }
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.removeAllListeners('exit')
  const gone = new Promise(resolve => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await gone
}

export function check(name: string, actual: unknown, expected: unknown): void {
  const isRight = JSON.stringify(actual) === JSON.stringify(expected)
  const shown = (value: unknown) =>
    isRight && Array.isArray(value) ? `${value.length} of them` : JSON.stringify(value)
  const wish = isRight ? '' : `, expected ${shown(expected)}`
  console.log(`${isRight ? 'ok' : 'WRONG'}  ${name}: ${shown(actual)}${wish}`)
  if (!isRight) process.exitCode = 1
}
