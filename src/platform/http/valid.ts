// Bodies and parameters: size, content type, hostile names, schema; every fault is named at once (N4).
import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import { errorsOf, Fault, invalid, pointer } from '../errors.ts'
import { hostileParts } from '../json-safety.ts'
import { BODY_MAX_BYTES } from '../limits.ts'
import type { Operation } from './operation.ts'

/** Parameters, read by the validator of the stack; an operation without any refuses all of them (N7). */
export function queryValidator({ query }: Operation): MiddlewareHandler {
  if (!query) return noQuery
  return zValidator('query', query, result => {
    if (!result.success) throw invalid(errorsOf(result.error.issues))
  }) as MiddlewareHandler
}

const noQuery: MiddlewareHandler = async (c, next) => {
  const unknown = c.req.url.includes('?') ? Object.keys(c.req.queries()) : []
  if (unknown.length) throw invalid(unknown.map(name => ({ path: pointer([name]), message: 'Unknown parameter.' })))
  await next()
}

export interface ValidBody {
  value: unknown
  /** As it was sent. */
  text: string
}

/** A body is read and parsed once: size, content type, JSON, hostile names, schema. */
export async function validBody(operation: Operation, request: Request): Promise<ValidBody> {
  const { body, rawBody, bodyMaxBytes = BODY_MAX_BYTES } = operation
  if (rawBody) return { value: undefined, text: '' }
  const bytes = await boundedBody(request, bodyMaxBytes, body !== undefined)
  if (!body) return { value: undefined, text: '' }
  const { text, value } = parsed(request, bytes)
  const result = await body.safeParseAsync(value)
  if (!result.success) throw invalid(errorsOf(result.error.issues))
  return { value: result.data, text }
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

function parsed(request: Request, bytes: Uint8Array): { text: string; value: unknown } {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
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
