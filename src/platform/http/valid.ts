// Bodies and parameters: size, content type, hostile names, schema; every fault is named at once (N4).
import type { HonoRequest } from 'hono'
import type * as z from 'zod'
import { errorsOf, Fault, invalid, pointer } from '../errors.ts'
import { BODY_MAX_BYTES } from '../limits.ts'
import type { Endpoint } from './endpoint.ts'
import { hostileParts } from './hostile.ts'

export interface Valid {
  query: unknown
  body: unknown
  /** The body as it was sent. */
  text: string
}

/** What the endpoint is sent, once and in this order: parameters, size, content type, JSON, schema. */
export async function validInput(endpoint: Endpoint, request: HonoRequest): Promise<Valid> {
  const { query, body, rawBody, bodyMaxBytes = BODY_MAX_BYTES } = endpoint
  const sent = request.url.includes('?') ? parametersOf(request) : {}
  const parameters = query ? await checked(query, sent) : noParameters(sent)
  if (rawBody) return { query: parameters, body: undefined, text: '' }
  const bytes = await boundedBody(request.raw, bodyMaxBytes, body !== undefined)
  if (!body) return { query: parameters, body: undefined, text: '' }
  const { text, value } = parsed(request, bytes)
  return { query: parameters, body: await checked(body, value), text }
}

async function checked(schema: z.ZodType, value: unknown): Promise<unknown> {
  const result = await schema.safeParseAsync(value)
  if (!result.success) throw invalid(errorsOf(result.error.issues))
  return result.data
}

/** One that is repeated is a list. */
function parametersOf(request: HonoRequest): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    Object.entries(request.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** An endpoint without parameters refuses any (N7). */
function noParameters(sent: Record<string, unknown>): Record<string, never> {
  const unknown = Object.keys(sent)
  if (unknown.length) throw invalid(unknown.map(name => ({ path: pointer([name]), message: 'Unknown parameter.' })))
  return {}
}

/** A length that was announced is the length that comes; any other body is counted while it comes. */
async function boundedBody(request: Request, maxBytes: number, isWanted: boolean): Promise<Uint8Array> {
  const { body, headers } = request
  if (!body) return new Uint8Array()
  const announced = headers.has('transfer-encoding') ? null : headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  if (announced !== null) return isWanted ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    if (isWanted) chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('too_large', `The body may hold at most ${maxBytes} bytes.`)
}

/** A decoder that replaces what it cannot read would store other text than was sent. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

function parsed(request: HonoRequest, bytes: Uint8Array): { text: string; value: unknown } {
  const type = request.raw.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new Fault('unsupported_media_type', 'The body must be JSON with Content-Type: application/json.')
  }
  let text: string
  let value: unknown
  try {
    text = UTF8.decode(bytes)
    value = JSON.parse(text)
  } catch (error) {
    throw new Fault('invalid_json', `The body is not valid JSON: ${placeOf(error)}.`)
  }
  const faults = hostileParts(value)
  if (faults.length) throw invalid(faults)
  return { text, value }
}

/** What the parser found, without the piece of the body that it quotes: it may be part of a password. */
function placeOf(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
  return position ? `unreadable ${position}` : 'unreadable, or cut off'
}
