// Bodies and parameters: size, content type, hostile names, schema; every fault is named at once (N4).
import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import { errorsOf, Fault, invalid, pointer } from '../errors.ts'
import { hostileParts, lostIntegers } from '../json-safety.ts'
import { BODY_MAX_BYTES } from '../limits.ts'
import { requestBytes } from './bounded-body.ts'
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
  /** The JSON that was sent; undefined where the operation takes none. */
  sent: unknown
}

/** A body is read and parsed once: size, encoding, content type, JSON, hostile names, schema. */
export async function validBody(operation: Operation, request: Request): Promise<ValidBody> {
  const { body, rawBody, bodyMaxBytes = BODY_MAX_BYTES } = operation
  if (request.body) refuseEncoded(request)
  if (rawBody) return { value: undefined, sent: undefined }
  const bytes = await requestBytes(request, bodyMaxBytes)
  if (!body) {
    if (operation.method === 'POST') refuseContent(bytes)
    return { value: undefined, sent: undefined }
  }
  const { value } = readJson(request, bytes)
  const result = await body.safeParseAsync(value)
  if (!result.success) throw invalid(errorsOf(result.error.issues))
  return { value: result.data, sent: value }
}

/** A body that nothing reads would be lost without a word; an empty object says nothing. */
function refuseContent(bytes: Uint8Array): void {
  if (bytes.length === 0 || (bytes.length < 100 && /^\s*(\{\s*\})?\s*$/.test(new TextDecoder().decode(bytes)))) return
  throw invalid([{ path: '', message: 'This call takes no body. Send none, or {}.' }])
}

/** Nothing here unpacks: what is sent compressed would be stored, or read, as something else than it is (N69). */
function refuseEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return
  throw new Fault('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.')
}

/** A decoder that replaces what it cannot read would store other text than was sent. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** What the body says it is, without parameters such as a charset. */
export function mediaTypeOf(request: Request): string {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
}

export function isJson(request: Request): boolean {
  return /^application\/([\w.-]+\+)?json$/.test(mediaTypeOf(request))
}

/** A body that says it is JSON, without what no JSON from outside may hold. */
export function readJson(request: Request, bytes: Uint8Array): { text: string; value: unknown } {
  if (!isJson(request)) {
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
  const hostile = hostileParts(value)
  const faults = hostile.length ? hostile : lostIntegers(text)
  if (faults.length) throw invalid(faults)
  return { text, value }
}

/** What the parser found, without the piece of the body that it quotes: it may be part of a password. */
function placeOf(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
  return position ? `unreadable ${position}` : 'unreadable, or cut off'
}
