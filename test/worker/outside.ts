// The world outside, faked: what the service sent to it, and what it answers.
import { vi } from 'vitest'

export interface Sent {
  url: string
  method: string
  headers: Headers
  body: string
  json(): Record<string, unknown>
}

export interface Outside {
  calls: Sent[]
  answer(handler: (sent: Sent, count: number) => Response | Promise<Response>): void
}

/**
 * Takes over `fetch` until the test's mocks are restored. With `ours`, calls whose address and body do not name it
 * are those of other tests' organizations in the same runtime: they are answered, and not told.
 */
export function outside(ours = ''): Outside {
  const calls: Sent[] = []
  let handler: (sent: Sent, count: number) => Response | Promise<Response> = () => new Response('ok')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async input => {
    const request = input as Request
    const body = await request.text()
    const sent: Sent = {
      url: request.url,
      method: request.method,
      headers: new Headers(request.headers),
      body,
      json: () => JSON.parse(body) as Record<string, unknown>,
    }
    if (!request.url.includes(ours) && !body.includes(ours)) return new Response('ok')
    calls.push(sent)
    return handler(sent, calls.length)
  })
  return {
    calls,
    answer: next => {
      handler = next
    },
  }
}
