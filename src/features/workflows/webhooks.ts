// An inbound webhook is triggered (N36): no credentials but the secret in its address. Its event is `{body, headers}`.
import type * as z from 'zod'
import { background } from '../../platform/background.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { requestBytes } from '../../platform/http/bounded-body.ts'
import type { OpenContext } from '../../platform/http/operation.ts'
import { addressOf, limitRate, networkOf } from '../../platform/http/rate-limit.ts'
import { isJson, mediaTypeOf, readJson } from '../../platform/http/valid.ts'
import { hostileParts } from '../../platform/json-safety.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { orgOfSecret, requestWorkflows, webhookKey } from './request.ts'
import { webhookOf } from './store.ts'

/** Headers that carry credentials or tell of the network between. */
const DROPPED = /^(authorization|proxy-authorization|cookie|x-api-key|x-operator-key|cf-.*|x-forwarded-.*|x-real-ip)$/

export async function triggerWebhook(
  context: OpenContext,
  secret: string,
  request: Request,
): Promise<{ id: string }[]> {
  const { env, now } = context
  const address = networkOf(addressOf(request))
  const orgId = orgOfSecret(secret)
  const org = orgId && (await activeOrganization(env, orgId, now))
  const webhookId = org && (await webhookOf(databaseFor(env, org.id), org.id, await digestOf(secret)))
  await limitRate(env, 'address', webhookId ? `webhook:${webhookId}:${address}` : `wrong-webhook:${address}`)
  if (!org || !webhookId) throw notFound('webhook')
  const event = { body: await bodyOf(request), headers: headersOf(request) }
  if (jsonBytes(event) > EVENT_MAX_BYTES) throw tooLarge()
  const own = background(env, org, { id: webhookId, type: 'app' }, context.baseUrl)
  const processes = await requestWorkflows(own, { triggerKey: webhookKey(webhookId), event })
  context.defer(own.settled())
  return processes.map(({ id }) => ({ id }))
}

const tooLarge = () => new Fault('too_large', `An event may hold at most ${EVENT_MAX_BYTES} bytes.`)

function headersOf(request: Request): Record<string, string> {
  return Object.fromEntries([...request.headers].filter(([name]) => !DROPPED.test(name)))
}

async function bodyOf(request: Request): Promise<z.core.util.JSONType> {
  const bytes = await requestBytes(request, EVENT_MAX_BYTES)
  if (bytes.length === 0) return null
  if (isJson(request)) return readJson(request, bytes).value as z.core.util.JSONType
  const text = new TextDecoder().decode(bytes)
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return text
  const form = Object.fromEntries(new URLSearchParams(text))
  const faults = hostileParts(form)
  if (faults.length) throw invalid(faults)
  return form
}
