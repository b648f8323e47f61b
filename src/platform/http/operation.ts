// An operation as data: routing, validation, the API reference and the tests over all operations read the same object.
import type * as z from 'zod'
import type { Context, OpenContext } from '../context.ts'
import type { Code } from '../errors.ts'
import type { AnswerHeader } from './openapi/headers.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Whose call it is: a key or token of an organization, the same or a task's own token, the operator, or anybody. */
export type Access = 'organization' | 'task' | 'operator' | 'anybody'

export interface Operation<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  /** Its name in the document and in generated clients. */
  id: string
  method: Method
  /** Below the base address, parameters as `:name`. */
  path: string
  tag: string
  summary: string
  description?: string
  access: Access
  /** What it is about; keys that are limited to other entity types may not call it, nor one that is about none. */
  entityType?: string
  /** It holds to the limits of the key by itself, or shows nothing of entities. */
  forLimitedKeys?: true
  /** Whether a key of scope `read` may call it. Default: GET only. */
  writes?: boolean
  /** The least role of the person who calls; keys and tokens without a person are refused. None: any caller. */
  role?: 'member' | 'admin'
  /** Needs a session: a key of a person is not enough. */
  session?: true
  /** Its answer holds a secret that is shown once, so that it is never kept for a repeat (N18). */
  issuesCredential?: true
  /**
   * It does more than one commit, or none: its whole answer is kept for a repeat under the same Idempotency-Key (N64). For
   * all others the rows of their first commit are kept.
   */
  keepsAnswer?: true
  /** The body holds a password: the stored digest must not reveal whether a guess is right. */
  takesPassword?: true
  /** Calls from one address share a limit under this name (N43). */
  limitedByAddress?: string
  query?: Query
  /** JSON body. */
  body?: Body
  /** What the document says of the body, where the verb checks it by itself. */
  bodyShape?: z.ZodType
  bodyMaxBytes?: number
  /** A body that the handler reads by itself, by content type: its bytes, a form with one file, or JSON. */
  rawBody?: Readonly<Record<string, 'bytes' | 'form' | z.ZodType>>
  /** The JSON answer; none: 204 or a body of another kind. */
  answer?: z.ZodType
  /** JSON answers of other content types, where a parameter asks for them. */
  otherAnswers?: Readonly<Record<string, z.ZodType>>
  /** The content types of an answer that is not JSON, or not always. */
  answerTypes?: readonly string[]
  status: 200 | 201 | 202 | 204 | 302
  /** Other good answers of the same shape, with when they are given. */
  also?: Readonly<Partial<Record<202, string>>>
  /** Good answers without a body, with when they are given. */
  alsoEmpty?: Readonly<Partial<Record<202, string>>>
  /** Headers that a good answer always has. */
  sends?: readonly AnswerHeader[]
  /** Conditions that it heeds; each brings its own answers: 412, 304, or 206 and 416. */
  conditions?: readonly ('If-Match' | 'If-None-Match' | 'Range')[]
  faults?: readonly Code[]
  /** Refusals of these statuses that another standard words: they come as plain JSON beside the problem documents. */
  otherFaults?: Readonly<Partial<Record<400 | 404, z.ZodType>>>
}

export interface Input<Query, Body> {
  params: Record<string, string>
  query: Query
  body: Body
  request: Request
}

export interface Answer {
  body?: unknown
  status?: number
  headers?: Record<string, string>
}

export type Handle<Query, Body, C> = (context: C, input: Input<Query, Body>) => Promise<Answer | Response>

export interface Route {
  operation: Operation
  handle: Handle<unknown, unknown, Context>
}

/** Binds an operation to its handler, with the types of the one in the other. */
export function route<Q extends z.ZodType, B extends z.ZodType, A extends Access>(
  operation: Operation<Q, B> & { access: A },
  handle: Handle<z.output<Q>, z.output<B>, A extends 'organization' | 'task' ? Context : OpenContext>,
): Route {
  return { operation, handle: handle as unknown as Route['handle'] }
}
