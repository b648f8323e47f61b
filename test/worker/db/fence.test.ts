// N56: a write by an isolate with old knowledge fails whole, looks again, and is made where the organization is now.
import { describe, expect, it } from 'vitest'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { forgetPlace, knownPlace, learnPlace } from '../../../src/platform/db/placement.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { hmac, put } from '../outbound/partner.ts'
import { countIn, second } from './second-database.ts'

const OLD = { database: 'DB', epoch: 1 }

/** As a move would leave it: the old clock is closed, the new one open under the next epoch, and the directory says so. */
async function moveByHand(org: TestOrg): Promise<void> {
  await env.DB.prepare("UPDATE clocks SET state = 'moved' WHERE org_id = ?").bind(org.id).run()
  await second.prepare('INSERT INTO clocks (org_id, time, epoch) VALUES (?, 0, 2)').bind(org.id).run()
  await env.DB.prepare("UPDATE orgs SET database = 'DATA_01', epoch = 2 WHERE id = ?").bind(org.id).run()
}

/** An isolate that knows the organization from before. */
function rememberOld(org: TestOrg): void {
  forgetPlace(org.id)
  learnPlace(org.id, OLD)
}

const newItem = (name: string) => ({
  op: 'create' as const,
  kind: kindNamed('item'),
  id: newId(),
  data: { typePath: 'item', name },
})

describe('the fence (N56)', () => {
  it('lets twenty isolates with old knowledge write nothing in the old place, and everything once in the new', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'before' })
    rememberOld(org)
    const isolates = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const db = databaseFor(env, org.id)
        expect(await db.place()).toMatchObject(OLD)
        return db
      }),
    )
    await moveByHand(org)
    await Promise.all(
      isolates.map((db, at) => {
        const scope = { db, org, actor: { id: 'x', type: 'app' as const }, now: Date.now() }
        return commit(scope, [newItem(`after ${at}`)])
      }),
    )
    expect(await countIn(env.DB, 'entities', org.id)).toBe(1)
    expect(await countIn(env.DB, 'changes', org.id)).toBe(1)
    expect(await countIn(second, 'entities', org.id)).toBe(20)
    expect(await countIn(second, 'changes', org.id)).toBe(20)
    expect(knownPlace(org.id)).toMatchObject({ database: 'DATA_01', epoch: 2 })
    const { results = [] } = (await org.get('/items')).body
    expect(results).toHaveLength(20)
  })

  it('is passed by a caller without notice, under its key only once', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'before' })
    await moveByHand(org)
    rememberOld(org)
    const headers = { 'Idempotency-Key': 'once' }
    const first = await org.call('POST', '/items', { body: { name: 'after' }, headers })
    expect(first.status).toBe(201)
    rememberOld(org)
    const again = await org.call('POST', '/items', { body: { name: 'after' }, headers })
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    expect(await countIn(env.DB, 'entities', org.id)).toBe(1)
    expect(await countIn(second, 'entities', org.id)).toBe(1)
    expect(await countIn(env.DB, 'idempotency', org.id)).toBe(0)
  })

  it('holds for whatever moves the clock', async () => {
    const org = await newOrg()
    await org.make('/items', {})
    await moveByHand(org)
    rememberOld(org)
    expect((await put(org, { auth: hmac })).status).toBe(200)
    expect(await countIn(env.DB, 'endpoints', org.id)).toBe(0)
    expect(await countIn(second, 'endpoints', org.id)).toBe(1)
  })

  it('refuses writes while the organization moves, with 503 and a time to come back, and lets it be read', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'kept' })
    await env.DB.prepare("UPDATE clocks SET state = 'moving' WHERE org_id = ?").bind(org.id).run()
    const refused = await org.post('/items', { name: 'late' })
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect((await org.get('/items')).body.results?.map(({ name }) => name)).toEqual(['kept'])
    await env.DB.prepare("UPDATE clocks SET state = 'open' WHERE org_id = ?").bind(org.id).run()
    expect((await org.post('/items', { name: 'late' })).status).toBe(201)
  })

  it('is no matter of reading: a bookmark of the new place makes an old isolate look again', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'before' })
    await moveByHand(org)
    rememberOld(org)
    const made = await org.call('POST', '/items', { body: { name: 'after' } })
    const bookmark = made.headers.get('x-d1-bookmark') ?? ''
    expect(bookmark).toMatch(/^DATA_01\./)
    rememberOld(org)
    const read = await org.call('GET', '/items', { headers: { 'x-d1-bookmark': bookmark } })
    expect(read.body.results?.map(({ name }) => name)).toEqual(['after'])
    // One from before the move is as if it were not there.
    const old = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef'
    const stale = await org.call('GET', '/items', { headers: { 'x-d1-bookmark': old } })
    expect(stale.body.results?.map(({ name }) => name)).toEqual(['after'])
  })

  it('learns nothing older than it knows', () => {
    learnPlace('an-organization', { database: 'DATA_01', epoch: 2 })
    learnPlace('an-organization', OLD)
    expect(knownPlace('an-organization')).toMatchObject({ database: 'DATA_01', epoch: 2 })
    forgetPlace('an-organization')
    expect(knownPlace('an-organization')).toBeUndefined()
  })
})
