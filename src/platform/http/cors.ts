// Any origin, no cookies (N2).
import { cors as honoCors } from 'hono/cors'

export const cors = honoCors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Range',
    'X-Api-Key',
    'X-Api-Org',
    'X-Operator-Key',
    'X-Request-Id',
    'x-d1-bookmark',
  ],
  exposeHeaders: [
    'Content-Range',
    'ETag',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'Server-Timing',
    'X-Request-Id',
    'x-d1-bookmark',
  ],
  maxAge: 86_400,
})
