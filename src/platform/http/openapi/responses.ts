// The answers of an operation in the API document: the good ones, and its faults as problem documents.
import * as z from 'zod'
import { type Code, Fault } from '../../errors.ts'
import { named, pascal } from '../components.ts'
import type { Operation } from '../operation.ts'
import { CODES, problemBody, statusOf } from '../problem.ts'
import { answerExample } from './examples.ts'
import { type AnswerHeader, answerHeaders } from './headers.ts'
import type { Schemas } from './schemas.ts'

export const Problem = named(
  'Problem',
  z.looseObject({
    type: z
      .string()
      .describe(
        'Address of the page that explains the code, such as `/docs/errors/not_found`. Compare `code`, not this.',
      ),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What went wrong, in a sentence.'),
    code: z.enum(CODES).describe('What went wrong, for programs; it never changes.'),
    requestId: z.string(),
    errors: z
      .array(z.object({ path: z.string().describe('JSON Pointer.'), message: z.string() }))
      .optional()
      .describe('Every fault of the request.'),
  }),
)

const DONE: Record<Operation['status'], string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Success, without a body.',
  302: 'Redirect to the address in `Location`.',
}

/** On everything that a credential of an organization was shown for. */
const OF_ORGANIZATIONS: readonly AnswerHeader[] = ['RateLimit-Policy', 'x-d1-bookmark']

export function answersOf(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { status, conditions = [], also = {}, alsoEmpty = {}, sends = [], access } = operation
  const headers = answerHeaders([...sends, ...(access === 'organization' || access === 'task' ? OF_ORGANIZATIONS : [])])
  const content = contentOf(operation, schemas)
  const answers: Record<string, unknown> = { [status]: { description: DONE[status], headers, ...content } }
  for (const [other, description] of Object.entries(also)) answers[other] = { description, headers, ...content }
  for (const [other, description] of Object.entries(alsoEmpty)) answers[other] = { description, headers }
  if (conditions.includes('Range')) {
    const ranged = { ...headers, ...answerHeaders(['Content-Range']) }
    answers[206] = { description: 'The range that was asked for.', headers: ranged, ...content }
  }
  if (conditions.includes('If-None-Match')) {
    answers[304] = { description: 'The caller has it already.', headers: answerHeaders(['ETag']) }
  }
  return answers
}

function contentOf(operation: Operation, schemas: Schemas) {
  const { answer, otherAnswers = {}, answerTypes = [] } = operation
  const types = Object.fromEntries(answerTypes.map(type => [type, { schema: { type: 'string', format: 'binary' } }]))
  if (!answer) return answerTypes.length ? { content: types } : {}
  const shapes = Object.entries({ 'application/json': answer, ...otherAnswers }).map(([type, shape]) => [
    type,
    { schema: schemas.refer(shape, 'output'), example: answerExample(shape, schemas) },
  ])
  return { content: { ...Object.fromEntries(shapes), ...types } }
}

/** The codes that an operation may answer with: its own, and those that come with what it takes. */
export function codesOf(operation: Operation): Code[] {
  const { access, method, path, body, rawBody, conditions = [], limitedByAddress, faults = [] } = operation
  const hasBody = Boolean(body || rawBody)
  const isRepeatable = method === 'POST' && access !== 'anybody' && !operation.issuesCredential
  const found: (readonly [boolean, ...Code[]])[] = [
    [true, 'invalid_input', 'internal', 'unavailable'],
    [access !== 'anybody', 'unauthorized', 'rate_limited'],
    [access === 'operator', 'operator_closed'],
    [access === 'organization' || access === 'task', 'forbidden', 'organization_suspended'],
    [method !== 'GET' && access === 'organization', 'read_only_key'],
    [Boolean(limitedByAddress), 'rate_limited'],
    [path.includes(':'), 'not_found'],
    [hasBody, 'invalid_json', 'unsupported_media_type'],
    [method !== 'GET', 'too_large', 'database_full'],
    [isRepeatable, 'idempotency_key_reused'],
    [conditions.includes('If-Match'), 'precondition_failed'],
    [conditions.includes('Range'), 'range_not_satisfiable'],
  ]
  const codes = new Set([...found.flatMap(([holds, ...some]) => (holds ? some : [])), ...faults])
  return CODES.filter(code => codes.has(code))
}

const FAULT_HEADERS: Record<number, readonly AnswerHeader[]> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
}

/** Faults of one status are one answer; those that many operations share stand once in the document. */
export class FaultAnswers {
  readonly used: Record<string, unknown> = {}
  readonly #schemas: Schemas
  readonly #problem: { $ref: string }

  constructor(schemas: Schemas) {
    this.#schemas = schemas
    this.#problem = schemas.refer(Problem, 'output')
  }

  of(operation: Operation): Record<string, unknown> {
    const codes = codesOf(operation)
    const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
    const problems = statuses.map(status => [
      status,
      this.#refer(
        status,
        codes.filter(code => statusOf(code) === status),
      ),
    ])
    const others = Object.entries(operation.otherFaults ?? {}).map(([status, shape]) => [
      status,
      this.#other(
        shape,
        codes.filter(code => statusOf(code) === Number(status)),
      ),
    ])
    return Object.fromEntries([...problems, ...others])
  }

  #refer(status: number, codes: Code[]): { $ref: string } {
    const name = codes.map(pascal).join('Or')
    this.used[name] ??= {
      description: `The code is ${codes.map(code => `\`${code}\``).join(' or ')}.`,
      headers: answerHeaders(FAULT_HEADERS[status]),
      content: this.#problems(codes),
    }
    return { $ref: `#/components/responses/${name}` }
  }

  #other(shape: z.ZodType, codes: Code[]): Record<string, unknown> {
    const schema = this.#schemas.refer(shape, 'output')
    const own = { 'application/json': { schema, example: answerExample(shape, this.#schemas) } }
    return { description: 'Refused.', content: { ...own, ...(codes.length > 0 && this.#problems(codes)) } }
  }

  #problems(codes: Code[]): Record<string, unknown> {
    const examples = Object.fromEntries(codes.map(code => [code, { value: problemExample(code) }]))
    return { 'application/problem+json': { schema: this.#problem, examples } }
  }
}

function problemExample(code: Code): Record<string, unknown> {
  const errors = code === 'invalid_input' ? { errors: [{ path: '/name', message: 'Expected a text.' }] } : {}
  return problemBody(new Fault(code, 'What went wrong, in a sentence.', errors), 'f2Gk9TsW0bRnY6uE')
}
