// A small HTTP load generator: connections that stay open, a fixed number of requests under way.
import http from 'node:http'

export interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

const LOST = Symbol('lost')

export class Target {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  readonly #url: URL
  readonly #headers: Record<string, string>

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = new URL(url)
    this.#headers = headers
  }

  /** A connection that the other side closes while it is idle loses the call that is just being sent: it is sent again. */
  async call<T = Record<string, unknown>>(call: Call): Promise<T> {
    for (;;) {
      const answer = await this.#send<T>(call)
      if (answer !== LOST) return answer
    }
  }

  #send<T>({ method, path, headers, body }: Call): Promise<T | typeof LOST> {
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers: {
            ...this.#headers,
            ...(content !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(content),
            }),
            ...headers,
          },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8')
            if ((response.statusCode ?? 500) >= 300)
              reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
            else resolve((answer ? JSON.parse(answer) : undefined) as T)
          })
          response.on('error', reject)
        },
      )
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(LOST)
        else reject(error)
      })
      request.end(content)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Requests a second, with `concurrency` of them under way for `seconds`. */
export async function throughput(
  target: Target,
  next: () => Call,
  concurrency: number,
  seconds: number,
): Promise<number> {
  const started = performance.now()
  const ends = started + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < ends) {
        await target.call(next())
        done++
      }
    }),
  )
  return done / ((performance.now() - started) / 1000)
}

/** Milliseconds from the request to the end of its answer. */
export async function latency(target: Target, call: Call): Promise<number> {
  const started = performance.now()
  await target.call(call)
  return performance.now() - started
}
