// Calls of the Worker's fetch handler with real bindings. Each test makes its own organization. The handler is called
// directly: through the service binding every call of a file takes longer than the one before.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env as workerEnv } from 'cloudflare:workers'
import worker from '../../src/index.ts'
import type { Env } from '../../src/platform/env.ts'

export const env = workerEnv as unknown as Env
export const ORIGIN = 'https://selvedge.test'
export const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789'

export type Json = Record<string, unknown> & { results?: Json[] }

export interface Answer<T = Json> {
  status: number
  headers: Headers
  body: T
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

/** The answer, and the end of the work that was deferred behind it. */
export function send(request: Request): { response: Promise<Response>; settled(): Promise<void> } {
  const execution = createExecutionContext()
  const handled = worker.fetch(request, env, execution)
  return { response: Promise.resolve(handled), settled: () => waitOnExecutionContext(execution) }
}

export function fetchWorker(path: string, init?: RequestInit): Promise<Response> {
  return send(new Request(ORIGIN + path, init)).response
}

export async function call<T = Json>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const { body, headers = {} } = options
  const request = new Request(ORIGIN + path, {
    method,
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const sent = send(request)
  const response = await sent.response
  const text = await response.text()
  await sent.settled()
  const isJson = response.headers.get('Content-Type')?.includes('json') && !isLines(response)
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
}

/** A JSON object a line is a text, not a document. */
const isLines = ({ headers }: Response) => headers.get('Content-Type')?.includes('ndjson') ?? false

export function operator<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  return call<T>(method, `/api/operator${path}`, { body, headers: { 'X-Operator-Key': OPERATOR_KEY } })
}

/** An organization with a key, and calls in its name. */
export class TestOrg {
  readonly slug: string
  readonly id: string
  readonly key: string

  constructor(slug: string, id: string, key: string) {
    this.slug = slug
    this.id = id
    this.key = key
  }

  get headers(): Record<string, string> {
    return { 'X-Api-Key': this.key, 'X-Api-Org': this.slug }
  }

  call<T = Json>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return call<T>(method, `/api${path}`, { ...options, headers: { ...this.headers, ...options.headers } })
  }

  get<T = Json>(path: string, query: Record<string, unknown> = {}): Promise<Answer<T>> {
    return this.call<T>('GET', path + queryText(query))
  }

  post<T = Json>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call<T>('POST', path, { body })
  }

  put<T = Json>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call<T>('PUT', path, { body })
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path)
  }

  /** Creates and hands back the entity; a refusal fails the test. */
  async make(path: string, body: Json = {}): Promise<Json & { id: string }> {
    const answer = await this.post(path, body)
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Json & { id: string }
  }
}

/** Objects become JSON, as in `criteria`. */
export function queryText(query: Record<string, unknown>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return entries.length ? `?${new URLSearchParams(entries)}` : ''
}

let made = 0

export async function newOrg(
  key: { scope?: 'read' | 'write'; tier?: string } = {},
  // Many tests look into it by SQL of their own.
  database = 'DB',
): Promise<TestOrg> {
  const slug = `org-${++made}-${crypto.randomUUID().slice(0, 8)}`
  const org = await operator<{ id: string }>('POST', '/orgs', { slug, name: slug, database })
  const issued = await operator<{ key: string }>('POST', `/orgs/${slug}/api-keys`, {
    name: 'test',
    tier: 'internal',
    ...key,
  })
  return new TestOrg(slug, org.body.id, issued.body.key)
}

/** The change records of an entity, oldest first, as they lie in the table. */
export async function recordsOf(id: string): Promise<{ change_type: string; version: number; detail: Json }[]> {
  const { results } = await env.DB.prepare(
    'SELECT change_type, version, detail FROM changes WHERE entity_id = ? ORDER BY seq',
  )
    .bind(id)
    .all<{ change_type: string; version: number; detail: string }>()
  return results.map(row => ({ ...row, detail: JSON.parse(row.detail) as Json }))
}
