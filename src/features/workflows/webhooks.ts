// An inbound webhook is triggered (N36): no credentials but the secret in its address. Its event is `{body, headers}`.
import { background } from '../../platform/background.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { boundedText } from '../../platform/http/bounded-body.ts'
import type { OpenContext } from '../../platform/http/operation.ts'
import { addressOf, limitRate, networkOf } from '../../platform/http/rate-limit.ts'
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

type Json = string | number | boolean | null | { [name: string]: Json } | Json[]

async function bodyOf(request: Request): Promise<Json> {
  const { text, isCut } = await boundedText(request.body, EVENT_MAX_BYTES)
  if (isCut) throw tooLarge()
  if (text === '') return null
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/x-www-form-urlencoded') return checked(Object.fromEntries(new URLSearchParams(text)))
  if (type !== 'application/json' && !type.endsWith('+json')) return text
  try {
    return checked(JSON.parse(text) as Json)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('invalid_json', 'The body is not valid JSON.')
  }
}

function checked(value: Json): Json {
  const faults = hostileParts(value)
  if (faults.length) throw invalid(faults)
  return value
}
