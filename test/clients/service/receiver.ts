// A system outside that takes whatever is delivered to it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: Record<string, string>
  body: string
}

export class Receiver {
  readonly received: Received[] = []
  readonly #server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    this.received.push({ headers: request.headers as Record<string, string>, body })
    response.end()
  })

  /** Starts it, and tells where it is. */
  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#server.close()
  }
}
