// What is read from the outbox: which events reach whom, how many, and how deep in a chain they are.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dispatch } from '../../../src/features/events/dispatch.ts'
import * as listening from '../../../src/features/events/store.ts'
import { publishStatement } from '../../../src/features/history/outbox-store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import * as committing from '../../../src/platform/db/commit/commit.ts'
import { fieldsOf } from '../../../src/platform/db/commit/write.ts'
import { newId } from '../../../src/platform/ids.ts'
import { EVENTS_PASS_MAX, EVENTS_PASS_MAX_BYTES, EVENTS_WINDOW_RECORDS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { nothingLeft } from '../eventually.ts'
import { type Found, processesOf } from '../workflows/runs.ts'

const tasks = [{ name: 'note', action: 'expression', config: { output: { n: '{event.n}' } } }]

const listener = (org: TestOrg, triggerKey: string) =>
  org.make('/event-workflows', { name: triggerKey, triggerKey, paths: [{ tasks }] })

/** In the transaction of somebody's work, who wakes nobody. */
const publish = (org: TestOrg, events: Json[], createdById: string) =>
  databaseFor(env, org.id).batch(
    events.map(event => publishStatement({ orgId: org.id, triggerKey: 'assortment|publish', event, createdById })),
  )

async function store(org: TestOrg, name: string, data: Json, by: string, at = Date.now()): Promise<string> {
  const id = newId()
  const scope = { db: databaseFor(env, org.id), org, actor: { id: by, type: 'app' as const }, now: at }
  const kind = kindNamed(name)
  await committing.commit(scope, [{ op: 'create', kind, id, data: { typePath: kind.name, ...data } }])
  return id
}

async function allRuns(org: TestOrg, workflowId: string): Promise<Found[]> {
  const query = { criteria: { eventWorkflowId: workflowId }, limit: 1000 }
  return ((await org.get('/event-workflow-processes', query)).body.results ?? []) as Found[]
}

describe('N36 events', () => {
  it('that are older than a listener do not reach it, although they are read after it came', async () => {
    const org = await newOrg()
    const clock = holdClock()
    const early = await listener(org, 'item|create')
    clock.forward(1000)
    await store(org, 'item', { name: 'between' }, 'x')
    clock.forward(1000)
    const late = await listener(org, 'item|create')
    await store(org, 'item', { name: 'after' }, 'x')
    await dispatch(env, org.id)
    await nothingLeft(org)
    const names = async (id: string) =>
      (await processesOf(org, id)).map(process => (process.triggerEvent as { newData: Json }).newData.name)
    expect(await names(early.id)).toEqual(['between', 'after'])
    expect(await names(late.id)).toEqual(['after'])
  })

  it('that come with a new listener while a dispatcher works reach that listener', async () => {
    const org = await newOrg()
    await listener(org, 'color|create')
    await nothingLeft(org)
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    // Nobody else dispatches meanwhile.
    const sends = [vi.spyOn(env.STEP_QUEUE, 'send'), vi.spyOn(env.STEP_QUEUE, 'sendBatch')]
    for (const send of sends) send.mockResolvedValue(undefined as never)
    const { readListeners } = listening
    let late = ''
    vi.spyOn(listening, 'readListeners').mockImplementationOnce(async (...given) => {
      const read = await readListeners(...given)
      late = (await listener(org, 'item|create')).id
      await org.make('/items', { name: 'meanwhile' })
      return read
    })
    await org.make('/colors', { name: 'heard' })
    await dispatch(env, org.id)
    await dispatch(env, org.id)
    const heard = (await processesOf(org, late)).map(
      process => (process.triggerEvent as { newData: Json }).newData.name,
    )
    expect(heard).toEqual(['meanwhile'])
  })

  it('that were published before a listener came do not reach it', async () => {
    const org = await newOrg()
    const early = await listener(org, 'assortment|publish')
    await nothingLeft(org)
    await publish(org, [{ n: 1 }], 'x')
    await env.DB.prepare('UPDATE clocks SET time = time + 1000 WHERE org_id = ?').bind(org.id).run()
    const late = await listener(org, 'assortment|publish')
    await publish(org, [{ n: 2 }], 'x')
    await dispatch(env, org.id)
    await nothingLeft(org)
    const heard = async (id: string) => (await processesOf(org, id)).map(process => (process.triggerEvent as Json).n)
    expect(await heard(early.id)).toEqual([1, 2])
    expect(await heard(late.id)).toEqual([2])
  })

  it('N60 that are large and heard by several are written in commits that stay within their bound', async () => {
    const org = await newOrg()
    const triggerKey = 'assortment|publish'
    for (let at = 0; at < 4; at++) await listener(org, triggerKey)
    // That they came is heard by nobody: it is passed over with the next event, or within a minute.
    await dispatch(env, org.id)
    await nothingLeft(org)
    const commits = vi.spyOn(committing, 'commit')
    onTestFinished(() => commits.mockRestore())
    const text = 'x'.repeat(100_000)
    await publish(
      org,
      Array.from({ length: 14 }, (_, n) => ({ n, text })),
      'x',
    )
    await dispatch(env, org.id)
    const sizes = commits.mock.calls.flatMap(([scope, writes]) =>
      scope.org.id === org.id && scope.actor.id === 'events' ? [JSON.stringify(writes.map(fieldsOf)).length] : [],
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(14 * 4 * text.length)
    expect(Math.max(...sizes)).toBeLessThan(EVENTS_PASS_MAX_BYTES + 5 * text.length)
    await nothingLeft(org)
  })

  it('that are published are all heard, more of them than one pass takes, each once and in order', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'assortment|publish')
    await nothingLeft(org)
    const count = 2 * EVENTS_PASS_MAX + 1
    await publish(
      org,
      Array.from({ length: count }, (_, n) => ({ n })),
      'x',
    )
    await Promise.all([dispatch(env, org.id), dispatch(env, org.id), dispatch(env, org.id)])
    await nothingLeft(org)
    const heard = (await allRuns(org, id)).map(process => (process.triggerEvent as Json).n)
    expect(heard).toEqual(Array.from({ length: count }, (_, n) => n))
  })

  it('that are published are read to their end by who is woken once', async () => {
    const org = await newOrg()
    await listener(org, 'assortment|publish')
    await nothingLeft(org)
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    vi.spyOn(env.STEP_QUEUE, 'send').mockResolvedValue(undefined as never)
    vi.spyOn(env.STEP_QUEUE, 'sendBatch').mockResolvedValue(undefined as never)
    await publish(
      org,
      Array.from({ length: EVENTS_PASS_MAX + 1 }, (_, n) => ({ n })),
      'x',
    )
    await dispatch(env, org.id)
    const left = env.DB.prepare('SELECT count(*) AS n FROM published_events WHERE org_id = ?').bind(org.id)
    expect(await left.first('n')).toBe(0)
  })

  it('that are wanted are reached behind more unwanted ones than one window holds', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'color|create')
    await nothingLeft(org)
    await env.DB.prepare(
      `INSERT INTO changes (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
       SELECT 'unwanted' || n || ?1, ?1, 'item', 'i' || n, 'create', ?3, 'x', 'app', 1, '{"name":"n"}' FROM c`,
    )
      .bind(org.id, EVENTS_WINDOW_RECORDS + 1, Date.now())
      .run()
    await store(org, 'color', { name: 'wanted' }, 'x')
    await dispatch(env, org.id)
    // By this dispatcher: the watchdog would come to it as well, a minute later.
    const runs = await allRuns(org, id)
    await nothingLeft(org)
    expect(runs.map(({ triggerEvent }) => (triggerEvent as { newData: Json }).newData.name)).toEqual(['wanted'])
  })

  it('that are published are as deep in a chain as the run behind the load that published', async () => {
    const org = await newOrg()
    const { id } = await listener(org, 'assortment|publish')
    await nothingLeft(org)
    const run = await store(org, 'event-workflow-process', { status: 'complete', depth: 3 }, 'x')
    const load = await store(org, 'loader-process', { status: 'completed' }, run)
    const byHand = await store(org, 'loader-process', { status: 'completed' }, 'somebody')
    for (const [n, by] of [load, byHand, 'somebody'].entries()) await publish(org, [{ n }], by)
    await dispatch(env, org.id)
    await nothingLeft(org)
    const depths = (await allRuns(org, id)).map(({ triggerEvent, depth }) => [(triggerEvent as Json).n, depth])
    expect(depths).toEqual([
      [0, 4],
      [1, 1],
      [2, 1],
    ])
  })

  it('that are changes are as deep as the run, or the load of a run, that made them', async () => {
    const org = await newOrg()
    const { id } = await org.make('/event-workflows', {
      triggerKey: 'item|create',
      includeLoads: true,
      paths: [{ tasks }],
    })
    await nothingLeft(org)
    const run = await store(org, 'event-workflow-process', { status: 'complete', depth: 2 }, 'x')
    const load = await store(org, 'loader-process', { status: 'completed' }, run)
    const kind = kindNamed('item')
    const writers = [
      { id: run, type: 'workflow' as const },
      { id: load, type: 'loader' as const },
      { id: run, type: 'app' as const },
    ]
    for (const actor of writers) {
      const scope = { db: databaseFor(env, org.id), org, actor, now: Date.now() }
      await committing.commit(scope, [{ op: 'create', kind, id: newId(), data: { typePath: 'item' } }])
    }
    await dispatch(env, org.id)
    await nothingLeft(org)
    expect((await allRuns(org, id)).map(process => process.depth)).toEqual([3, 3, 1])
  })
})
