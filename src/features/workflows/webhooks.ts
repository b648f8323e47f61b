// Webhooks: made by a caller, triggered by any request that holds the secret of their address (N36). The event is `{body, headers}`.

import type * as z from 'zod'
import { background } from '../../platform/background.ts'
import { chainDepth } from '../../platform/chain.ts'
import type { Context, OpenContext } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import type { Entity } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { requestBytes } from '../../platform/http/bounded-body.ts'
import { idempotencyOf } from '../../platform/http/idempotency-key.ts'
import { addressOf, limitRate, networkOf } from '../../platform/http/rate-limit.ts'
import { isJson, mediaTypeOf, readJson } from '../../platform/http/valid.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { hostileParts } from '../../platform/json-safety.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'
import { checkedBody } from '../entities/checked-body.ts'
import { createEntity } from '../entities/service.ts'
import { activeOrganization } from '../organizations/service.ts'
import { type CreateWebhook, triggerWebhook as operation } from './contract.ts'
import { WEBHOOK } from './kind.ts'
import { requestWorkflows } from './request.ts'
import { insertWebhookSecret, webhookOf } from './store.ts'

/** Headers that carry credentials or tell of the network between. */
const DROPPED =
  /^(authorization|proxy-authorization|cookie|x-api-key|x-operator-key|cf-.*|x-forwarded-.*|x-real-ip|selvedge-.*)$/

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
  const bytes = await requestBytes(request, EVENT_MAX_BYTES)
  const event = { body: bodyOf(request, bytes), headers: headersOf(request) }
  if (jsonBytes(event) > EVENT_MAX_BYTES) throw tooLarge()
  const own = background(env, org, { id: webhookId, type: 'app' }, context.baseUrl)
  const idempotency = await idempotencyOf(operation, request, { params: {}, sent: event.body }, webhookId, env)
  const processes = await requestWorkflows(
    { ...own, idempotency },
    { triggerKey: webhookKey(webhookId), event },
    await chainDepth(env, request),
  )
  context.defer(own.settled())
  return processes.map(({ id }) => ({ id }))
}

const tooLarge = () => new Fault('too_large', `An event may hold at most ${EVENT_MAX_BYTES} bytes.`)

function headersOf(request: Request): Record<string, string> {
  return Object.fromEntries([...request.headers].filter(([name]) => !DROPPED.test(name)))
}

function bodyOf(request: Request, bytes: Uint8Array): z.core.util.JSONType {
  if (bytes.length === 0) return null
  if (isJson(request)) return readJson(request, bytes).value as z.core.util.JSONType
  const text = new TextDecoder().decode(bytes)
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return text
  const form = Object.fromEntries(new URLSearchParams(text))
  const faults = hostileParts(form)
  if (faults.length) throw invalid(faults)
  return form
}

/** The secret begins with the organization's id, so that it leads to the right database. */
const SECRET = /^([A-Za-z0-9_-]{16})[A-Za-z0-9]{40}$/

function orgOfSecret(secret: string): string | undefined {
  return SECRET.exec(secret)?.[1]
}

const webhookKey = (id: string) => `webhookId:${id}`

export async function createWebhook(context: Context, body: CreateWebhook): Promise<Entity> {
  const { org, now, baseUrl } = context
  const id = newId()
  const secret = org.id + randomText(40)
  const webhook = await createEntity(context, WEBHOOK, checkedBody(WEBHOOK, 'create', body), {
    id,
    sets: { triggerKey: webhookKey(id) },
    before: [insertWebhookSecret({ digest: await digestOf(secret), orgId: org.id, webhookId: id, createdOn: now })],
  })
  return { ...webhook, triggerUrl: `${baseUrl}/trigger-webhooks/${secret}` }
}
