// Calls as a careful client makes them. A call whose answer was lost, or that was refused for the moment, is not known to have
// been done; who must know repeats it, under the same Idempotency-Key where there is one.
import { pause } from '../kill/service.ts'
import type { Entity, Json, Page, World } from './world.ts'

export interface Answer<T = Json> {
  status: number
  etag: string
  body: T
}

export interface Options {
  key?: string
  ifMatch?: string
  headers?: Record<string, string>
  body?: unknown
}

const PATIENCE_MS = 60_000
export const REPEAT_MS = 100
/** A minute of refusals: an organization that moves takes no writes for a while. */
export const MOST_TRIES = 600

/** `undefined`: nobody knows whether it was done. */
export async function attempt<T = Json>(
  world: World,
  method: string,
  path: string,
  { key, ifMatch, headers = world.headers, body }: Options = {},
): Promise<Answer<T> | undefined> {
  await world.whenUp()
  world.count('calls')
  const isText = typeof body === 'string'
  const started = performance.now()
  try {
    const response = await fetch(`http://127.0.0.1:${world.port}/api${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...headers,
        ...(body !== undefined && { 'Content-Type': isText ? 'text/csv' : 'application/json' }),
        ...(key && { 'Idempotency-Key': key.replaceAll(' ', '_') }),
        ...(ifMatch && { 'If-Match': ifMatch }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    world.latencies.push(performance.now() - started)
    if (status === 503 || status === 429) return undefined
    if (status >= 500) world.violation(`${method} ${path} answers ${status} ${text}`)
    const isJson = response.headers.get('Content-Type')?.includes('json')
    return { status, etag: response.headers.get('ETag') ?? '', body: (isJson ? JSON.parse(text) : { text }) as T }
  } catch {
    world.count('answers lost')
    return undefined
  }
}

/** Repeats until there is an answer; `isRepeat` where an earlier try may have done it already. */
export async function careful<T = Json>(
  world: World,
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<T> & { isRepeat: boolean }> {
  for (let tries = 0; ; tries++) {
    const answer = await attempt<T>(world, method, path, options)
    if (answer) return { ...answer, isRepeat: tries > 0 }
    if (tries > MOST_TRIES) throw new Error(`${method} ${path} is never answered`)
    await pause(REPEAT_MS)
  }
}

/** Anything but the statuses named is a violation. */
export async function expected<T = Json>(
  world: World,
  statuses: readonly number[],
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<T> & { isRepeat: boolean }> {
  const answer = await careful<T>(world, method, path, options)
  if (!statuses.includes(answer.status)) {
    world.violation(`${method} ${path} answers ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`)
  }
  return answer
}

export async function listAll<T = Entity>(
  world: World,
  path: string,
  headers: Record<string, string> = world.headers,
): Promise<T[]> {
  const all: T[] = []
  for (let key: string | null = ''; key !== null; ) {
    const query: string = key ? `&nextPageKey=${encodeURIComponent(key)}` : ''
    const mark = path.includes('?') ? '&' : '?'
    const { body } = await expected<Page<T>>(world, [200], 'GET', `${path}${mark}limit=1000${query}`, { headers })
    all.push(...body.results)
    key = body.nextPageKey
  }
  return all
}

export const query = (parameters: Record<string, unknown>) =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )}`
