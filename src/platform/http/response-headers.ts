// What every answer carries: X-Request-Id and Server-Timing (N6), the headers for other origins, and what the gate adds.
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../env.ts'
import { newId } from '../ids.ts'
import { CORS_HEADERS } from './cors.ts'
import type { Variables } from './mount.ts'
import { logRequest } from './request-log.ts'

const SANE_REQUEST_ID = /^[A-Za-z0-9_.:-]{1,128}$/

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const

export const observe: MiddlewareHandler<{ Bindings: Env; Variables: Variables }> = async (c, next) => {
  const sent = c.req.header('X-Request-Id')
  const started = performance.now()
  c.set('requestId', sent && SANE_REQUEST_ID.test(sent) ? sent : newId())
  await next()
  const { db, org } = c.get('context') ?? {}
  const ms = performance.now() - started
  const timings = [`total;dur=${ms.toFixed(1)}`]
  if (db) timings.push(`db;dur=${db.spentMs.toFixed(1)};desc="round trips: ${db.calls}"`)
  const bookmark = db?.bookmark
  const headers = Object.entries({
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
    'X-Request-Id': c.get('requestId'),
    'Server-Timing': timings.join(', '),
    ...c.get('gateHeaders'),
    ...(bookmark && { 'x-d1-bookmark': bookmark }),
  })
  try {
    for (const [name, value] of headers) c.res.headers.set(name, value)
  } catch {
    // What another binding has answered cannot be changed. Only that is copied: a copy turns its text into a stream.
    const copy = new Response(c.res.body, c.res)
    for (const [name, value] of headers) copy.headers.set(name, value)
    c.res = undefined
    c.res = copy
  }
  logRequest(c.env, {
    requestId: c.get('requestId'),
    method: c.req.method,
    route: c.get('route'),
    status: c.res.status,
    ms,
    organization: org,
    db,
  })
}
