// One try of one delivery. Safe to repeat: a delivery is taken before it is tried, and only the try that holds it may say
// how it went.

import { count } from '../../platform/counters.ts'
import { databaseFor } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { OUTBOUND_TIMEOUT_MS } from '../../platform/limits.ts'
import { isLocal } from '../../platform/pace.ts'
import { wakeDelivery } from '../../platform/wake/message.ts'
import { activeOrganization } from '../organizations/service.ts'
import { deliveryPeriodMs, deliveryWaitMs } from './backoff.ts'
import { type CallOutcome, callEndpoint } from './call.ts'
import { claimDelivery, type DeliveryResult, type DeliveryRow, ENDPOINT_GONE, recordDelivery } from './store.ts'

export async function deliver(env: Env, orgId: string, id: string): Promise<void> {
  const db = databaseFor(env, orgId)
  const now = Date.now()
  if (!(await activeOrganization(env, orgId, now))) return
  const leaseEnd = now + 3 * OUTBOUND_TIMEOUT_MS
  const endsOn = now + deliveryPeriodMs({ isLocal: isLocal(env) })
  const claimed = await claimDelivery(db, { orgId, id, now, leaseEnd, endsOn })
  if (!claimed) return
  const { delivery, endpoint } = claimed
  const outcome: CallOutcome = endpoint
    ? await callEndpoint(env, endpoint, {
        url: endpoint.url,
        method: 'POST',
        id: delivery.id,
        body: delivery.payload,
        timeoutMs: OUTBOUND_TIMEOUT_MS,
        depth: delivery.depth,
      })
    : { answered: false, error: ENDPOINT_GONE, isFinal: true }
  const result = resultOf(outcome, delivery, Date.now(), isLocal(env))
  await recordDelivery(db, delivery, result)
  if (result.status === 'failed') count(env, 'delivery_failed', orgId)
  if (result.status === 'pending') {
    await wakeDelivery(env, orgId, id, result.dueOn - Date.now())
  }
}

/** The result of a try. Pure. */
export function resultOf(outcome: CallOutcome, delivery: DeliveryRow, now: number, isLocal: boolean): DeliveryResult {
  const responseStatus = outcome.answered ? outcome.status : null
  if (outcome.answered && outcome.status >= 200 && outcome.status < 300) {
    return { status: 'delivered', dueOn: now, responseStatus, error: null, endedOn: now }
  }
  const error = outcome.answered ? answerError(outcome.status) : outcome.error
  const waitMs = deliveryWaitMs(delivery.attempts, { isLocal })
  const isOver = (!outcome.answered && outcome.isFinal) || waitMs === undefined || now + waitMs > delivery.endsOn
  return isOver
    ? { status: 'failed', dueOn: now, responseStatus, error, endedOn: now }
    : { status: 'pending', dueOn: now + waitMs, responseStatus, error, endedOn: null }
}

function answerError(status: number): string {
  return status >= 300 && status < 400
    ? `The endpoint answered ${status}; redirects are not followed.`
    : `The endpoint answered ${status}.`
}
