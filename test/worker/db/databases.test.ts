// N56: organizations are spread over databases that are found by their names.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { runSweep } from '../../../src/cron.ts'
import { emptiest, stateAt } from '../../../src/features/operator/databases.ts'
import worker from '../../../src/index.ts'
import { Database, databaseFor } from '../../../src/platform/db/client.ts'
import { DATABASE_STEP_BYTES, DATABASE_WARN_BYTES } from '../../../src/platform/db/limits.ts'
import { databasesOf, forgetPlace, knownPlace, learnPlace } from '../../../src/platform/db/placement.ts'
import { rangeIn, takeRange } from '../../../src/platform/db/positions.ts'
import { GB, IDEMPOTENCY_KEPT_MS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, OPERATOR_KEY, ORIGIN, operator, type TestOrg } from '../api.ts'
import { restore, takeArchive } from '../backup/archive.ts'
import { eventually } from '../eventually.ts'
import { load } from '../loads/loading.ts'
import { callBack, processesOf } from '../workflows/runs.ts'
import { countIn, second, tablesIn } from './second-database.ts'

describe('the databases of a deployment (N56)', () => {
  it('are found by their names, the directory first', () => {
    const [one, two] = [{} as D1Database, {} as D1Database]
    const bound = { DATA_02: two, DATA_01: one, DB: env.DB, DATABASE: one, DATA_1: one, DATA_001: one }
    expect([...databasesOf(bound).keys()]).toEqual(['DB', 'DATA_01', 'DATA_02'])
    expect([...databasesOf(env).keys()]).toEqual(['DB', 'DATA_01'])
  })

  it('have no range of positions before one is taken, and none beyond the last', async () => {
    expect(await rangeIn(env, 'DATA_77')).toBe(0)
    await expect(takeRange(env, 'DB', 4095)).rejects.toThrow('no ranges of positions left')
    // What was refused takes up nothing.
    const highest = await env.DB.prepare('SELECT coalesce(max(id), 0) AS id FROM position_ranges').first<{
      id: number
    }>()
    expect(highest?.id).toBeLessThan(4095)
  })

  it('take the next organization where they are emptiest, in steps, and as long as they are open', () => {
    const of = (name: string, bytes: number | null) =>
      ({ name, bytes, state: bytes === null ? 'unavailable' : stateAt(bytes) }) as const
    expect(emptiest([of('DB', 100_000), of('DATA_01', 0)])).toBe('DB')
    expect(emptiest([of('DB', DATABASE_STEP_BYTES), of('DATA_01', 0)])).toBe('DATA_01')
    expect(emptiest([of('DB', 3 * GB), of('DATA_01', 2 * GB), of('DATA_02', 4 * GB)])).toBe('DATA_01')
    expect(emptiest([of('DB', 5 * GB), of('DATA_01', null)])).toBe('DB')
    expect(emptiest([of('DB', DATABASE_WARN_BYTES), of('DATA_01', 6 * GB)])).toBe('DATA_01')
    expect(emptiest([of('DB', 9 * GB), of('DATA_01', 8 * GB)])).toBe('DATA_01')
    expect(stateAt(DATABASE_WARN_BYTES - 1)).toBe('open')
    expect(stateAt(DATABASE_WARN_BYTES)).toBe('filling')
  })

  it('are listed for the operator, and an organization shows its own', async () => {
    const [org, other] = [await newOrg({}, 'DATA_01'), await newOrg()]
    const { body } = await operator('GET', '/databases')
    expect(body.results?.map(({ name, state, warning }) => [name, state, warning])).toEqual([
      ['DB', 'open', null],
      ['DATA_01', 'open', null],
    ])
    for (const { bytes, organizations } of body.results ?? []) {
      expect(bytes).toBeGreaterThan(4096)
      expect(organizations).toBeGreaterThan(0)
    }
    expect((await operator('GET', `/orgs/${org.slug}`)).body.database).toBe('DATA_01')
    expect((await operator('GET', `/orgs/${other.slug}`)).body.database).toBe('DB')
    const refused = await operator<{ errors: Json[] }>('POST', '/orgs', {
      slug: 'nowhere',
      name: 'x',
      database: 'DATA_99',
    })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      { path: '/database', message: 'There is no such database. There are DB, DATA_01.' },
    ])
  })
})

describe('an organization in the second database (N56)', () => {
  it('does everything there, and leaves nothing of it in the first', async () => {
    const org = await newOrg({}, 'DATA_01')
    const listener = await org.make('/event-workflows', {
      name: 'listens',
      triggerKey: 'color|create',
      paths: [
        { tasks: [{ name: 'note', action: 'expression', config: { output: { name: '{event.newData.name}' } } }] },
      ],
    })
    const done = await load(org, 'id,name\nA,rain shell\nB,wind shell\n', {
      federatedMappings: { itemFamilyFederatedId: 'id' },
      conditionalColumns: [{ toProperty: 'itemOptionFederatedId', default: '{id}-1' }],
    })
    expect(done).toMatchObject({ status: 'completed' })
    const { id } = await org.make('/colors', { name: 'navy' })
    await org.put(`/colors/${id}`, { name: 'marine' })
    const [run] = await eventually(
      () => processesOf(org, listener.id),
      found => found[0]?.status === 'complete',
    )
    expect(run?.status).toBe('complete')
    const task = await org.make('/event-workflow-tasks', { name: 'wait', async: true })
    expect((await callBack(org, { taskId: task.id, status: 'SUCCESS' })).body.status).toBe('complete')
    const found = await eventually(
      async () => (await org.get('/search', { q: 'shell' })).body.results ?? [],
      results => results.length > 0,
    )
    expect(found.length).toBeGreaterThan(0)
    const history = await org.get('/change-history', { after: '', limit: 100 })
    expect(history.body.results?.map(({ entityType }) => entityType)).toContain('color')
    expect(history.headers.get('x-d1-bookmark')).toMatch(/^DATA_01\.[0-9a-f-]{59}$/)

    for (const table of ['entities', 'changes', 'clocks', 'search_entities']) {
      expect([table, await countIn(second, table, org.id)]).not.toEqual([table, 0])
      expect([table, await countIn(env.DB, table, org.id)]).toEqual([table, 0])
    }
    expect(await countIn(second, 'credentials', org.id)).toBe(0)
  })

  it('is saved whole, comes back into the first, and is deleted from everywhere', async () => {
    const org = await newOrg({}, 'DATA_01')
    for (const name of ['a', 'b']) await org.make('/items', { name })
    const archive = await takeArchive(org.slug)
    const lines = archive.pages.join('')
    expect(lines.match(/"table":"entities"/g)).toHaveLength(2)
    expect(lines).toContain('"table":"credentials"')
    expect(lines).not.toContain('"epoch"')
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    for (const database of [env.DB, second]) {
      for (const table of await tablesIn(database)) {
        expect([table, await countIn(database, table, org.id)]).toEqual([table, 0])
      }
    }
    // An isolate that has not heard of the deletion knows where it was.
    learnPlace(org.id, { database: 'DATA_01', epoch: 1 })
    expect(await restore(archive, { positions: 'shift' })).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect((await operator('GET', `/orgs/${org.slug}`)).body.database).toBe('DB')
    expect((await org.get('/items')).body.results?.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await org.post('/items', { name: 'c' })).status).toBe(201)
    expect(await countIn(second, 'entities', org.id)).toBe(0)
  })

  it('costs no look of its own: its place comes with the credential', async () => {
    const org = await newOrg({}, 'DATA_01')
    forgetPlace(org.id)
    await org.get('/items')
    expect(knownPlace(org.id)).toMatchObject({ database: 'DATA_01', epoch: 1 })
    const batches = vi.spyOn(Database.prototype, 'batch')
    await org.make('/items', {})
    await org.get('/items')
    const asked = batches.mock.calls
      .flatMap(([statements]) => statements)
      .filter(({ params }) => params.includes(org.id))
    batches.mockRestore()
    expect(asked).not.toEqual([])
    expect(asked.filter(({ sql }) => /FROM "orgs"/i.test(sql))).toEqual([])
  })

  it('is found by work that no credential stands behind', async () => {
    const org = await newOrg({}, 'DATA_01')
    forgetPlace(org.id)
    expect(await databaseFor(env, org.id).place()).toMatchObject({ database: 'DATA_01', epoch: 1 })
  })
})

/** Says nothing, as a database that is away. */
const away = () => {
  const gone = async () => {
    throw new Error('D1_ERROR: Network connection lost.')
  }
  const session = { prepare: () => ({ bind: () => ({}) }), batch: gone, getBookmark: () => null }
  return { withSession: () => session }
}

describe('a database that is away (N56)', () => {
  const broken = { ...env, DATA_01: away() } as unknown as typeof env

  async function asked(path: string, headers: Record<string, string>) {
    const execution = createExecutionContext()
    const response = await worker.fetch(new Request(`${ORIGIN}/api${path}`, { headers }), broken, execution)
    const body = (await response.json()) as Json
    await waitOnExecutionContext(execution)
    return { status: response.status, headers: response.headers, body }
  }

  it('hurts its own organizations alone', async () => {
    const [here, there]: TestOrg[] = [await newOrg(), await newOrg({}, 'DATA_01')]
    await here?.make('/items', { name: 'here' })
    expect((await asked('/items', here?.headers ?? {})).body.results).toHaveLength(1)
    const refused = await asked('/items', there?.headers ?? {})
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('Retry-After')).toBe('1')
    const { body } = await asked('/operator/databases', { 'X-Operator-Key': OPERATOR_KEY })
    expect(body.results).toMatchObject([
      { name: 'DB', state: 'open', warning: null },
      { name: 'DATA_01', state: 'unavailable', bytes: null, warning: expect.stringContaining('does not answer') },
    ])
  })

  it('holds up no sweep of the others', async () => {
    const org = await newOrg()
    const headers = { ...org.headers, 'Idempotency-Key': 'old' }
    await org.call('POST', '/items', { body: {}, headers })
    await env.DB.prepare('UPDATE idempotency SET created_on = created_on - ? WHERE org_id = ?')
      .bind(IDEMPOTENCY_KEPT_MS + 1000, org.id)
      .run()
    const silent = vi.spyOn(console, 'error').mockReturnValue()
    await runSweep(broken, { kind: 'sweep', sweep: 'idempotency', on: Date.now() })
    expect(silent).toHaveBeenCalled()
    silent.mockRestore()
    expect(await countIn(env.DB, 'idempotency', org.id)).toBe(0)
  })

  it('that is not bound any more is told as such', async () => {
    const org = await newOrg({}, 'DATA_01')
    const { DATA_01: _, ...rest } = env as typeof env & { DATA_01: D1Database }
    learnPlace(org.id, { database: 'DATA_01', epoch: 1 })
    const db = databaseFor(rest as typeof env, org.id)
    await expect(db.place().then(() => db.all({ sql: 'SELECT 1', params: [] }))).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})
