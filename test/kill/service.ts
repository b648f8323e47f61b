// The service in a process of its own that a test kills and starts again; its state outlives it.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildBundle } from '../../src/scripts/bundle.ts'

const OPERATOR_KEY = 'operator-key-of-the-kill-test-0123456'

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

export class KilledService {
  readonly #workspace = mkdtempSync(path.join(tmpdir(), 'selvedge-kill-'))
  readonly #script = buildBundle(path.join(this.#workspace, 'service'))
  readonly #port: number
  #child: ChildProcess | undefined

  constructor(port: number) {
    this.#port = port
  }

  get operator(): Record<string, string> {
    return { 'X-Operator-Key': OPERATOR_KEY }
  }

  async start(): Promise<void> {
    const serve = path.join(import.meta.dirname, 'serve.ts')
    const args = [this.#script, path.join(this.#workspace, 'state'), String(this.#port), OPERATOR_KEY]
    // A group of its own: the kill reaches workerd as well.
    const child = fork(serve, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', code => reject(new Error(`the service ended with ${code}`)))
    })
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.removeAllListeners('exit')
    const gone = new Promise(resolve => child.once('exit', resolve))
    process.kill(-child.pid, 'SIGKILL')
    await gone
  }

  async end(): Promise<void> {
    await this.kill()
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

export function check(name: string, actual: unknown, expected: unknown): void {
  const isRight = JSON.stringify(actual) === JSON.stringify(expected)
  const shown = (value: unknown) =>
    isRight && Array.isArray(value) ? `${value.length} of them` : JSON.stringify(value)
  const wish = isRight ? '' : `, expected ${shown(expected)}`
  console.log(`${isRight ? 'ok' : 'WRONG'}  ${name}: ${shown(actual)}${wish}`)
  if (!isRight) process.exitCode = 1
}
