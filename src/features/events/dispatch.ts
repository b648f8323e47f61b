// Reads on in the outbox of an organization and turns events into runs and deliveries. How far it read is written in the
// transaction that records them, so that no event is acted on twice, and none is passed over.

import { type Database, databaseFor, type Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { quotaExceeded } from '../../platform/db/quota.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { newId } from '../../platform/ids.ts'
import { allKinds } from '../../platform/kind.ts'
import { EVENTS_PASS_MAX, EVENTS_PASS_MAX_BYTES } from '../../platform/limits.ts'
import { isLocal } from '../../platform/pace.ts'
import { wakeDeliveries, wakeDispatch, wakeRuns } from '../../platform/wake/message.ts'
import { boundedEvent, changeEvents, triggerKeyOf } from '../history/change-event.ts'
import { moveStatements, OVERTAKEN } from '../history/outbox-store.ts'
import { readUnread, type Unread, type UpTo } from '../history/unread-store.ts'
import { activeOrganization } from '../organizations/service.ts'
import { deliveryPeriodMs } from '../outbound/backoff.ts'
import { insertDeliveries, type NewDelivery } from '../outbound/store.ts'
import { beginRun, countedRuns, pendingRuns } from '../workflows/begin-run.ts'
import { Definitions } from '../workflows/definitions.ts'
import { EVENTS_PASS_MAX_WORK } from '../workflows/limits.ts'
import { beginningsOf } from '../workflows/store.ts'
import { Budget, Turns } from '../workflows/work.ts'
import { interestOf, type Listeners, listenersTo, type Occurrence } from './listeners.ts'
import { readListeners } from './store.ts'

const PASSES_A_MESSAGE = 20
/** A pass that makes more than this stops where it is; the next one goes on. */
const WRITES_A_PASS = 500
/** The same of what it holds: an event is written once for each that listens. */
const CHARACTERS_A_PASS = EVENTS_PASS_MAX_BYTES

export async function dispatch(env: Env, orgId: string): Promise<void> {
  const org = await activeOrganization(env, orgId, Date.now())
  if (!org) return
  const db = databaseFor(env, orgId)
  for (let pass = 0; pass < PASSES_A_MESSAGE; pass++) {
    const { listeners, upTo } = await listenersOf(db, orgId)
    const unread = await readUnread(db, orgId, interestOf(listeners, allKinds()), upTo)
    if (unread.dispatchedSeq === undefined) return
    if (!(await dispatchPass(env, db, orgId, listeners, unread, unread.dispatchedSeq))) return
  }
  await wakeDispatch(env, orgId)
}

/** A listener that is added during this pass gets events after `upTo`, by the next pass. */
async function listenersOf(db: Database, orgId: string): Promise<{ listeners: Listeners; upTo: UpTo }> {
  const { workflows, endpoints, upTo } = await readListeners(db, orgId)
  const listeners = {
    workflows: workflows.map(workflow => ({ ...workflow, includeLoads: Boolean(workflow.includeLoads) })),
    endpoints: endpoints.map(({ events, includeLoads, ...endpoint }) => ({
      ...endpoint,
      events: JSON.parse(events) as string[],
      includeLoads: Boolean(includeLoads),
    })),
  }
  return { listeners, upTo }
}

/** What has happened, in order, each with where reading stands once it is dealt with. */
function occurrencesIn(unread: Unread, from: number): Occurrence[] {
  const events = changeEvents(unread.changes, unread.between, unread.states)
  return [
    ...unread.published.map(row => ({
      key: row.triggerKey,
      isLoad: false,
      createdOn: row.createdOn,
      depth: row.depth,
      seq: from,
      published: row.seq,
      event: boundedEvent(JSON.parse(row.event) as Record<string, unknown>),
    })),
    ...unread.changes.map(row => ({
      key: triggerKeyOf(row),
      isLoad: row.createdByType === 'loader',
      createdOn: row.createdOn,
      depth: row.depth,
      seq: row.seq,
      event: events.get(row.seq) ?? {},
    })),
  ]
}

/** Whether there may be more to dispatch. */
async function dispatchPass(env: Env, db: Database, orgId: string, listeners: Listeners, unread: Unread, from: number) {
  const now = Date.now()
  const matched = occurrencesIn(unread, from).map(occurrence => ({
    occurrence,
    ...listenersTo(occurrence, listeners),
  }))
  const ids = [...new Set(matched.flatMap(({ workflows }) => workflows.map(({ id }) => id)))]
  const known = ids.length ? await beginningsOf(db, orgId, ids, now) : NO_RUNS
  const definitions = new Definitions(db, orgId, known.sizes)
  const turns = new Turns()
  let { left } = known
  const writes: Write[] = []
  const deliveries: NewDelivery[] = []
  const published: number[] = []
  let to = from
  let isStopped = false
  let characters = 0
  for (const { occurrence, workflows, endpoints } of matched) {
    const isFull = writes.length + deliveries.length >= WRITES_A_PASS || characters >= CHARACTERS_A_PASS
    if (isFull || turns.work >= EVENTS_PASS_MAX_WORK) {
      isStopped = true
      break
    }
    const { key, event, depth } = occurrence
    for (const { id } of workflows) {
      const refusal = left > 0 ? undefined : quotaExceeded('runsPerDay', known.most).message
      const trigger = { key, event, depth: depth + 1, now: timeText(now), refusal, refusedBefore: known.refused }
      const budget = new Budget()
      const run = beginRun(await definitions.of(id), trigger, budget)
      await turns.took(budget.work)
      left -= countedRuns(run)
      if (run.length > 0) characters += definitions.sizeOf(id)
      writes.push(...run)
    }
    const listening = workflows.length + endpoints.length
    const payload = listening > 0 ? payloadOf(occurrence) : ''
    characters += payload.length * listening
    for (const { name } of endpoints) deliveries.push(deliveryOf(name, occurrence, payload))
    if (occurrence.published !== undefined) published.push(occurrence.published)
    to = Math.max(to, occurrence.seq)
  }
  const isCut = isStopped || unread.isCut
  if (!isCut) to = Math.max(to, unread.windowEnd ?? from)
  if (to === from && published.length === 0) return false
  const before = moveStatements(orgId, from, to, published)
  const after = insertDeliveries(orgId, deliveries, now, now + deliveryPeriodMs({ isLocal: isLocal(env) }))
  // The faster worker may have read before the newest of these was committed.
  if (!(await recorded(db, orgId, writes, before, after, now))) return true
  await wakeRuns(env, orgId, pendingRuns(writes))
  await wakeDeliveries(
    env,
    orgId,
    deliveries.map(({ id }) => id),
  )
  return isCut || unread.isWindowFull || unread.published.length >= EVENTS_PASS_MAX
}

const NO_RUNS = { sizes: [], refused: new Set<string>(), left: 0, most: 0 }

const payloadOf = ({ key, createdOn, event }: Occurrence) =>
  JSON.stringify({ type: key, timestamp: timeText(createdOn), data: event })

function deliveryOf(endpointName: string, { key, depth }: Occurrence, payload: string): NewDelivery {
  return { id: newId(), endpointName, triggerKey: key, payload, depth }
}

/** False where another dispatcher was faster. */
async function recorded(
  db: Database,
  orgId: string,
  writes: Write[],
  before: Statement[],
  after: Statement[],
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
