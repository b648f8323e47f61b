// Bodies and parameters: content type, size, hostile names, schema; every fault is named at once (N4).
import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { errorsOf, Fault, invalid, pointer } from '../errors.ts'
import { BODY_MAX_BYTES } from '../limits.ts'
import type { Endpoint } from './endpoint.ts'
import { hostileParts } from './hostile.ts'

export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  const { query, body, rawBody } = endpoint
  return [
    query ? checked('query', query) : noQuery,
    ...(rawBody ? [] : [bounded(endpoint.bodyMaxBytes ?? BODY_MAX_BYTES)]),
    ...(body ? [json, checked('json', body)] : []),
  ]
}

function checked(target: 'query' | 'json', schema: z.ZodType): MiddlewareHandler {
  return zValidator(target, schema, result => {
    if (!result.success) throw invalid(errorsOf(result.error.issues))
  }) as MiddlewareHandler
}

/** An endpoint without parameters refuses any (N7). */
const noQuery: MiddlewareHandler = async (c, next) => {
  const unknown = Object.keys(c.req.query())
  if (unknown.length) throw invalid(unknown.map(name => ({ path: pointer([name]), message: 'Unknown parameter.' })))
  await next()
}

function bounded(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Fault('too_large', `The body may hold at most ${maxSize} bytes.`)
    },
  })
}

/** A decoder that replaces what it cannot read would store other text than was sent. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const json: MiddlewareHandler = async (c, next) => {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new Fault('unsupported_media_type', 'The body must be JSON with Content-Type: application/json.')
  }
  let value: unknown
  try {
    value = JSON.parse(UTF8.decode(await c.req.arrayBuffer()))
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('invalid_json', `The body is not valid JSON: ${placeOf(error)}.`)
  }
  const faults = hostileParts(value)
  if (faults.length) throw invalid(faults)
  await next()
}

/** What the parser found, without the piece of the body that it quotes: it may be part of a password. */
function placeOf(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
  return position ? `unreadable ${position}` : 'unreadable, or cut off'
}
