// A server that answers as a test tells it to and remembers what it was asked.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingHttpHeaders
  body: Buffer
  json: unknown
}

export interface Reply {
  status?: number
  json?: unknown
  text?: string
  headers?: Record<string, string>
}

/** `break` drops the connection, `hang` never answers. */
export type Answer = Reply | 'break' | 'hang'
export type Script = (asked: Asked, nth: number) => Answer | Promise<Answer>

export interface FakeServer {
  baseUrl: string
  asked: Asked[]
}

/** Answers in order; the last one stands for all that follow. */
export function inOrder(...answers: Answer[]): Script {
  return (_asked, nth) => answers[Math.min(nth, answers.length - 1)] ?? 'break'
}

export function problem(status: number, code: string, more: Record<string, unknown> = {}): Reply {
  const json = {
    type: 'about:blank',
    title: code,
    status,
    detail: `Detail of ${code}`,
    code,
    requestId: 'r-1',
    ...more,
  }
  return { status, json, headers: { 'content-type': 'application/problem+json' } }
}

export async function fakeServer(script: Script): Promise<FakeServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    // Whoever asked has given up.
    if (body === undefined) return
    const url = new URL(request.url ?? '/', 'http://fake')
    const isJson = request.headers['content-type'] === 'application/json'
    const one: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body,
      json: isJson ? JSON.parse(body.toString()) : undefined,
    }
    asked.push(one)
    const answer = await script(one, asked.length - 1)
    if (answer === 'hang') return
    if (answer === 'break') return request.socket.destroy()
    const { status = 200, json, text, headers } = answer
    response.writeHead(status, { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers })
    const content = json === undefined ? text : JSON.stringify(json)
    const promised = Number(headers?.['content-length'] ?? 0)
    // Less than it promised: the connection breaks.
    if (promised > Buffer.byteLength(content ?? '')) response.write(content, () => request.socket.destroy())
    else response.end(content)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/api`, asked }
}
