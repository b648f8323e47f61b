// What starts runs on request (N36): a call that names a trigger key, and the secret address of a webhook.
import type { Env } from '../../env.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { type Entity, entityOf, timeText } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../platform/limits.ts'
import { keepWatch } from '../../platform/wake/watch.ts'
import { beginRun } from './begin-run.ts'
import type { CreateWebhook, WorkflowRequest } from './contract.ts'
import { PROCESS, WEBHOOK } from './kind.ts'
import { type DefinedWorkflow, insertWebhookSecret, workflowsTriggeredBy } from './store.ts'

export async function requestWorkflows(context: Context, { triggerKey, event }: WorkflowRequest): Promise<Entity[]> {
  if (jsonBytes(event) > EVENT_MAX_BYTES) {
    throw new Fault('too_large', `An event may hold at most ${EVENT_MAX_BYTES} bytes.`)
  }
  // Somebody looks after the runs before there are any.
  const [workflows] = await Promise.all([
    workflowsTriggeredBy(context.db, context.org.id, triggerKey),
    keepWatch(context.env, context.org.id),
  ])
  return beginRuns(context, workflows, triggerKey, event)
}

async function beginRuns(
  context: Context,
  workflows: readonly DefinedWorkflow[],
  key: string,
  event: Record<string, unknown>,
): Promise<Entity[]> {
  const trigger = { key, event, depth: 1, now: timeText(context.now) }
  const writes = workflows.flatMap((workflow): Write[] => beginRun(workflow, trigger))
  // That nothing was started is an answer too, which a repeat must get again (N64).
  if (writes.length === 0 && !context.idempotency) return []
  const { rows } = await commit(context, writes)
  const processes = rows.flatMap(row => (row?.kind === PROCESS.name ? [entityOf(row)] : []))
  const pending = processes.filter(process => process.status === 'pending').map(process => process.id)
  // For speed alone: should it fail, the watch brings what it stands for.
  context.defer(wakeRuns(context.env, context.org.id, pending))
  return processes
}

const MESSAGES_A_SEND = 100

export async function wakeRuns(env: Env, orgId: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MESSAGES_A_SEND) {
    const messages = ids.slice(at, at + MESSAGES_A_SEND).map(id => ({ body: { kind: 'process', orgId, id } }))
    await env.STEP_QUEUE.sendBatch(messages)
  }
}

/** The secret begins with the organization's id, so that it leads to the right database. */
const SECRET = /^([A-Za-z0-9_-]{16})[A-Za-z0-9]{40}$/

export function orgOfSecret(secret: string): string | undefined {
  return SECRET.exec(secret)?.[1]
}

export const webhookKey = (id: string) => `webhookId:${id}`

export async function createWebhook(context: Context, body: CreateWebhook): Promise<Entity> {
  const { org, now, baseUrl } = context
  const id = newId()
  const secret = org.id + randomText(40)
  const data = { typePath: WEBHOOK.name, triggerKey: webhookKey(id), ...body }
  const { rows } = await commit(context, [{ op: 'create', kind: WEBHOOK, id, data }], {
    after: [insertWebhookSecret({ digest: await digestOf(secret), orgId: org.id, webhookId: id, createdOn: now })],
  })
  const [row] = rows
  if (!row) throw new Error('a committed webhook did not come back')
  return { ...entityOf(row), triggerUrl: `${baseUrl}/trigger-webhooks/${secret}` }
}
