// What can go wrong: with a call (ApiError; `status` is 0 where no answer came at all), or before it (ArgumentError).

export interface FieldError {
  /** JSON Pointer to the faulty value, for example `/properties/0/slug`. */
  path: string
  message: string
}

export interface ApiErrorFields {
  status: number
  code: string
  message: string
  detail?: string | undefined
  requestId?: string | undefined
  errors?: readonly FieldError[] | undefined
  body?: unknown
  cause?: unknown
}

export class ApiError extends Error {
  /** HTTP status; 0 when the connection failed or timed out. */
  readonly status: number
  /**
   * Stable snake_case code; the client's own are `connection_failed`, `timeout`, `invalid_answer`, `unexpected_redirect` and
   * `broken_off`.
   */
  readonly code: string
  readonly detail: string | undefined
  /** What to quote when asking the operator about this call. */
  readonly requestId: string | undefined
  /** Every fault of an invalid input, at once. */
  readonly errors: readonly FieldError[]
  /** The whole problem document, where there was one. */
  readonly body: unknown

  constructor(fields: ApiErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.detail = fields.detail
    this.requestId = fields.requestId
    this.errors = fields.errors ?? []
    this.body = fields.body
  }
}

/** A value that no call can be made with: an empty id, a base address that is none. Nothing has been sent. */
export class ArgumentError extends TypeError {
  constructor(message: string) {
    super(message)
    this.name = 'ArgumentError'
  }
}

/** The error for an answer that is not a success. `document` is its parsed JSON, or undefined when it was none. */
export function errorOfAnswer(status: number, headers: Headers, document: unknown): ApiError {
  const requestId = headers.get('x-request-id') ?? undefined
  if (!isRecord(document)) {
    const kind = headers.get('content-type') ?? 'no content type'
    const message = `The server answered ${status} with ${kind} where a JSON error was expected.`
    return new ApiError({ status, code: 'invalid_answer', message, detail: message, requestId })
  }
  const detail = textOf(document.detail)
  const title = textOf(document.title)
  return new ApiError({
    status,
    code: textOf(document.code) ?? `http_${status}`,
    message: detail ?? title ?? `The server answered ${status}.`,
    detail,
    requestId: textOf(document.requestId) ?? requestId,
    errors: fieldErrorsOf(document.errors),
    body: document,
  })
}

function fieldErrorsOf(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map(each => ({ path: textOf(each.path) ?? '', message: textOf(each.message) ?? '' }))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
