// A small HTTP load generator: connections that stay open, a fixed number of requests under way.
import http from 'node:http'

export interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

export class Target {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  readonly #url: URL
  readonly #headers: Record<string, string>

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = new URL(url)
    this.#headers = headers
  }

  call<T = Record<string, unknown>>({ method, path, headers, body }: Call): Promise<T> {
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
      request.on('error', reject)
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
