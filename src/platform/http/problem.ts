// RFC 9457 answers (N4, N5): the one table from code to status, and the only place that picks a status for a fault. Cause and
// remedy of each code are on its page, to which `type` leads (N82); src/scripts/guides/error-texts.ts has them.
import type { Code, Fault } from '../errors.ts'

const PROBLEMS: Record<Code, { status: number; title: string }> = {
  invalid_input: { status: 400, title: 'Invalid input' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  unauthorized: { status: 401, title: 'Authentication failed' },
  forbidden: { status: 403, title: 'Not allowed' },
  read_only_key: { status: 403, title: 'The key may only read' },
  operator_closed: { status: 403, title: 'The operator API is closed' },
  organization_suspended: { status: 403, title: 'The organization is suspended' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  duplicate: { status: 409, title: 'Already exists' },
  in_use: { status: 409, title: 'Entity is in use' },
  conflict: { status: 409, title: 'Conflict' },
  quota_exceeded: { status: 409, title: 'Quota exceeded' },
  idempotency_key_reused: { status: 409, title: 'Idempotency key used for another request' },
  task_not_awaiting: { status: 409, title: 'The task does not wait for a callback' },
  workflow_loop: { status: 409, title: 'Workflows trigger each other in a loop' },
  sync_key_expired: { status: 410, title: 'Sync key expired' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Briefly unavailable' },
  database_full: { status: 507, title: 'The database is full' },
}

export function statusOf(code: Code): number {
  return PROBLEMS[code].status
}

export function titleOf(code: Code): string {
  return PROBLEMS[code].title
}

export const CODES = Object.keys(PROBLEMS) as Code[]

export function problemBody(fault: Fault, requestId: string): Record<string, unknown> {
  const { status, title } = PROBLEMS[fault.code]
  return {
    type: `/docs/errors/${fault.code}`,
    title,
    status,
    detail: fault.message,
    code: fault.code,
    requestId,
    ...(fault.errors && { errors: fault.errors }),
    ...fault.members,
  }
}

export function problemResponse(fault: Fault, requestId: string): Response {
  return new Response(JSON.stringify(problemBody(fault, requestId)), {
    status: statusOf(fault.code),
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...fault.headers },
  })
}
