// The `http` action: a call of a configured endpoint. An async one tells where and with what to call back (N39).
import { Fault } from '../../../platform/errors.ts'
import { hostileParts } from '../../../platform/json-safety.ts'
import { OUTBOUND_ANSWER_MAX_BYTES, OUTBOUND_TASK_TIMEOUT_MS } from '../../../platform/limits.ts'
import { isLocal } from '../../../platform/pace.ts'
import { publicUrl } from '../../../platform/public-url.ts'
import { taskToken } from '../../auth/task-token.ts'
import { addressBelow } from '../../outbound/address.ts'
import { taskWaitMs } from '../../outbound/backoff.ts'
import { type CallOutcome, callEndpoint, type OutboundCall } from '../../outbound/call.ts'
import { type EndpointRow, findEndpoint } from '../../outbound/store.ts'
import { type Action, type ActionResult, isObject } from './action.ts'

export async function callAction(action: Action): Promise<ActionResult> {
  const { context, task, fill } = action
  const name = String(task.config.endpoint)
  const endpoint = await findEndpoint(context.db, context.org.id, name)
  if (!endpoint) return { end: 'failed', failure: `There is no endpoint ${name}.` }
  if (endpoint.allowedFor === 'events') {
    return { end: 'failed', failure: `Endpoint ${name} is allowed for events alone, not for workflows.` }
  }
  const url = addressBelow(endpoint.url, String(fill(task.config.path ?? '') ?? ''))
  if (url === undefined) return { end: 'failed', failure: 'The path leads out of the endpoint.' }
  const outcome = await callEndpoint(context.env, endpoint, {
    url,
    method: (task.config.method ?? 'POST') as OutboundCall['method'],
    id: task.id,
    body: JSON.stringify(await bodyOf(action, endpoint)),
    timeoutMs: OUTBOUND_TASK_TIMEOUT_MS,
    depth: action.depth,
  })
  return resultOf(outcome, name, task.attempts, isLocal(context.env))
}

async function bodyOf({ context, task, fill, event, taskOutputs }: Action, endpoint: EndpointRow): Promise<unknown> {
  const body = sayingWhatItIs(
    task.config.body === undefined ? { event, taskOutputs } : fill(task.config.body),
    endpoint,
  )
  if (!task.async) return body
  if (!isObject(body)) throw new Fault('invalid_input', 'The body of the call is no object.')
  const callbackUrl = `${publicUrl(context.env) ?? endpoint.baseUrl}/external-events/callback/`
  const callbackToken = await taskToken(context.env, { orgId: context.org.id, taskId: task.id })
  return { ...body, taskId: task.id, callbackUrl, callbackToken }
}

/** No event is called that: a body with a type of its own could pass for an event, signed as it is. */
const CALL_TYPE = 'workflow|call'

/** Where no events are sent there is nothing to be taken for, and the body may say what it likes. */
function sayingWhatItIs(body: unknown, { allowedFor }: EndpointRow): unknown {
  if (!isObject(body)) return body
  return allowedFor === 'workflows' ? { type: CALL_TYPE, ...body } : { ...body, type: CALL_TYPE }
}

const CUT = `The answer holds more than ${OUTBOUND_ANSWER_MAX_BYTES} bytes; the rest of it was not read.`

const TRANSIENT = new Set([408, 425, 429])

/** What the answer means for the task. Pure. */
export function resultOf(outcome: CallOutcome, name: string, attempts: number, isLocal: boolean): ActionResult {
  if (outcome.answered && outcome.status >= 200 && outcome.status < 300) {
    const { status, isCut } = outcome
    const output = { status, body: answerBody(outcome), ...(isCut && { truncated: true }) }
    return { end: 'done', output, logs: isCut ? [CUT] : [] }
  }
  const failure = outcome.answered
    ? `Endpoint ${name} answered ${outcome.status}.`
    : `Endpoint ${name}: ${outcome.error}`
  const mayHelp = outcome.answered ? outcome.status >= 500 || TRANSIENT.has(outcome.status) : !outcome.isFinal
  const waitMs = mayHelp ? taskWaitMs(attempts, { isLocal }) : undefined
  return waitMs === undefined ? { end: 'failed', failure } : { end: 'again', waitMs, isProgress: false, log: failure }
}

function answerBody({ contentType, text, isCut }: CallOutcome & { answered: true }): unknown {
  if (!isCut && /^application\/([\w.-]+\+)?json\b/i.test(contentType)) {
    try {
      const body: unknown = JSON.parse(text)
      return hostileParts(body).length > 0 ? text : body
    } catch {
      return text
    }
  }
  return text
}
