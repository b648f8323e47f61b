// A stand-in of Cloudflare's API on a port of this machine, for Wrangler and for our own calls (CLOUDFLARE_API_BASE_URL). One call can
// be made to fail, a token can lack rights, and what nobody has thought of is counted.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Account } from './account.ts'
import { ApiProblem, type Call, fitting, type Handlers } from './answer.ts'
import { bucketHandlers, databaseHandlers, queueHandlers } from './resources.ts'
import { workerHandlers } from './workers.ts'

/** Makes one call of each run fail: the next that no run has met before, or one in `apart` of those. */
export class Faults {
  /** `refused`: nothing is done. `lost`: it is done, and the connection breaks before the answer. */
  readonly kind: 'refused' | 'lost'
  /** The call that failed in this run. */
  failed: string | undefined
  readonly #apart: number
  readonly #met = new Set<string>()

  constructor(kind: 'refused' | 'lost', apart: number) {
    this.kind = kind
    this.#apart = apart
  }

  /** `calls` are those of this run up to this one; the third of a kind is another than the second. */
  strikes(calls: readonly string[]): boolean {
    const call = calls.at(-1) ?? ''
    const name = `${call}, ${calls.filter(each => each === call).length}`
    if (this.failed !== undefined || this.#met.has(name)) return false
    this.#met.add(name)
    if (this.#met.size % this.#apart !== 0) return false
    this.failed = name
    return true
  }
}

export class StandIn {
  readonly account = new Account()
  /** Every call that has arrived, as `METHOD /path`. */
  calls: string[] = []
  /** Calls that the stand-in does not know: there should be none. */
  readonly strangers: string[] = []
  faults: Faults | undefined
  /** Called instead of answering the call of this name. */
  held: { call: string; arrived(): void } | undefined
  /** Beginnings of paths that the token may not call. */
  forbidden: string[] = []
  readonly #handlers: Handlers
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor() {
    const { account } = this
    this.#handlers = {
      ...databaseHandlers(account),
      ...bucketHandlers(account),
      ...queueHandlers(account),
      ...workerHandlers(account),
    }
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
    this.account.close()
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(incoming.url ?? '/', 'http://stand-in')
    const method = incoming.method ?? 'GET'
    const path = url.pathname.replace(/\/accounts\/[0-9a-f]{32}/, '')
    this.calls.push(`${method} ${path.replace(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f-]{16,}/, ':id')}`)
    if (this.held && this.held.call === this.calls.at(-1)) return this.held.arrived()
    const isFaulty = this.faults?.strikes(this.calls)
    const jurisdiction = incoming.headers['cf-r2-jurisdiction']
    const headers = {
      'Content-Type': incoming.headers['content-type'] ?? '',
      ...(typeof jurisdiction === 'string' && { 'cf-r2-jurisdiction': jurisdiction }),
    }
    const request = new Request(url, { method, headers, ...(body.length > 0 && { body }) })
    try {
      if (isFaulty && this.faults?.kind === 'refused') throw new ApiProblem(400, 9999, 'a fault of the test')
      if (incoming.headers.authorization === undefined)
        throw new ApiProblem(401, 10_001, 'Unable to authenticate request')
      const result = await this.#result({ method, path, query: url.searchParams, request })
      if (isFaulty) response.destroy()
      else
        send(response, 200, {
          success: true,
          errors: [],
          messages: [],
          result,
          result_info: { page: 1, total_pages: 1 },
        })
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : new ApiProblem(500, 1, String(error))
      send(response, problem.status, {
        success: false,
        errors: [{ code: problem.code, message: problem.message }],
        messages: [],
        result: null,
      })
    }
  }

  async #result(call: Call): Promise<unknown> {
    if (this.forbidden.some(start => call.path.startsWith(start))) {
      throw new ApiProblem(403, 10_000, 'Authentication error')
    }
    for (const [pattern, handle] of Object.entries(this.#handlers)) {
      const [method, path = ''] = pattern.split(' ')
      const params = method === call.method ? fitting(path, call.path) : undefined
      if (params) return handle(params, call)
    }
    this.strangers.push(`${call.method} ${call.path}`)
    throw new ApiProblem(404, 7003, 'Could not route to this address')
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
