// One message of an agent, by the protocol's official library, which this file alone knows: it is loaded by the first message. A
// server lives as long as one request.
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { VERSION } from '../../version.ts'
import type { Message } from './contract.ts'
import type { Tool, ToolAnswer } from './tool.ts'

/** What an agent may do here. */
export interface Offer {
  instructions: string
  tools(): Tool[]
  /** None: there is no such tool. */
  call(name: string, input: unknown): Promise<ToolAnswer | undefined>
}

/** A tool as it is listed to agents, without the rule that refuses unknown properties, which saves tokens. */
function shown({ name, about, input, writes }: Tool) {
  // Made here, and not where the tools are: a bundler that finds zod on this way, too, has it ready on the others.
  const whole: Record<string, unknown> = z.toJSONSchema(input, { io: 'input' })
  const { $schema, additionalProperties, ...schema } = whole
  return {
    name,
    description: about,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: writes ? { openWorldHint: false } : { readOnlyHint: true },
  }
}

function serverFor({ instructions, tools, call }: Offer): Server {
  const server = new Server({ name: 'selvedge', version: VERSION }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools().map(shown) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = await call(params.name, params.arguments ?? {})
    if (answer) return answer
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
  })
  return server
}

/** What the protocol reads of a request; the credential is none of its business. Every caller takes JSON. */
function protocolRequest({ url, headers }: Request): Request {
  const own = [...headers].filter(([name]) => name.startsWith('mcp-'))
  const accept = 'application/json, text/event-stream'
  return new Request(url, {
    method: 'POST',
    headers: [...own, ['accept', accept], ['content-type', 'application/json']],
  })
}

export async function answerMessage(offer: Offer, sent: Request, message: Message): Promise<Response> {
  const request = protocolRequest(sent)
  const answer = await answerOf(serverFor(offer), request, message)
  const text = await answer.text()
  return new Response(text || null, {
    status: answer.status,
    headers: { 'Cache-Control': 'no-store', ...(text && { 'Content-Type': 'application/json' }) },
  })
}

async function answerOf(server: Server, request: Request, message: Message): Promise<Response> {
  if (await isLegacyRequest(request, message)) return answerLegacy(server, request, message)
  // The library offers subscriptions, but nothing here changes during a connection.
  if (message.method === 'subscriptions/listen') return methodNotFound(message)
  return createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, { parsedBody: message })
}

function methodNotFound({ id }: Message): Response {
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' }
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status: 404 })
}

/** The revisions up to 2025-11-25, which begin with a greeting. */
async function answerLegacy(server: Server, request: Request, parsedBody: Message): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
