import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { follow, followAll } from '../../../src/features/search/follow.ts'
import { SearchObject } from '../../../src/features/search/search-object.ts'
import { organizationsBehind } from '../../../src/features/search/store.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { CLOCK_AHEAD_MAX_MS } from '../../../src/platform/limits.ts'
import {
  SEARCH_DELAY_MS,
  SEARCH_FILL_MS,
  SEARCH_PASS_MAX_ENTITIES,
  SEARCH_REST_MAX_MS,
} from '../../../src/platform/search/limits.ts'
import { WORD_RULES } from '../../../src/platform/search/words.ts'
import { env, fetchWorker, type Json, newOrg, operator, TestOrg } from '../api.ts'
import { commitAhead } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { Random } from '../loads/differential/random.ts'
import { holdLoads, start } from '../loads/loading.ts'

const ids = (entities: Json[] = []) => entities.map(entity => entity.id)
const names = (body: Json) => (body.results ?? []).map(entity => entity.name)

/** Everything that is committed is in the index. */
const indexed = (org: TestOrg) => follow(env, org.id, Date.now() + 60_000)

const searchObject = (org: TestOrg) => (env.SEARCH as DurableObjectNamespace<SearchObject>).getByName(org.id)

const alarmOf = (org: TestOrg) => runInDurableObject(searchObject(org), (_, state) => state.storage.getAlarm())

async function pages(org: TestOrg, path: string, query: Json): Promise<Json[]> {
  const all: Json[] = []
  let nextPageKey: unknown
  do {
    const { status, body } = await org.get(path, { ...query, ...(nextPageKey ? { nextPageKey } : {}) })
    expect(status, JSON.stringify(body)).toBe(200)
    all.push(...(body.results ?? []))
    nextPageKey = body.nextPageKey
    expect(all.length).toBeLessThan(5000)
  } while (nextPageKey)
  return all
}

describe('search', () => {
  let org: TestOrg

  beforeAll(async () => {
    org = await newOrg()
    const other = await newOrg()
    for (const each of [org, other]) {
      await each.make('/items', { name: 'Linen shirt', federatedId: 'AB-123/4', season: 'SS27', price: 49 })
      await each.make('/items', { name: 'Shirts of linen', federatedId: 'shirt', price: 20 })
      await each.make('/items', { name: 'Crème Brûlée', tags: ['Summer', 'linen'], price: 5 })
      await each.make('/colors', { name: 'Shirt blue', federatedId: 'SB' })
      await each.make('/workspaces', { name: '棉质衬衫', identifier: 'ab1234' })
      await indexed(each)
    }
  })

  it('N50 finds words and their beginnings in a list, the whole key first', async () => {
    expect(names((await org.get('/items', { q: 'shirt' })).body)).toEqual(['Shirts of linen', 'Linen shirt'])
    expect(names((await org.get('/items', { q: 'shi lin' })).body).sort()).toEqual(['Linen shirt', 'Shirts of linen'])
    expect(names((await org.get('/items', { q: 'LINEN' })).body)).toHaveLength(3)
    expect(names((await org.get('/items', { q: 'creme' })).body)).toEqual(['Crème Brûlée'])
    for (const q of ['ab123', '123/4', 'AB-123/4', 'ss27']) {
      expect(names((await org.get('/items', { q })).body)).toEqual(['Linen shirt'])
    }
    const exported = await fetchWorker('/api/items/export?q=shirt&format=jsonl', { headers: org.headers })
    expect(
      (await exported.text())
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).name),
    ).toEqual(['Linen shirt', 'Shirts of linen'])
    expect((await org.get('/items', { q: 'hirt' })).body).toEqual({ results: [], nextPageKey: null })
  })

  it('N50 finds over all types, whole keys first, whole entities with their type', async () => {
    const { body } = await org.get('/search', { q: 'ab1234' })
    expect(body.results?.map(({ entityType, name }) => [entityType, name])).toEqual([
      ['item', 'Linen shirt'],
      ['workspace', '棉质衬衫'],
    ])
    const [first] = body.results ?? []
    const { entityType: _, ...entity } = first ?? {}
    expect((await org.get(`/items/${first?.id}`)).body).toEqual(entity)
    expect(names((await org.get('/search', { q: 'shirt' })).body)).toEqual([
      'Shirts of linen',
      'Linen shirt',
      'Shirt blue',
    ])
    expect(names((await org.get('/search', { q: '衬衫' })).body)).toEqual(['棉质衬衫'])
    expect(names((await org.get('/search', { q: 'shirt', entityType: 'color' })).body)).toEqual(['Shirt blue'])
    expect(names({ results: await pages(org, '/search', { q: 'shirt', limit: 1 }) })).toHaveLength(3)
  })

  it('N50 goes with criteria, order, relations and counts', async () => {
    expect(names((await org.get('/items', { q: 'linen', criteria: { price: { gte: 20 } } })).body)).toHaveLength(2)
    const order = { orderField: 'name', order: 'desc' }
    expect(names((await org.get('/items', { q: 'linen', order })).body)).toEqual([
      'Shirts of linen',
      'Linen shirt',
      'Crème Brûlée',
    ])
    expect(names((await org.get('/items', { q: 'shirt', order, limit: 1 })).body)).toEqual(['Shirts of linen'])
    expect((await org.get('/items/count', { q: 'linen' })).body).toEqual({ count: 3, isExact: true })
    expect((await org.get('/items/count', { q: 'linen', criteria: { price: 5 } })).body).toEqual({
      count: 1,
      isExact: true,
    })
    expect((await org.get('/items', { q: 'linen', relations: 'itemFamily' })).body.results).toHaveLength(3)
  })

  it.each(['', '  ', '-/', 'x'.repeat(201)])('N50 refuses to look for %j', async q => {
    expect((await org.get('/items', { q })).status).toBe(400)
    expect((await org.get('/search', { q })).status).toBe(400)
  })

  it('N50 shows a limited key the types that it may read, and no others', async () => {
    const { body } = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, {
      name: 'colors only',
      tier: 'internal',
      entityTypes: ['color'],
    })
    const limited = new TestOrg(org.slug, org.id, body.key)
    expect(names((await limited.get('/search', { q: 'shirt' })).body)).toEqual(['Shirt blue'])
    expect((await limited.get('/search', { q: 'shirt', entityType: 'item' })).status).toBe(403)
    expect((await limited.get('/colors', { q: 'shirt' })).status).toBe(200)
    expect((await limited.get('/items', { q: 'shirt' })).status).toBe(403)
    expect((await limited.get('/items/count', { q: 'shirt' })).status).toBe(403)
    expect((await limited.get('/colors/count', { q: 'shirt' })).body).toEqual({ count: 1, isExact: true })
  })

  it('N50 refuses unknown types, foreign page keys and other parameters', async () => {
    expect((await org.get('/search')).status).toBe(400)
    const { status, body } = await org.get('/search', { q: 'x', entityType: 'itme' })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('Did you mean \\"item\\"')
    const { nextPageKey } = (await org.get('/items', { q: 'linen', limit: 1 })).body
    expect((await org.get('/items', { q: 'linen', limit: 1, nextPageKey })).status).toBe(200)
    expect((await org.get('/items', { q: 'shirt', limit: 1, nextPageKey })).status).toBe(400)
    expect((await org.get('/items', { limit: 1, nextPageKey })).status).toBe(400)
    expect((await org.get('/search', { q: 'linen', nextPageKey })).status).toBe(400)
  })
})

describe('the search index', () => {
  it('N50 follows a write within five seconds by itself', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { name: 'Zebra print' })
    const due = await eventually(
      () => alarmOf(org),
      time => time !== null,
    )
    expect(due).toBeLessThanOrEqual(Date.now() + SEARCH_DELAY_MS)
    const found = () => org.get('/items', { q: 'zebra' })
    const { body } = await eventually(found, answer => (answer.body.results ?? []).length > 0)
    expect(ids(body.results)).toEqual([made.id])
    // Also where it came while new indexes of properties are being filled.
    expect(2 * SEARCH_DELAY_MS + SEARCH_FILL_MS).toBeLessThan(5000)
  })

  it('N50 takes in a write at the very time of the last one that it followed, whatever was created first', async () => {
    const org = await newOrg()
    const first = await org.make('/items', { name: 'First' })
    await org.make('/items', { name: 'Second' })
    await indexed(org)
    const time = 'SELECT time FROM clocks WHERE org_id = ?1'
    const before = await env.DB.prepare(time).bind(org.id).first('time')
    await org.put(`/items/${first.id}`, { name: 'Zebra' })
    // Two commits of one millisecond.
    await env.DB.batch([
      env.DB.prepare('UPDATE entities SET updated_on = ?2 WHERE id = ?1').bind(first.id, before),
      env.DB.prepare('UPDATE clocks SET time = ?2 WHERE org_id = ?1').bind(org.id, before),
    ])
    await indexed(org)
    expect(names((await org.get('/items', { q: 'zebra' })).body)).toEqual(['Zebra'])
  })

  it('N50 looks once more for a write that came inside the quiet time of the one that woke it', async () => {
    const org = await newOrg()
    const own = SearchObject.prototype.wake
    // A write inside the quiet time sends no wake-up of its own.
    const wake = vi.spyOn(SearchObject.prototype, 'wake').mockResolvedValue()
    onTestFinished(() => wake.mockRestore())
    await org.make('/items', { name: 'First' })
    const stub = searchObject(org)
    await runInDurableObject(stub, async object => {
      await own.call(object, org.id)
      await object.alarm()
    })
    expect(await alarmOf(org)).toBeLessThanOrEqual(Date.now() + SEARCH_DELAY_MS)
    await org.make('/items', { name: 'Second' })
    const found = async () => names((await org.get('/items', { q: 'second' })).body)
    await eventually(found, ({ length }) => length === 1)
  })

  it('N50 rests before it takes many in while a load of the organization is under way, and not for a single write', async () => {
    const org = await newOrg()
    holdLoads()
    await start(org, 'itemFamilyFederatedId\nF1\n', { loadType: ['ITEM'] })
    const rests: unknown[][] = []
    const wait = vi.spyOn(scheduler, 'wait').mockImplementation(async ms => {
      if (ms === SEARCH_REST_MAX_MS) rests.push(names((await org.get('/items', { q: 'many' })).body))
    })
    onTestFinished(() => wait.mockRestore())
    await org.make('/items', { name: 'One' })
    await indexed(org)
    expect(rests).toEqual([])
    expect(names((await org.get('/items', { q: 'one' })).body)).toEqual(['One'])
    const many = Array.from({ length: SEARCH_PASS_MAX_ENTITIES }, () => ({ name: 'Many' }))
    expect((await org.post('/items/batch', many)).status).toBe(201)
    await indexed(org)
    expect(rests[0]).toEqual([])
    expect(names((await org.get('/items', { q: 'many' })).body)).not.toEqual([])
  })

  it('N50 goes on where the clock was ahead, and is brought back', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'Zebra first' })
    await org.make('/colors', { name: 'Zebra color' })
    await commitAhead(org, 2 * CLOCK_AHEAD_MAX_MS)
    await indexed(org)
    await org.make('/items', { name: 'Zebra second' })
    await org.make('/items', { name: 'Zebra third' })
    const behind = async () => (await organizationsBehind(databaseFor(env, org.id), WORD_RULES)).includes(org.id)
    expect(await behind()).toBe(true)
    await indexed(org)
    expect(names((await org.get('/search', { q: 'zebra' })).body).sort()).toEqual([
      'Zebra color',
      'Zebra first',
      'Zebra second',
      'Zebra third',
    ])
    expect(await behind()).toBe(false)
    await org.make('/colors', { name: 'Zebra fourth' })
    await indexed(org)
    expect(names((await org.get('/colors', { q: 'zebra' })).body)).toEqual(['Zebra color', 'Zebra fourth'])
  })

  it('N50 is followed by the cron where nobody was woken, and made anew when the operator asks for it', async () => {
    const org = await newOrg()
    const made = await org.make('/items', { name: 'Yak wool' })
    await indexed(org)
    await env.DB.prepare("UPDATE search_entities SET words = '[]' WHERE org_id = ?").bind(org.id).run()
    await indexed(org)
    expect((await org.get('/items', { q: 'yak' })).body.results).toEqual([])
    expect((await operator('POST', `/orgs/${org.slug}/search-index`)).status).toBe(202)
    await followAll(env)
    const { body } = await eventually(
      () => org.get('/items', { q: 'yak' }),
      answer => (answer.body.results ?? []).length > 0,
    )
    expect(ids(body.results)).toEqual([made.id])
    expect((await operator('POST', '/orgs/nobody/search-index')).status).toBe(404)
  })

  it('N50 gets everything right whatever is written while it is made, by several at once', async () => {
    const org = await newOrg()
    const random = new Random(50)
    const kept = new Map<string, string>()
    const word = () => `word${random.below(6)}`
    for (let round = 0; round < 12; round++) {
      const created = Array.from({ length: 8 }, () => ({ name: word() }))
      const writes = [
        org.post('/items/batch', created).then(({ body }) => {
          for (const { id, name } of body.results ?? []) kept.set(String(id), String(name))
        }),
        ...random.some([...kept.keys()], 0.2).map(async id => {
          if (random.chance(0.4)) {
            kept.delete(id)
            await org.delete(`/items/${id}`)
          } else {
            const { body } = await org.put(`/items/${id}`, { name: word() })
            kept.set(id, String(body.name))
          }
        }),
      ]
      await Promise.all([...writes, indexed(org), indexed(org)])
    }
    await indexed(org)
    for (let at = 0; at < 6; at++) {
      const found = await pages(org, '/items', { q: `word${at}`, limit: 7 })
      const expected = [...kept].filter(([, name]) => name === `word${at}`).map(([id]) => id)
      expect(ids(found).toSorted()).toEqual(expected.toSorted())
    }
  })

  it('N50 does not find what is deleted, nor what is renamed by its old words', async () => {
    const org = await newOrg()
    const [a, b] = [await org.make('/items', { name: 'Old hat' }), await org.make('/items', { name: 'Old coat' })]
    await indexed(org)
    expect((await org.get('/items', { q: 'old' })).body.results).toHaveLength(2)
    await org.put(`/items/${a.id}`, { name: 'New hat' })
    await org.delete(`/items/${b.id}`)
    await indexed(org)
    expect((await org.get('/items', { q: 'old' })).body.results).toEqual([])
    expect(ids((await org.get('/items', { q: 'new' })).body.results)).toEqual([a.id])
    const left = await env.DB.prepare('SELECT count(*) AS n FROM search_entities WHERE org_id = ?').bind(org.id).first()
    expect(left).toEqual({ n: 1 })
  })

  it('N50 takes in entities with as many and as long words as there may be', async () => {
    const org = await newOrg()
    const letters = 'абвгдежзийклмнопрстуфхцчшщъыьэюяабвгдежз'
    const made = Array.from({ length: 300 }, (_, n) => ({
      text: Array.from({ length: 48 }, (_, at) => `${n}x${at}${letters}`.slice(0, 40)).join(' '),
    }))
    await org.post('/items/batch', made)
    await indexed(org)
    expect((await org.get('/items', { q: '299x47абв' })).body.results).toHaveLength(1)
    expect((await org.get('/items/count', { q: '2' })).body).toEqual({ count: 111, isExact: true })
  })

  it('N50 pages completely through many entities of one word, each once', async () => {
    const org = await newOrg()
    const made = Array.from({ length: 900 }, (_, n) => ({
      name: `Shirt shirts ${n % 3 ? 'linen' : 'wool'}`,
      ...(n % 100 === 0 && { federatedId: n ? `shirt ${n}` : 'shirt' }),
      n,
    }))
    await org.post('/items/batch', made)
    await indexed(org)
    for (const query of [{ q: 'shirt' }, { q: 'sh' }, { q: 'linen shi' }, { q: 'shi', criteria: { n: { lt: 450 } } }]) {
      const found = await pages(org, '/items', { ...query, limit: 77 })
      const expected = made.filter(
        ({ name, n }) => (!query.q.includes('linen') || name.includes('linen')) && (!query.criteria || n < 450),
      )
      expect(found.map(({ n }) => Number(n)).sort((x, y) => x - y)).toEqual(expected.map(({ n }) => n))
    }
    expect((await pages(org, '/search', { q: 'shirt', limit: 300 }))[0]).toMatchObject({ n: 0, entityType: 'item' })
    const ordered = await pages(org, '/items', {
      q: 'wool',
      order: { orderField: 'createdOn', order: 'desc' },
      limit: 50,
    })
    expect(ordered.map(({ n }) => n)).toEqual(
      made
        .filter(({ n }) => n % 3 === 0)
        .map(({ n }) => n)
        .reverse(),
    )
  })
})
