// N57: the phases of a move, each with what goes wrong in it.
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { unfinishedOrganizations } from '../../../src/features/events/store.ts'
import { giveUp } from '../../../src/features/moves/step.ts'
import { Crossing, TimeIsUp } from '../../../src/features/moves/store/crossing.ts'
import { findMove } from '../../../src/features/moves/store/moves.ts'
import { isOutOfTurn, writeRows } from '../../../src/features/moves/store/rows.ts'
import { openSource, openTarget, stopWrites } from '../../../src/features/moves/store/sites.ts'
import { ENTITIES } from '../../../src/features/moves/store/tables.ts'
import { sweepMoves } from '../../../src/features/moves/sweep.ts'
import { organizationsBehind } from '../../../src/features/search/store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseAt, databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { forgetPlace, learnPlace } from '../../../src/platform/db/placement.ts'
import { rangeOf } from '../../../src/platform/db/positions.ts'
import { newId } from '../../../src/platform/ids.ts'
import { WORD_RULES } from '../../../src/platform/search/words.ts'
import { call, env, newOrg, OPERATOR_KEY, operator, type TestOrg } from '../api.ts'
import { second } from '../db/second-database.ts'
import { begin, look, rowsOf, stateIn, stepByHand, steppedTo, stepToEnd, tablesWith } from './moving.ts'

/** Does something once while the rest is compared, with writes stopped. */
function whileStopped(act: () => Promise<unknown>): void {
  const { compare } = Crossing.prototype
  let isDone = false
  const spy = vi.spyOn(Crossing.prototype, 'compare').mockImplementation(async function (this: Crossing) {
    const clock = await env.DB.prepare('SELECT state FROM clocks WHERE org_id = ?')
      .bind(this.turn.orgId)
      .first<{ state: string }>()
    if (clock?.state === 'moving' && !isDone) {
      isDone = true
      await act()
    }
    return compare.call(this)
  })
  onTestFinished(() => spy.mockRestore())
}

async function withItems(): Promise<TestOrg> {
  const org = await newOrg()
  await org.post('/items/batch', [
    { name: 'a', federatedId: 'f-a' },
    { name: 'b', federatedId: 'f-b' },
  ])
  return org
}

beforeEach(stepByHand)

const names = async (org: TestOrg) => (await org.get('/items')).body.results?.map(({ name }) => name)

describe('while writes are stopped (N57)', () => {
  it('callers get 503 and a time to come back, reads go on, work in the background waits and is done in the new place', async () => {
    const org = await withItems()
    let waiting: Promise<unknown> = Promise.resolve()
    whileStopped(async () => {
      const refused = await org.post('/items', { name: 'late' })
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(refused.headers.get('Retry-After')).toBe('1')
      expect(await operator('PUT', `/orgs/${org.slug}/quotas`, { types: 5 })).toMatchObject({ status: 503 })
      expect(await names(org)).toEqual(['a', 'b'])
      const scope = { db: databaseFor(env, org.id), org, actor: { id: 'x', type: 'app' as const }, now: Date.now() }
      const item = { op: 'create' as const, kind: kindNamed('item'), id: newId(), data: { name: 'background' } }
      waiting = commit(scope, [item])
    })
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete' })
    await waiting
    expect(await names(org)).toEqual(['a', 'b', 'background'])
    expect(await stateIn('DB', org.id)).toBe('moved')
    expect((await rowsOf('DB', org.id)).join()).not.toContain('background')
  })

  it('they are let in again where that takes too long, and stopped once more', async () => {
    const org = await withItems()
    whileStopped(async () => {
      throw new TimeIsUp('The rest took too long.')
    })
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete', error: null })
    expect((await org.post('/items', { name: 'c' })).status).toBe(201)
  })

  it('a copy that differs is never flipped to: after some times it is given up, and the organization is open where it was', async () => {
    const org = await withItems()
    const { compare } = Crossing.prototype
    const spy = vi.spyOn(Crossing.prototype, 'compare').mockImplementation(async function (this: Crossing) {
      return { ...(await compare.call(this)), differ: [ENTITIES] }
    })
    onTestFinished(() => spy.mockRestore())
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('differs from DB in entities'),
    })
    expect((await org.post('/items', { name: 'c' })).status).toBe(201)
    expect((await operator('GET', `/orgs/${org.slug}`)).body.database).toBe('DB')
    expect([await stateIn('DB', org.id), await stateIn('DATA_01', org.id)]).toEqual(['open', 'moved'])
    await sweepMoves(env, Date.now() + 1000)
    expect(await tablesWith('DATA_01', org.id)).toEqual(['clocks'])
    spy.mockRestore()
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete' })
    expect(await names(org)).toEqual(['a', 'b', 'c'])
  })
})

describe('a move that is cancelled (N57)', () => {
  it('leaves the organization where it was, open, even while writes are stopped', async () => {
    const org = await withItems()
    whileStopped(async () => {
      expect(await operator('POST', `/orgs/${org.slug}/move/cancel`)).toMatchObject({ status: 202 })
    })
    expect(await begin(org, 'DATA_01')).toMatchObject({ status: 202, body: { state: 'moving', from: 'DB' } })
    expect(await stepToEnd(org)).toMatchObject({ state: 'cancelled', phase: 'cancelled' })
    expect((await org.post('/items', { name: 'c' })).status).toBe(201)
    expect(await names(org)).toEqual(['a', 'b', 'c'])
    expect((await operator('GET', `/orgs/${org.slug}`)).body.database).toBe('DB')
    expect((await operator('POST', `/orgs/${org.slug}/move/cancel`)).status).toBe(202)
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete' })
    expect(await names(org)).toEqual(['a', 'b', 'c'])
  })

  it('is asked for again while it is under way: how far it is; and elsewhere: 409', async () => {
    const org = await withItems()
    const acts: unknown[] = []
    whileStopped(async () => {
      acts.push((await begin(org, 'DATA_01')).status, (await begin(org, 'DB')).status, (await look(org)).body.phase)
    })
    await steppedTo(org, 'DATA_01')
    expect(acts).toEqual([202, 409, 'stopped'])
  })
})

it('N64 a repeat of what began a move answers that move, under way or over, where the first answer was lost', async () => {
  const org = await withItems()
  const key = newId()
  const ask = () =>
    call('POST', `/api/operator/orgs/${org.slug}/move`, {
      body: { database: 'DATA_01' },
      headers: { 'X-Operator-Key': OPERATOR_KEY, 'Idempotency-Key': key },
    })
  const loseAnswer = () =>
    env.DB.batch(
      ['idempotency_rows', 'idempotency'].map(table => env.DB.prepare(`DELETE FROM ${table} WHERE key = ?`).bind(key)),
    )
  const { id } = (await ask()).body
  await loseAnswer()
  expect(await ask()).toMatchObject({ status: 202, body: { id, state: 'moving' } })
  expect(
    vi.mocked(env.LOAD_QUEUE.send).mock.calls.filter(([sent]) => 'orgId' in sent && sent.orgId === org.id),
  ).toHaveLength(2)
  await stepToEnd(org)
  await loseAnswer()
  expect(await ask()).toMatchObject({ status: 202, body: { id, state: 'complete' } })
  expect((await begin(org, 'DATA_01')).status).toBe(409)
})

describe('a move that is being undone (N57)', () => {
  const cancel = ({ slug }: TestOrg) => operator('POST', `/orgs/${slug}/move/cancel`)

  it('is none to go on with: whoever asks for one, wherever to, is told to come back', async () => {
    const org = await withItems()
    await begin(org, 'DATA_01')
    expect((await cancel(org)).body).toMatchObject({ phase: 'undoing' })
    for (const database of ['DATA_01', 'DB']) {
      const refused = await begin(org, database)
      expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('being undone') } })
      expect(refused.headers.get('Retry-After')).toBe('1')
    }
    expect(await cancel(org)).toMatchObject({ status: 202, body: { phase: 'undoing' } })
    expect(await stepToEnd(org)).toMatchObject({ state: 'cancelled' })
    expect((await begin(org, 'DATA_01')).status).toBe(202)
    await cancel(org)
    await stepToEnd(org)
  })

  it('because it has failed is not cancelled any more', async () => {
    const org = await withItems()
    await begin(org, 'DATA_01')
    const move = await findMove(env, org.id)
    if (!move) throw new Error('no move has begun')
    await giveUp(env, move, JSON.parse(move.notes), 'failed', 'It differs.')
    const failed = { status: 409, body: { detail: 'The move is over: it is failed.' } }
    expect(await cancel(org)).toMatchObject(failed)
    expect(await stepToEnd(org)).toMatchObject({ state: 'failed', error: 'It differs.' })
    expect(await cancel(org)).toMatchObject(failed)
  })
})

describe('whoever comes late (N57)', () => {
  it('writes nothing in the target', async () => {
    const org = await withItems()
    await steppedTo(org, 'DATA_01')
    const before = await rowsOf('DATA_01', org.id)
    const target = databaseAt(env, 'DATA_01')
    const late = writeRows(target, ENTITIES, { orgId: org.id, step: 2 }, { written: [], removed: [], gone: [1] })
    await expect(late).rejects.toSatisfy(isOutOfTurn)
    expect(await rowsOf('DATA_01', org.id)).toEqual(before)
  })

  it('neither stops writes that were opened again, nor opens what was stopped since', async () => {
    const org = await withItems()
    const source = databaseAt(env, 'DB')
    const turn = (step: number) => ({ orgId: org.id, step })
    expect(await stopWrites(source, turn(3), 1)).toBe(true)
    await openSource(source, turn(4), 1)
    expect(await stopWrites(source, turn(3), 1)).toBe(false)
    expect(await stateIn('DB', org.id)).toBe('open')
    expect(await stopWrites(source, turn(7), 1)).toBe(true)
    await openSource(source, turn(4), 1)
    await openTarget(source, turn(4), 1)
    expect(await stateIn('DB', org.id)).toBe('moving')
    await openSource(source, turn(8), 1)
  })

  it('reads the new place, where it knew that the organization was moving', async () => {
    const org = await withItems()
    await steppedTo(org, 'DATA_01')
    await org.make('/items', { name: 'c' })
    forgetPlace(org.id)
    learnPlace(org.id, { database: 'DB', epoch: 1, moving: true })
    expect(await names(org)).toEqual(['a', 'b', 'c'])
  })
})

describe('the clock that an organization leaves behind (N57)', () => {
  it('takes no place among those that the recovery looks for', async () => {
    const org = await withItems()
    await steppedTo(org, 'DATA_01')
    await env.DB.prepare('UPDATE clocks SET time = time + 1, heard_seq = 1 WHERE org_id = ?').bind(org.id).run()
    const source = databaseAt(env, 'DB')
    expect(await organizationsBehind(source, WORD_RULES)).not.toContain(org.id)
    expect(await unfinishedOrganizations(source)).not.toContain(org.id)
  })
})

describe('positions (N57)', () => {
  it('are given out by one database alone', async () => {
    const org = await withItems()
    await steppedTo(org, 'DATA_01')
    await org.make('/items', { name: 'c' })
    await steppedTo(org, 'DB')
    await org.make('/items', { name: 'd' })
    const { results } = await env.DB.prepare('SELECT seq FROM entities WHERE org_id = ? ORDER BY seq')
      .bind(org.id)
      .all<{ seq: number }>()
    const [a, b, c, d] = results.map(({ seq }) => rangeOf(ENTITIES.table, seq))
    expect(a).toBe(b)
    expect(c).toBeGreaterThan(a ?? 0)
    expect(d).toBeGreaterThan(c ?? 0)
    const owner = (id: number | undefined) =>
      env.DB.prepare('SELECT database FROM position_ranges WHERE id = ?').bind(id).first('database')
    expect([await owner(c), await owner(d)]).toEqual(['DATA_01', 'DB'])
    const created = await operator('POST', '/orgs', {
      slug: `there-${crypto.randomUUID().slice(0, 8)}`,
      name: 'There',
      database: 'DATA_01',
    })
    expect(created.status).toBe(201)
    expect(await second.prepare('SELECT 1 AS one').first('one')).toBe(1)
  })
})
