// Any origin, no cookies (N2). A preflight is answered here; what other answers carry is one constant.
import type { MiddlewareHandler } from 'hono'
import { cors as honoCors } from 'hono/cors'

const EXPOSED = [
  'Content-Range',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Selvedge-Audit-Head',
  'Server-Timing',
  'X-Request-Id',
  'x-d1-bookmark',
]

export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(','),
} as const

const preflight = honoCors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Protocol-Version',
    'Range',
    'X-Api-Key',
    'X-Api-Org',
    'X-Operator-Key',
    'X-Request-Id',
    'x-d1-bookmark',
  ],
  exposeHeaders: EXPOSED,
  maxAge: 86_400,
})

export const cors: MiddlewareHandler = (c, next) => (c.req.method === 'OPTIONS' ? preflight(c, next) : next())
