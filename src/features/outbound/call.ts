// One call to an endpoint outside: address checked again, secured as configured, no redirect followed, bounded in time
// and in what is read of the answer.

import { chainHeader } from '../../platform/chain.ts'
import type { Env } from '../../platform/env.ts'
import { boundedText } from '../../platform/http/bounded-body.ts'
import { OUTBOUND_ANSWER_MAX_BYTES } from '../../platform/limits.ts'
import { decryptSecret } from '../../platform/secrets.ts'
import { addressFault } from './address.ts'
import { addressRules, callSelf } from './own-calls.ts'
import { isOwnAddress } from './own-zone.ts'
import { signatureHeaders } from './sign.ts'
import type { EndpointRow } from './store.ts'

export interface OutboundCall {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The same for every repetition of the same call. */
  id: string
  body: string
  timeoutMs: number
  /** Of the run that calls, or of what is delivered, in a chain of workflows. */
  depth: number
}

export type CallOutcome =
  | { answered: true; status: number; contentType: string; text: string; isCut: boolean }
  | { answered: false; error: string; isFinal: boolean }

export const secretOwner = (orgId: string, name: string) => `endpoint:${orgId}:${name}`

export async function callEndpoint(env: Env, endpoint: EndpointRow, call: OutboundCall): Promise<CallOutcome> {
  const rules = addressRules(env, endpoint.baseUrl)
  const refused = addressFault(call.url, rules)
  if (refused) return { answered: false, error: refused, isFinal: true }
  if (endpoint.authKind === 'allowlist' && !env.EGRESS) {
    return { answered: false, error: 'This deployment has no EGRESS binding.', isFinal: true }
  }
  try {
    const request = await requestOf(env, endpoint, call)
    const response = await sendTo(env, endpoint, request, isOwnAddress(call.url, rules.zone))
    const { text, isCut } = await boundedText(response.body, OUTBOUND_ANSWER_MAX_BYTES)
    const contentType = response.headers.get('Content-Type') ?? ''
    return { answered: true, status: response.status, contentType, text, isCut }
  } catch (error) {
    return { answered: false, error: callError(error, call.timeoutMs), isFinal: false }
  }
}

function sendTo(env: Env, endpoint: EndpointRow, request: Request, isOwn: boolean): Promise<Response> {
  if (isOwn) return callSelf(request, endpoint.orgId)
  return endpoint.authKind === 'allowlist' && env.EGRESS ? env.EGRESS.fetch(request) : fetch(request)
}

async function requestOf(env: Env, endpoint: EndpointRow, call: OutboundCall): Promise<Request> {
  const hasBody = call.method !== 'GET' && call.method !== 'DELETE'
  const body = hasBody ? call.body : ''
  const own = { ...(await chainHeader(env, call.depth)), ...(await securing(env, endpoint, call.id, body)) }
  return new Request(call.url, {
    method: call.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(call.timeoutMs),
    headers: {
      'User-Agent': 'Selvedge',
      'Idempotency-Key': call.id,
      'webhook-id': call.id,
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...own,
    },
    ...(hasBody && { body }),
  })
}

async function securing(env: Env, endpoint: EndpointRow, id: string, body: string): Promise<Record<string, string>> {
  if (endpoint.authKind === 'allowlist') return {}
  const owner = secretOwner(endpoint.orgId, endpoint.name)
  const open = (sealed: string | null) => decryptSecret(env, owner, sealed ?? '')
  const secret = await open(endpoint.sealedSecret)
  if (endpoint.authKind === 'header') return { [endpoint.headerName ?? '']: secret }
  const now = Date.now()
  const isRotating = endpoint.sealedOldSecret !== null && now < (endpoint.oldSecretUntil ?? 0)
  const secrets = isRotating ? [secret, await open(endpoint.sealedOldSecret)] : [secret]
  return signatureHeaders(secrets, { id, timestamp: Math.floor(now / 1000), body })
}

function callError(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `No answer within ${timeoutMs / 1000} seconds.`
  return `The call failed: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}.`
}
