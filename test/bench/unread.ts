// Calls whose answers nobody reads, of however many bytes: they pass through one buffer. Whoever measures others meanwhile on the same
// machine shares its cores with what is done here, so that as little is done as can be.
import { connect, type Socket } from 'node:net'

interface UnreadCall {
  method: string
  path: string
  body?: unknown
}

const HEAD_MAX_BYTES = 16_384
const HEAD_END = '\r\n\r\n'

/** A connection with one call under way at a time. */
class Connection {
  readonly #socket: Socket
  #head = ''
  /** What is left of the answer under way. */
  #left: number | undefined
  #ended: { resolve: () => void; reject: (error: Error) => void } | undefined

  constructor({ hostname, port }: URL) {
    const onread = { buffer: Buffer.alloc(1 << 20), callback: this.#read }
    this.#socket = connect({ host: hostname, port: Number(port), onread })
    this.#socket.on('error', error => this.#ended?.reject(error))
    this.#socket.on('close', () => this.#ended?.reject(new Error('closed')))
  }

  call(text: string): Promise<void> {
    this.#head = ''
    this.#left = undefined
    this.#socket.write(text)
    return new Promise((resolve, reject) => {
      this.#ended = { resolve, reject }
    })
  }

  readonly #read = (size: number, buffer: Uint8Array): boolean => {
    if (this.#left === undefined) this.#readHead(Buffer.from(buffer.buffer, buffer.byteOffset, size))
    else this.#left -= size
    if (this.#left === 0) this.#ended?.resolve()
    return true
  }

  #readHead(bytes: Buffer): void {
    const before = this.#head.length
    this.#head += bytes.toString('latin1', 0, HEAD_MAX_BYTES)
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return
    const [, length] = /^content-length: *(\d+)/im.exec(this.#head.slice(0, end)) ?? []
    if (length === undefined) this.#ended?.reject(new Error('an answer without its length'))
    this.#left = Number(length) - (before + bytes.length - end - HEAD_END.length)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** As many connections as there are calls under way. */
export class Unread {
  readonly #url: URL
  readonly #headers: string
  readonly #idle: Connection[] = []

  constructor(url: string, headers: Record<string, string>) {
    this.#url = new URL(url)
    const all = { Host: this.#url.host, ...headers }
    this.#headers = Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }

  async call({ method, path, body }: UnreadCall): Promise<void> {
    const connection = this.#idle.pop() ?? new Connection(this.#url)
    try {
      await connection.call(`${method} ${path} HTTP/1.1\r\n${this.#headers}${contentOf(body)}`)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#idle.push(connection)
  }
}

function contentOf(body: unknown): string {
  if (body === undefined) return '\r\n'
  const text = JSON.stringify(body)
  return `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
