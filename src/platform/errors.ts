// What can go wrong, by stable code. Which HTTP status a code gets is decided in http/problem.ts alone.
import type * as z from 'zod'
import { FAULTS_MAX } from './limits.ts'
import { storeState } from './store-errors.ts'

export type Code =
  | 'invalid_input'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden'
  | 'read_only_key'
  | 'operator_closed'
  | 'organization_suspended'
  | 'not_found'
  | 'method_not_allowed'
  | 'duplicate'
  | 'in_use'
  | 'conflict'
  | 'quota_exceeded'
  | 'idempotency_key_reused'
  | 'task_not_awaiting'
  | 'workflow_loop'
  | 'sync_key_expired'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'database_full'

export interface FieldError {
  /** JSON Pointer into the body, or `/<name>` of a query parameter. */
  path: string
  message: string
}

export interface FaultExtras {
  errors?: FieldError[]
  headers?: Record<string, string>
  /** Further members of the problem document, such as the recorded outcome of a task. */
  members?: Record<string, unknown>
}

/** The one error that features throw on purpose. */
export class Fault extends Error {
  readonly code: Code
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>
  readonly members: Record<string, unknown>

  constructor(code: Code, detail: string, extras: FaultExtras = {}) {
    super(detail)
    this.name = 'Fault'
    this.code = code
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
    this.members = extras.members ?? {}
  }
}

export function invalid(errors: FieldError[], detail = 'The request is not valid.'): Fault {
  return new Fault('invalid_input', detail, { errors })
}

export function notFound(what = 'entity'): Fault {
  return new Fault('not_found', `There is no such ${what}.`)
}

/** RFC 6901: `~` and `/` inside a name are escaped. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The names that a pointer is made of. */
export function pointerParts(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export const UNKNOWN_PROPERTY = 'Unknown property.'

/** A schema measures a text even where it expects a list: the wrong type is the only fault worth a message. */
const LENGTHS: ReadonlySet<unknown> = new Set(['too_big', 'too_small'])

/** What a schema found, as faults of a request. */
export function errorsOf(issues: readonly z.core.$ZodIssue[], prefix: PropertyKey[] = []): FieldError[] {
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => pointer(path)))
  return issues
    .filter(({ code, path }) => !LENGTHS.has(code) || !ofWrongType.has(pointer(path)))
    .flatMap((issue): FieldError[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => ({ path: pointer([...prefix, ...issue.path, key]), message: UNKNOWN_PROPERTY }))
        : [{ path: pointer([...prefix, ...issue.path]), message: issue.message }],
    )
    .slice(0, FAULTS_MAX)
}

/** Whether a repeat may go through. */
export function isBrief(error: unknown): boolean {
  return faultOf(error).code === 'unavailable'
}

/** Whether it was refused for good: after anything else it may have been done, or be done by a repeat. */
export function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && error.code !== 'unavailable' && error.code !== 'internal'
}

const unavailable = (detail: string, seconds: string) =>
  new Fault('unavailable', detail, { headers: { 'Retry-After': seconds } })

/** The fault that an error amounts to; an unexpected error reveals nothing of its inside. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  switch (storeState(error)) {
    case 'transient':
      return unavailable('The store is briefly unavailable. Try again.', '1')
    case 'overloaded':
      return unavailable('The store is overloaded. Try again in some seconds.', '5')
    case 'full':
      return new Fault(
        'database_full',
        'The database of the organization is full. The operator can move it to another.',
      )
  }
  return new Fault('internal', 'Something went wrong on our side. The request id helps us to find it.')
}
