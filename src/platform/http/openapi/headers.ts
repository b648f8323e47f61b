// The headers of the API document, in both directions. What an operation takes and sends follows from what it says of itself.
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../limits.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

const request = (name: string, description: string, schema: Record<string, unknown> = text) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

export const REQUEST_HEADERS = {
  IdempotencyKey: request(
    'Idempotency-Key',
    'Makes the call safe to repeat: within 24 hours the same credential gets the first answer again. The same key for another request is 409.',
    { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH, pattern: '^[\\x21-\\x7e]+$' },
  ),
  IfMatch: request('If-Match', 'The `ETag` of the version that may be changed, or `*`. Any other version is 412.'),
  IfNoneMatch: request('If-None-Match', 'The `ETag` of what the caller has already. The same is 304, without a body.'),
  Range: request('Range', 'One range of bytes, such as `bytes=0-1023`. Several are answered with the whole.'),
  IfRange: request('If-Range', 'The `ETag` that the range must be of; of another content the whole is sent.'),
} as const

const answer = (description: string, schema: Record<string, unknown> = text) => ({ description, schema })

export const ANSWER_HEADERS = {
  'X-Request-Id': answer('Names the call: the one that the caller sent, or a new one.'),
  'Server-Timing': answer('Time taken, and round trips to the database.'),
  'x-d1-bookmark': answer('Sent back, it lets later reads be served nearby, and never older than this answer.'),
  'RateLimit-Policy': answer('The limit of the key, such as `"standard";q=600;w=60`.'),
  RateLimit: answer('What is left of it.'),
  'Retry-After': answer('Seconds to wait before the next try.', seconds),
  'WWW-Authenticate': answer('The ways to authenticate.'),
  ETag: answer('The version that was answered.'),
  Location: answer('Where to find what was made, or where to go on.'),
  'Content-Range': answer('Which bytes of how many.'),
  'Content-Disposition': answer('The name of the file.'),
  'Selvedge-Audit-Head': answer('Number and digest of the last line of the audit trail, such as `57:kq…`.'),
  'Accept-Ranges': answer('`bytes`: parts of the content can be asked for.'),
} as const
export type AnswerHeader = keyof typeof ANSWER_HEADERS

interface Taking {
  method: string
  access: string
  issuesCredential?: true
  conditions?: readonly string[]
}

export function requestHeadersOf({ method, issuesCredential, access, conditions = [] }: Taking) {
  const taken: (keyof typeof REQUEST_HEADERS)[] = [
    ...(method === 'POST' && !issuesCredential && access !== 'anybody' ? (['IdempotencyKey'] as const) : []),
    ...(conditions.includes('If-Match') ? (['IfMatch'] as const) : []),
    ...(conditions.includes('If-None-Match') ? (['IfNoneMatch'] as const) : []),
    ...(conditions.includes('Range') ? (['Range', 'IfRange'] as const) : []),
  ]
  return taken.map(name => ({ $ref: `#/components/parameters/${name}` }))
}

/** What every answer carries, and what this one adds. */
export function answerHeaders(added: readonly AnswerHeader[] = []) {
  const names: AnswerHeader[] = [...added, 'X-Request-Id', 'Server-Timing']
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
