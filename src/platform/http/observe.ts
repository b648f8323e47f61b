// X-Request-Id and Server-Timing on every answer (N6), and what the gate adds.
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../../env.ts'
import { newId } from '../ids.ts'
import type { Variables } from './install.ts'

const SANE_REQUEST_ID = /^[A-Za-z0-9_.:-]{1,128}$/

export const observe: MiddlewareHandler<{ Bindings: Env; Variables: Variables }> = async (c, next) => {
  const sent = c.req.header('X-Request-Id')
  const started = performance.now()
  c.set('requestId', sent && SANE_REQUEST_ID.test(sent) ? sent : newId())
  await next()
  const db = c.get('context')?.db
  const timings = [`total;dur=${(performance.now() - started).toFixed(1)}`]
  if (db) timings.push(`db;dur=${db.spentMs.toFixed(1)};desc="round trips: ${db.calls}"`)
  const headers = new Headers(c.res.headers)
  headers.set('X-Request-Id', c.get('requestId'))
  headers.set('Server-Timing', timings.join(', '))
  for (const [name, value] of Object.entries(c.get('gateHeaders') ?? {})) headers.set(name, value)
  if (db?.bookmark) headers.set('x-d1-bookmark', db.bookmark)
  c.res = new Response(c.res.body, { status: c.res.status, headers })
}
