// What the command says when something goes wrong, always in three parts: what, why, what to do. Pure.

import { ApiError, ArgumentError, type FieldError } from '../typescript/index.ts'

export const EXIT_FAILED = 1
export const EXIT_USAGE = 2
export const EXIT_NOT_SIGNED_IN = 4
export const EXIT_INTERRUPTED = 130

export interface FailureParts {
  what: string
  why: string
  todo: string
  exitCode?: number
  /** More lines for `why`, for example one per faulty field. */
  details?: readonly string[]
  /** For programs: status, code, requestId, errors. */
  data?: Readonly<Record<string, unknown>>
}

export class Failure extends Error {
  readonly parts: FailureParts

  constructor(parts: FailureParts) {
    super(parts.what)
    this.name = 'Failure'
    this.parts = parts
  }
}

export function usage(what: string, todo: string, why = 'The command line does not say what is needed.'): Failure {
  return new Failure({ what, why, todo, exitCode: EXIT_USAGE })
}

/** The three parts of any error that a command can end with. */
export function partsOf(error: unknown): FailureParts {
  if (error instanceof Failure) return error.parts
  if (error instanceof ApiError) return partsOfApiError(error)
  if (error instanceof ArgumentError) {
    const todo = 'Check the values of the command line and of the profile.'
    return { what: error.message, why: 'A value cannot be used as it is.', todo, exitCode: EXIT_USAGE }
  }
  const what = error instanceof Error ? error.message : String(error)
  return { what, why: 'Something on this machine failed.', todo: 'Remove the cause named above and try again.' }
}

const ADVICE: Readonly<Record<number, readonly [why: string, todo: string]>> = {
  0: ['No answer came.', 'Check the address and that the service runs; `selvedge whoami` shows the address in use.'],
  400: ['The service found the input invalid.', 'Correct the values; `--help` shows examples.'],
  401: [
    'The credential is wrong, expired or revoked, or belongs to another organization.',
    'See with `selvedge profiles list` what is used, and sign in again with `selvedge login`; a key in the environment wins.',
  ],
  403: [
    'The credential is known but may not do this.',
    'Use a key with scope write, or ask an admin of the organization.',
  ],
  404: [
    'There is no such thing, or the credential does not reach it.',
    'Check the id, the entity name and the organization.',
  ],
  409: ['The state of the data forbids it.', 'Look at the present state, then decide.'],
  410: [
    'The position lies before the history that is kept.',
    'Take the key that `changes` prints without --after, list the entities anew, and follow from that key.',
  ],
  412: ['Somebody else has changed it meanwhile.', 'Fetch it again and repeat the change.'],
  413: ['It is too large.', 'Send less at once.'],
  429: ['Too many requests.', 'Wait a minute, or ask the operator for a higher tier.'],
  503: ['The service is unavailable for a moment.', 'Try again in a moment.'],
}

function partsOfApiError(error: ApiError): FailureParts {
  const [why, todo] = ADVICE[error.status] ?? [
    'The service failed.',
    'Try again; if it stays, send the request id to the operator.',
  ]
  const facts = [error.status === 0 ? '' : String(error.status), error.code, requestOf(error)].filter(
    each => each !== '',
  )
  return {
    what: error.message,
    why: `${why} (${facts.join(', ')})`,
    todo,
    exitCode: error.status === 401 ? EXIT_NOT_SIGNED_IN : EXIT_FAILED,
    details: error.errors.map(lineOf),
    data: { status: error.status, code: error.code, requestId: error.requestId, errors: error.errors },
  }
}

function requestOf(error: ApiError): string {
  return error.requestId === undefined ? '' : `request ${error.requestId}`
}

function lineOf(error: FieldError): string {
  return error.path === '' ? error.message : `${error.path}: ${error.message}`
}
