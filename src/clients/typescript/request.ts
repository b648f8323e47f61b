// The one way out: every call of the client goes through `Requests`. It builds the request, gives it a deadline, repeats it
// where that is safe, and turns whatever comes back into a value or an ApiError. It knows no resource of the service.

import { baseAddress, type Query, queryString } from './address.ts'
import { bodyOf, errorOf, refuseRedirect, unanswered, watched } from './answer.ts'
import { ApiError, ArgumentError } from './api-error.ts'
import { BOOKMARK_HEADER, Bookmark } from './bookmark.ts'
import { DEFAULT_MAX_RETRIES, delayMs, leavesInDoubt, mayRepeat, type Repeat, retryAfterMs } from './retry.ts'
import { Deadline, sleep } from './wait.ts'

export const DEFAULT_TIMEOUT_MS = 30_000

export interface ConnectionOptions {
  /** Base address of the API, for example `https://selvedge.example.com/api`. */
  baseUrl: string
  /** How long one attempt may take (default 30 seconds). */
  timeoutMs?: number | undefined
  /** How often a failed call is repeated where that is safe (default 4; 0 switches repeats off). */
  maxRetries?: number | undefined
  /** Ends every call of this client that has no signal of its own. */
  signal?: AbortSignal | undefined
  /** Headers to send with every call. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Another fetch, for example that of a service binding. */
  fetch?: typeof fetch | undefined
  /** How far an earlier client has read and written, as `onBookmark` told it: what it wrote is seen by this one, and read nearby. */
  bookmark?: string | undefined
  /** Told how far this client has come, whenever that changes; undefined where nobody knows. */
  onBookmark?: ((bookmark: string | undefined) => void) | undefined
}

/** What every method of the client takes beside its own arguments. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the base address, starting with a slash. */
  path: string
  query?: Query | undefined
  json?: unknown
  /** A body as it is; held in memory or a Blob, so that it can be sent again. */
  content?: Blob | Uint8Array | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Made by the client for each POST unless given here. */
  idempotencyKey?: string | undefined
  repeat?: Repeat | undefined
  /** A POST that may be carried out twice without harm, so that it needs no idempotency key. */
  idempotent?: boolean | undefined
  /** A repeat that gets this status after an attempt in doubt has found its own work done: there is no answer then. */
  doneStatus?: 404 | 409 | undefined
  /** Whether such an answer says so of all that was sent; absent: always. */
  isDone?: ((error: ApiError) => boolean) | undefined
}

type Reader<T> = (response: Response, url: string, deadline: Deadline) => Promise<T>
type Outcome<T> = { value: T } | { error: ApiError; askedMs: number | undefined }

export class Requests {
  readonly baseUrl: string
  readonly #credentials: Readonly<Record<string, string>>
  readonly #options: ConnectionOptions
  readonly #bookmark: Bookmark

  constructor(options: ConnectionOptions, credentials: Readonly<Record<string, string>>) {
    this.baseUrl = baseAddress(options.baseUrl)
    this.#options = options
    this.#credentials = credentials
    this.#bookmark = new Bookmark(options.bookmark, options.onBookmark)
    checkHeaders({ ...options.headers, ...credentials })
  }

  /** Of every call without one of its own. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal
  }

  /** The parsed JSON answer; undefined for an empty one. */
  async json<T>(call: Call): Promise<T> {
    const body = await this.#repeated(call, async (response, _url, deadline) => {
      const parsed = await bodyOf(response)
      deadline.end()
      return parsed
    })
    return body as T
  }

  /** The answer with its body unread. The deadline goes on: each piece must come within the timeout. */
  stream(call: Call): Promise<Response> {
    return this.#repeated(call, async (response, url, deadline) => watched(response, url, deadline))
  }

  async #repeated<T>(call: Call, read: Reader<T>): Promise<T> {
    const { url, init, repeat } = this.#prepared(call)
    const signal = call.signal ?? this.#options.signal
    const maxRetries = call.maxRetries ?? this.#options.maxRetries ?? DEFAULT_MAX_RETRIES
    let inDoubt = false
    for (let retry = 0; ; retry++) {
      if (signal?.aborted) throw signal.reason
      const deadline = new Deadline(call.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal)
      const outcome = await this.#attempt(url, init, deadline, read)
      if ('value' in outcome) return outcome.value
      const { error, askedMs } = outcome
      if (inDoubt && error.status === call.doneStatus && (call.isDone?.(error) ?? true)) return undefined as T
      inDoubt ||= leavesInDoubt(error.status)
      if (retry >= maxRetries || !mayRepeat(repeat, error.status)) throw error
      const pause = delayMs(retry, askedMs, Math.random())
      if (pause === undefined) throw error
      await sleep(pause, signal)
    }
  }

  async #attempt<T>(url: string, init: RequestInit, deadline: Deadline, read: Reader<T>): Promise<Outcome<T>> {
    const begun = this.#bookmark.begin()
    const headers = new Headers(init.headers)
    if (begun.sent !== undefined) headers.set(BOOKMARK_HEADER, begun.sent)
    const { method = 'GET' } = init
    let isAnswered = false
    try {
      const send = this.#options.fetch ?? globalThis.fetch
      const response = await send(url, { ...init, headers, signal: deadline.signal })
      refuseRedirect(response, url)
      isAnswered = true
      const isRefused = response.status >= 400 && response.status < 500
      this.#bookmark.answered(begun, response.headers.get(BOOKMARK_HEADER), method !== 'GET' && !isRefused)
      if (response.ok) return { value: await read(response, url, deadline) }
      const error = await errorOf(response)
      deadline.end()
      return { error, askedMs: retryAfterMs(response.headers.get('retry-after'), Date.now()) }
    } catch (cause) {
      deadline.end()
      if (!isAnswered && method !== 'GET') this.#bookmark.giveUp()
      if (deadline.stoppedByCaller) throw deadline.signal.reason
      const error = cause instanceof ApiError ? cause : unanswered(url, cause, deadline)
      return { error, askedMs: undefined }
    }
  }

  #prepared(call: Call): { url: string; init: RequestInit; repeat: Repeat } {
    const conditional = Object.keys(call.headers ?? {}).some(name => name.toLowerCase() === 'if-match')
    const repeat = call.repeat ?? (conditional ? 'refused' : 'always')
    const headers = new Headers({ accept: 'application/json', ...this.#options.headers, ...this.#credentials })
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value)
    if (call.json !== undefined) headers.set('content-type', 'application/json')
    if (call.method === 'POST' && repeat !== 'never' && !call.idempotent) {
      headers.set('idempotency-key', call.idempotencyKey ?? uniqueKey())
    }
    const body = call.json === undefined ? call.content : JSON.stringify(call.json)
    const init: RequestInit = { method: call.method, headers, redirect: 'manual' }
    if (body !== undefined) init.body = body as Exclude<RequestInit['body'], undefined>
    return { url: `${this.baseUrl}${call.path}${queryString(call.query)}`, init, repeat }
  }
}

/** A key with a line break in it is told at once, not as a failed connection, and not repeated in the message. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value })
    } catch {
      throw new ArgumentError(`The header ${name} cannot hold the value that was given for it`)
    }
  }
}

/** Unique, not secret: Node 18 and pages without https have no crypto.randomUUID. */
function uniqueKey(): string {
  if (typeof crypto !== 'undefined' && 'randomUUID' in crypto) return crypto.randomUUID()
  const part = () => Math.random().toString(36).slice(2, 12).padEnd(10, '0')
  return `${Date.now().toString(36)}-${part()}-${part()}-${part()}`
}
