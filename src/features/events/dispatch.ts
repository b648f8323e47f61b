// Reads on in the outbox of an organization and turns events into runs and deliveries. How far it read is written in the
// transaction that records them, so that no event is acted on twice, and none is passed over.
import type { Env } from '../../env.ts'
import { type Database, databaseFor } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { newId } from '../../platform/ids.ts'
import { allKinds } from '../../platform/kind.ts'
import { EVENTS_PASS_MAX, EVENTS_PASS_MAX_BYTES } from '../../platform/limits.ts'
import { boundedEvent, changeEvent, triggerKeyOf } from '../history/change-event.ts'
import { type Heard, heardStatements, hearNext, OVERTAKEN } from '../history/outbox-store.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { deliveryPeriodMs } from '../outbound/backoff.ts'
import { isLocal } from '../outbound/call.ts'
import { type EndpointRow, endpointsStatement, insertDeliveries, type NewDelivery } from '../outbound/store.ts'
import { beginRun } from '../workflows/begin-run.ts'
import { PROCESS } from '../workflows/kind.ts'
import { wakeRuns } from '../workflows/request.ts'
import {
  type DefinedWorkflow,
  type ListeningWorkflow,
  listeningStatement,
  workflowsWithIds,
} from '../workflows/store.ts'
import { interestOf, type Listeners, listenersTo, type Occurrence } from './listeners.ts'

const PASSES_A_MESSAGE = 20
/** A pass that makes more than this stops where it is; the next one goes on. */
const WRITES_A_PASS = 500

export async function hear(env: Env, orgId: string): Promise<void> {
  const org = await activeOrganization(env, orgId, Date.now())
  if (!org) return
  const db = databaseFor(env, orgId)
  const listeners = await readListeners(db, orgId)
  for (let pass = 0; pass < PASSES_A_MESSAGE; pass++) {
    const heard = await hearNext(db, orgId, interestOf(listeners, allKinds()))
    if (heard.heardSeq === undefined || !(await hearPass(env, db, orgId, listeners, heard, heard.heardSeq))) return
  }
  await env.STEP_QUEUE.send({ kind: 'events', orgId })
}

async function readListeners(db: Database, orgId: string): Promise<Listeners> {
  const [workflows, endpoints] = await db.batch([listeningStatement(orgId), endpointsStatement(orgId)])
  return {
    workflows: ((workflows?.results ?? []) as unknown as ListeningWorkflow[]).map(workflow => ({
      ...workflow,
      includeLoads: Boolean(workflow.includeLoads),
    })),
    endpoints: ((endpoints?.results ?? []) as unknown as EndpointRow[]).map(row => ({
      name: row.name,
      events: JSON.parse(row.events) as string[],
      includeLoads: row.include_loads === 1,
      createdOn: row.created_on,
    })),
  }
}

/** What has happened, in order, each with where reading stands once it is dealt with. */
function occurrencesIn(heard: Heard, from: number, now: number): (Occurrence & { seq: number; published?: number })[] {
  return [
    ...heard.published.map(row => ({
      key: row.trigger_key,
      isLoad: false,
      createdOn: now,
      depth: row.depth,
      seq: from,
      published: row.seq,
      event: () => JSON.parse(row.event) as Record<string, unknown>,
    })),
    ...heard.changes.map(row => ({
      key: triggerKeyOf(row),
      isLoad: row.created_by_type === 'loader',
      createdOn: row.created_on,
      depth: row.depth,
      seq: row.seq,
      event: () => {
        const later = heard.later.filter(other => other.entity_id === row.entity_id && other.seq > row.seq)
        return changeEvent(row, row.data === null ? undefined : JSON.parse(row.data), later)
      },
    })),
  ]
}

/** Whether there may be more to hear. */
async function hearPass(env: Env, db: Database, orgId: string, listeners: Listeners, heard: Heard, from: number) {
  const now = Date.now()
  const matched = occurrencesIn(heard, from, now).map(occurrence => ({
    occurrence,
    ...listenersTo(occurrence, listeners),
  }))
  const ids = [...new Set(matched.flatMap(({ workflows }) => workflows.map(({ id }) => id)))]
  const defined = ids.length ? await workflowsWithIds(db, orgId, ids) : new Map<string, DefinedWorkflow>()
  const writes: Write[] = []
  const deliveries: NewDelivery[] = []
  const published: number[] = []
  let to = from
  let isStopped = false
  for (const { occurrence, workflows, endpoints } of matched) {
    if (writes.length + deliveries.length >= WRITES_A_PASS) {
      isStopped = true
      break
    }
    const event = workflows.length || endpoints.length ? boundedEvent(occurrence.event()) : {}
    const trigger = { key: occurrence.key, event, depth: occurrence.depth + 1, now: timeText(now) }
    for (const { id } of workflows) writes.push(...beginRun(defined.get(id) ?? GONE, trigger))
    for (const { name } of endpoints) deliveries.push(deliveryOf(name, occurrence, event))
    if (occurrence.published !== undefined) published.push(occurrence.published)
    to = Math.max(to, occurrence.seq)
  }
  const isCut = isStopped || isCutShort(heard)
  if (!isCut) to = Math.max(to, heard.windowEnd ?? from)
  if (to === from && published.length === 0) return false
  const before = heardStatements(orgId, from, to, published)
  const after = insertDeliveries(orgId, deliveries, now, now + deliveryPeriodMs({ isLocal: isLocal(env) }))
  // Whoever was faster may have looked before the newest of these came.
  if (!(await recorded(db, orgId, writes, before, after, now))) return true
  await wakeRuns(env, orgId, pendingIn(writes))
  await wakeDeliveries(env, orgId, deliveries)
  return isCut || heard.isWindowFull || heard.published.length >= EVENTS_PASS_MAX
}

/** Deleted between two readings: no path applies. */
const GONE: DefinedWorkflow = { id: '', name: null, paths: [] }

function deliveryOf(name: string, { key, createdOn }: Occurrence, data: Record<string, unknown>): NewDelivery {
  const payload = JSON.stringify({ type: key, timestamp: timeText(createdOn), data })
  return { id: newId(), endpoint_name: name, trigger_key: key, payload }
}

function isCutShort({ changes }: Heard): boolean {
  const characters = changes.reduce((sum, { detail }) => sum + detail.length, 0)
  return changes.length >= EVENTS_PASS_MAX || characters >= EVENTS_PASS_MAX_BYTES
}

function pendingIn(writes: readonly Write[]): string[] {
  return writes.flatMap(write =>
    write.op === 'create' && write.kind === PROCESS && write.data.status === 'pending' ? [write.id] : [],
  )
}

type Statements = ReturnType<typeof heardStatements>

/** False where another listener was faster. */
async function recorded(
  db: Database,
  orgId: string,
  writes: Write[],
  before: Statements,
  after: Statements,
  now: number,
): Promise<boolean> {
  try {
    if (writes.length === 0) await db.batch([...before, ...after])
    else {
      const scope = { db, org: { id: orgId, slug: '' }, actor: { id: 'events', type: 'workflow' as const }, now }
      await commit(scope, writes, { before, after, returning: false })
    }
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes(OVERTAKEN)) return false
    throw error
  }
}

async function wakeDeliveries(env: Env, orgId: string, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let at = 0; at < deliveries.length; at += 100) {
    const messages = deliveries.slice(at, at + 100).map(({ id }) => ({ body: { kind: 'delivery', orgId, id } }))
    await env.STEP_QUEUE.sendBatch(messages)
  }
}
