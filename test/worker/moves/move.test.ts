// N57: an organization goes to another database and back; nobody can tell.
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { removeRecords } from '../../../src/features/history/store.ts'
import { fateOf } from '../../../src/features/moves/store/tables.ts'
import { sweepMoves } from '../../../src/features/moves/sweep.ts'
import * as entities from '../../../src/platform/db/schema/entities.ts'
import * as events from '../../../src/platform/db/schema/events.ts'
import * as files from '../../../src/platform/db/schema/files.ts'
import * as historyFiles from '../../../src/platform/db/schema/history-files.ts'
import * as jobs from '../../../src/platform/db/schema/jobs.ts'
import * as loads from '../../../src/platform/db/schema/loads.ts'
import * as organizations from '../../../src/platform/db/schema/organizations.ts'
import * as people from '../../../src/platform/db/schema/people.ts'
import * as propertyIndex from '../../../src/platform/db/schema/property-index.ts'
import * as search from '../../../src/platform/db/schema/search.ts'
import { env, newOrg, operator } from '../api.ts'
import { answersOf } from '../backup/archive.ts'
import { furnished, pathsOf } from '../backup/furnished.ts'
import { countIn } from '../db/second-database.ts'
import { eventually } from '../eventually.ts'
import { archiveOf, begin, DATABASES, look, moveTo, stepByHand, steppedTo, tablesWith } from './moving.ts'

describe('a move (N57)', () => {
  it('thinks of every table of the schema', () => {
    const modules = [entities, events, files, historyFiles, jobs, loads, organizations, people, propertyIndex, search]
    const tables = modules.flatMap(module => Object.values(module) as unknown[]).filter(each => is(each, SQLiteTable))
    expect(tables.length).toBeGreaterThan(30)
    expect(tables.filter(table => fateOf(table) === undefined).map(getTableName)).toEqual([])
  })

  it('takes everything along, there and back: answers, page keys, sync keys, archive', async () => {
    const org = await furnished()
    const other = await newOrg()
    await other.make('/items', { name: 'of a neighbour' })
    const before = await answersOf(org, pathsOf(org))
    const archive = await archiveOf(org)
    const [task] = (await org.get('/event-workflow-tasks')).body.results ?? []
    const { syncKey } = (await org.get('/change-history')).body
    const once = { 'Idempotency-Key': 'once' }
    const made = await org.call('POST', '/items', { body: { name: 'once' }, headers: once })

    const there = await moveTo(org, 'DATA_01')
    expect(there).toMatchObject({ state: 'complete', percent: 100, from: 'DB', to: 'DATA_01', error: null })
    expect(there.tables).toMatchObject({ entities: await countIn(DATABASES.DATA_01 as D1Database, 'entities', org.id) })
    expect((await operator('GET', `/orgs/${org.slug}`)).body).toMatchObject({ database: 'DATA_01' })
    expect((await org.call('POST', '/items', { body: { name: 'once' }, headers: once })).body.id).toBe(made.body.id)
    await org.delete(`/items/${made.body.id}`)
    const changed = await org.get('/change-history', { after: syncKey })
    expect(changed.body.results).toMatchObject([{ changeType: 'create' }, { changeType: 'delete' }])
    const callback = await org.post('/external-events/callback/', { taskId: task?.id, status: 'SUCCESS' })
    expect(callback).toMatchObject({ status: 200, body: { status: 'complete' } })
    await eventually(
      () => org.get('/search', { q: 'navy' }),
      ({ body }) => body.results?.length === 1,
    )
    await eventually(
      () => org.get('/items', { order: { orderField: 'size' } }),
      ({ body }) => body.results?.length === 7,
    )
    await org.make('/items', { name: 'made there' })
    const written = await archiveOf(org)

    const back = await moveTo(org, 'DB')
    expect(back).toMatchObject({ state: 'complete', from: 'DATA_01', to: 'DB' })
    expect(await archiveOf(org)).toEqual(written)
    expect((await org.get('/change-history', { after: changed.body.syncKey })).body.results).toMatchObject([
      { changeType: 'create' },
    ])
    const after = await answersOf(org, pathsOf(org))
    const paths = Object.keys(before).filter(path => !/items|history|tasks|quotas/.test(path))
    for (const path of paths) expect([path, after[path]]).toEqual([path, before[path]])
    expect(archive.length).toBeGreaterThan(20)
    expect((await other.get('/items')).body.results).toHaveLength(1)
    const { body: audit } = await operator('GET', `/orgs/${org.slug}/audit`)
    expect(audit.results?.map(({ action }) => action).filter(action => String(action).includes('move'))).toEqual([
      'organization_moved',
      'organization_move_begun',
      'organization_moved',
      'organization_move_begun',
    ])
  })

  it('leaves a copy for a week, and then nothing but a closed clock', async () => {
    stepByHand()
    const org = await furnished()
    await steppedTo(org, 'DATA_01')
    const left = await tablesWith('DB', org.id)
    expect(left).toEqual(expect.arrayContaining(['changes', 'clocks', 'entities', 'old_copies']))
    const week = 7 * 24 * 3_600_000
    await sweepMoves(env, Date.now() + week - 3_600_000)
    expect(await tablesWith('DB', org.id)).toEqual(left)
    await sweepMoves(env, Date.now() + week + 60_000)
    const directory = ['audit', 'credentials', 'moves']
    const kept = (await tablesWith('DB', org.id)).filter(name => !directory.includes(name))
    expect(kept).toEqual(['clocks'])
    expect(await env.DB.prepare('SELECT state FROM clocks WHERE org_id = ?').bind(org.id).first('state')).toBe('moved')
    expect((await org.get('/items')).body.results).toHaveLength(7)
  })

  it('back to where a copy of it still is: what is swept is the copy of the other', async () => {
    stepByHand()
    const org = await newOrg()
    await org.make('/items', { name: 'kept' })
    await steppedTo(org, 'DATA_01')
    await steppedTo(org, 'DB')
    await sweepMoves(env, Date.now() + 8 * 24 * 3_600_000)
    expect(await tablesWith('DATA_01', org.id)).toEqual(['clocks'])
    expect((await org.get('/items')).body.results).toMatchObject([{ name: 'kept' }])
  })

  it('refuses what cannot be, and says why', async () => {
    const org = await newOrg()
    expect(await begin(org, 'DATA_77')).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/database', message: expect.stringContaining('DATA_01') }] },
    })
    expect(await begin(org, 'DB')).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already') } })
    expect(await begin({ slug: 'nobody-here' }, 'DB')).toMatchObject({ status: 404 })
    expect(await look(org)).toMatchObject({ status: 404 })
    expect(await operator('POST', `/orgs/${org.slug}/move/cancel`)).toMatchObject({ status: 404 })
    expect(await operator('POST', `/orgs/${org.slug}/move`, {})).toMatchObject({ status: 400 })
    stepByHand()
    await steppedTo(org, 'DATA_01')
    expect(await operator('POST', `/orgs/${org.slug}/move/cancel`)).toMatchObject({ status: 409 })
  })

  it('N25 gives out no position behind a syncKey, although the records that had them are swept', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'a' })
    await moveTo(org, 'DATA_01')
    await org.put(`/items/${item.id}`, { name: 'b' })
    const { syncKey } = (await org.get('/change-history', { after: '' })).body
    await removeRecords(env, org.id, Date.now() + 1000, 100)
    await moveTo(org, 'DB')
    await org.put(`/items/${item.id}`, { name: 'c' })
    const { body } = await org.get('/change-history', { after: syncKey })
    expect(body.results).toMatchObject([{ changes: { name: { newValue: 'c' } } }])
  })
})
