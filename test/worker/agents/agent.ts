// An agent that speaks the protocol as it stands on the wire, with nothing between it and the Worker.
import { expect } from 'vitest'
import { type Answer, call, type Json } from '../api.ts'

const MODERN = '2026-07-28'

interface Rpc extends Json {
  result?: Json
  error?: { code: number; message: string }
}

export interface Told {
  isError: boolean
  text: string
  /** What stands inside the mark. */
  value: Json
}

export class Agent {
  readonly #headers: Record<string, string>
  #id = 0

  constructor(headers: Record<string, string>) {
    this.#headers = headers
  }

  /** A message of the newest revision, which says with each one who speaks. */
  async send(method: string, params: Json = {}, more: Record<string, string> = {}): Promise<Answer<Rpc>> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const names = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}
    return call<Rpc>('POST', '/api/mcp', {
      body: { jsonrpc: '2.0', id: ++this.#id, method, params: { ...params, _meta } },
      headers: { ...this.#headers, 'Mcp-Protocol-Version': MODERN, 'Mcp-Method': method, ...names, ...more },
    })
  }

  async tools(): Promise<Json[]> {
    const { body } = await this.send('tools/list')
    return (body.result?.tools ?? []) as Json[]
  }

  async call(name: string, input: Json = {}): Promise<Told> {
    const { status, body } = await this.send('tools/call', { name, arguments: input })
    expect([status, body.error]).toEqual([200, undefined])
    const [content] = (body.result?.content ?? []) as { text: string }[]
    const text = content?.text ?? ''
    const inside = /<(stored-data|problem)>\n([^<]*)\n<\/\1>$/.exec(text)?.[2]
    return { isError: body.result?.isError === true, text, value: JSON.parse(inside ?? 'null') as Json }
  }

  /** What it answers; a refusal fails the test. */
  async value(name: string, input: Json = {}): Promise<Json> {
    const told = await this.call(name, input)
    expect(told.isError, told.text).toBe(false)
    return told.value
  }
}
