import { describe, expect, it } from 'vitest'
import { Fault, faultOf, invalid, pointer, pointerParts } from '../../../src/platform/errors.ts'
import { CODES, problemBody, problemResponse, statusOf } from '../../../src/platform/http/problem.ts'

describe('problem documents', () => {
  it('N5 give each code its one status', () => {
    expect(Object.fromEntries(CODES.map(code => [code, statusOf(code)]))).toMatchObject({
      invalid_input: 400,
      invalid_json: 400,
      unauthorized: 401,
      forbidden: 403,
      read_only_key: 403,
      operator_closed: 403,
      organization_suspended: 403,
      not_found: 404,
      method_not_allowed: 405,
      duplicate: 409,
      in_use: 409,
      conflict: 409,
      task_not_awaiting: 409,
      sync_key_expired: 410,
      precondition_failed: 412,
      too_large: 413,
      unsupported_media_type: 415,
      rate_limited: 429,
      internal: 500,
      unavailable: 503,
    })
    for (const code of CODES) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(statusOf(code)).toBeGreaterThanOrEqual(400)
    }
  })

  it('N4 carry type, title, status, detail, code, requestId and every fault', () => {
    const fault = invalid([{ path: '/a', message: 'x' }])
    expect(problemBody(fault, 'r1')).toEqual({
      type: '/docs/errors/invalid_input',
      title: 'Invalid input',
      status: 400,
      detail: 'The request is not valid.',
      code: 'invalid_input',
      requestId: 'r1',
      errors: [{ path: '/a', message: 'x' }],
    })
  })

  it('N4 are application/problem+json, never cached, with the headers of the fault', () => {
    const response = problemResponse(new Fault('rate_limited', 'x', { headers: { 'Retry-After': '7' } }), 'r1')
    expect(response.status).toBe(429)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Retry-After')).toBe('7')
  })

  it('N5 tell nothing of an error that nobody foresaw', () => {
    for (const error of [
      new Error('no such table: secrets'),
      new TypeError('x'),
      'text',
      undefined,
      { message: 'm' },
    ]) {
      const fault = faultOf(error)
      expect(fault.code).toBe('internal')
      expect(JSON.stringify(problemBody(fault, 'r'))).not.toMatch(/secrets|no such table/)
    }
  })

  /** D1's published list, and what R2, queues and Durable Objects say. */
  const SAID: Record<string, readonly string[]> = {
    '503 1': [
      'D1_ERROR: D1 DB reset because its code was updated.',
      'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
      'D1_ERROR: Network connection lost.',
      'D1_ERROR: Replica disconnected from primary.',
      'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
      'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
      "D1_ERROR: Can't read from request stream because client disconnected.",
      'D1_ERROR: database is locked: SQLITE_BUSY',
      'put: We encountered an internal error. Please try again. (10001)',
    ],
    '503 5': [
      'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
      'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
      'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
      "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
      'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
      "D1_ERROR: Your account has exceeded D1's free tier daily row read limit.",
      "D1_ERROR: Your account has exceeded D1's free tier daily row write limit.",
      'D1_ERROR: Too many API requests by single Worker invocation.',
      'Queue is overloaded. Please back off.',
      'Durable Object is overloaded. Too many requests queued.',
      "Durable Object's isolate exceeded its memory limit and was reset.",
    ],
    '507 undefined': [
      'D1_ERROR: Exceeded maximum DB size.',
      "D1_ERROR: Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
      'D1_ERROR: database or disk is full: SQLITE_FULL',
    ],
    '500 undefined': [
      'D1_ERROR: No SQL statements detected.',
      'D1_ERROR: no such column: x: SQLITE_ERROR',
      "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
      'D1_COLUMN_NOTFOUND: Column not found (x)',
    ],
  }
  const said = Object.entries(SAID).flatMap(([answer, messages]) => messages.map(message => [message, answer] as const))

  it.each(said)('N90 answer "%s" with status and Retry-After %s', (message, answer) => {
    const { code, headers } = faultOf(new Error(message))
    expect(`${statusOf(code)} ${headers['Retry-After']}`).toBe(answer)
  })

  it('write JSON Pointers as RFC 6901 has them', () => {
    expect(pointer([])).toBe('')
    expect(pointer(['a/b', 'c~d', 0, ''])).toBe('/a~1b/c~0d/0/')
    expect(pointerParts('/a~1b/c~0d/0/')).toEqual(['a/b', 'c~d', '0', ''])
    expect(pointerParts(pointer(['~1']))).toEqual(['~1'])
  })
})
