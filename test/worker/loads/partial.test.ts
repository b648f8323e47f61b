// What a partial update adds to assortments and drops from them (N32).
import { describe, expect, it } from 'vitest'
import { newOrg } from '../api.ts'
import { all, brief, holdLoads, load, SMALL, start, worked } from './loading.ts'
import { SEASON_HEAD as HEAD, members, season } from './season.ts'

const PARTIAL = { partialAssortmentUpdate: true, dropField: 'drop', addField: 'add' }

describe('partial assortment updates (N32)', () => {
  it('adds a family whose first row is not added, but a later one', async () => {
    const org = await newOrg()
    const { a, run } = await season(org)
    await run(`${HEAD},add,drop\nF1,,M,,\nF1,O1,M,true,\n`, PARTIAL)
    expect(await members(org, a.id)).toEqual(['F1', 'O1'])
  })

  it.each([
    ['adds', 'F1,,M,,\nF1,,M,true,\n', ['F1']],
    ['adds', 'F1,,M,true,\nF1,,M,,\n', ['F1']],
    ['drops', 'F2,,M,,\nF2,,M,,true\n', []],
    ['drops', 'F2,,M,,true\nF2,,M,,\n', []],
    ['leaves', 'F2,,M,,\nF2,,M,,\n', ['F2']],
  ])('%s a family by the one of its rows that is marked, in one chunk and in several', async (_, rows, left) => {
    for (const bounds of [undefined, { ...SMALL, chunkMaxRows: 1 }]) {
      const org = await newOrg()
      const { a, run, configuration } = await season(org)
      await run(`${HEAD}\nF2,,M\n`)
      if (rows.includes('F1')) await run(`${HEAD},add,drop\nF2,,M,,true\n`, PARTIAL)
      if (bounds) holdLoads()
      const { id } = await start(org, `${HEAD},add,drop\n${rows}`, configuration(PARTIAL))
      const done = await worked(org, id, bounds)
      expect([done.status, await members(org, a.id)]).toEqual(['completed', left])
    }
  })

  it('refuses rows that add a family and drop it', async () => {
    const org = await newOrg()
    const { run } = await season(org)
    const done = await run(`${HEAD},add,drop\nF1,,M,,\nF1,,M,true,\nF1,,M,,true\n`, PARTIAL)
    expect(done.status).toBe('failed')
    expect(brief(done)).toContain('error 4 itemFamilyFederatedId VALIDATION_ERROR')
  })

  it('gives such a family what its own row says, whatever the order and the chunks', async () => {
    const org = await newOrg()
    const { a, configuration } = await season(org)
    const properties = [{ slug: 'rank', propertyType: 'number' }]
    await org.make('/types', { typePath: 'assortment-item', properties })
    holdLoads()
    const rows = ['F1,,M,,,3', ...[1, 2, 3, 4].map(n => `F2,P${n},M,,,`), 'F1,O1,M,true,,1']
    const { id } = await start(org, `${HEAD},add,drop,rank\n${rows.join('\n')}\n`, configuration(PARTIAL))
    await worked(org, id, SMALL)
    const ranks = await all(org, '/assortment-items', { assortmentId: a.id })
    expect(ranks.map(({ rank }) => rank).sort()).toEqual([1, 3])
  })

  it('keeps a family whose last option is dropped while another is added, and a dry run says the same', async () => {
    const org = await newOrg()
    const { a, run } = await season(org)
    await run(`${HEAD}\nF1,O1,M\nF2,O3,M\n`)
    const rows = `${HEAD},add,drop\nF1,O1,M,,true\nF1,O2,M,true,\nF2,O3,M,,true\n`
    const dry = await run(rows, PARTIAL, { dryRun: true })
    expect(await members(org, a.id)).toEqual(['F1', 'F2', 'O1', 'O3'])
    const real = await run(rows, PARTIAL)
    expect(await members(org, a.id)).toEqual(['F1', 'O2'])
    expect(real.results['assortment-item']).toMatchObject({ created: 1, removed: 3 })
    expect(dry.results['assortment-item']).toMatchObject({ created: 1, removed: 3 })
  })

  it('a dropped family takes its options along, save for those that rows speak of', async () => {
    const org = await newOrg()
    const { a, run } = await season(org)
    await run(`${HEAD}\nF1,O1,M\nF1,O2,M\nF2,O3,M\nF2,O4,M\nF3,O5,M\n`)
    const rows = 'F1,,M,,true\nF2,,M,,true\nF2,O4,M,true,\n'
    const dry = await run(`${HEAD},add,drop\n${rows}`, PARTIAL, { dryRun: true })
    const done = await run(`${HEAD},add,drop\n${rows}`, PARTIAL)
    expect(await members(org, a.id)).toEqual(['F2', 'F3', 'O4', 'O5'])
    expect(done.results['assortment-item']).toMatchObject({ removed: 4 })
    expect(dry.results).toEqual(done.results)
  })

  it.each([
    ['leave a family that is dropped', 'F1,O1,M\nF1,O2,M\nF2,,M\n', 'F1,,M,,true\nF2,O1,M,,\n', ['F2', 'O1']],
    ['come to a family that is dropped', 'F1,O1,M\nF2,O2,M\n', 'F1,,M,,true\nF1,O2,M,,\n', ['F1', 'F2', 'O2']],
    ['come where the last one is dropped', 'F1,O1,M\nF2,O2,M\n', 'F1,O1,M,,true\nF1,O2,M,,\n', ['F1', 'F2', 'O2']],
    ['go with the family that they come to', 'F1,O1,M\nF2,O2,M\n', 'F1,,M,,true\nF1,O2,W,,\n', ['F2']],
  ])('a dry run counts options that %s as the load does', async (_, before, rows, left) => {
    const org = await newOrg()
    const { a, run } = await season(org)
    await run(`${HEAD}\n${before}`)
    const dry = await run(`${HEAD},add,drop\n${rows}`, PARTIAL, { dryRun: true })
    const done = await run(`${HEAD},add,drop\n${rows}`, PARTIAL)
    expect(await members(org, a.id)).toEqual(left)
    expect(dry.results).toEqual(done.results)
  })

  it('takes TRUE for the split value true', async () => {
    const org = await newOrg()
    const { a, run } = await season(org)
    const done = await run(`${HEAD}\nF1,O1,TRUE\nF1,O2,true\nF1,O3,yes\n`, {
      values: [{ value: 'true', assortmentId: a.id }],
    })
    expect(brief(done)).toEqual(['warning 4 Season INVALID_DATA'])
    expect(await members(org, a.id)).toEqual(['F1', 'O1', 'O2'])
  })

  it('stores the column that is split on, with [ITEM, ASSORTMENT] as well', async () => {
    const org = await newOrg()
    const { run } = await season(org)
    await run(`${HEAD}\nF1,O1,M\n`, {}, { loadType: ['ITEM', 'ASSORTMENT'] })
    expect(await all(org, '/items', { federatedId: 'O1' })).toMatchObject([{ Season: 'M' }])
  })
})

describe('the project (N32)', () => {
  it('follows ids before identifiers, with a warning where they lead elsewhere', async () => {
    const org = await newOrg()
    const { project, a, run } = await season(org)
    const other = await org.make('/projects', {})
    const elsewhere = await org.make('/workspaces', { projectId: other.id, identifier: 'elsewhere' })
    await org.make('/assortments', { identifier: 'far', workspaceId: elsewhere.id })
    const values = [
      { value: 'W', assortmentIdentifier: 'far' },
      { value: 'M', assortmentId: a.id },
    ]
    const done = await run(`${HEAD}\nF1,O1,M\nF1,O2,W\n`, { values })
    expect(brief(done)).toEqual(['warning 1 null CONFIG'])
    expect(new Set((await all(org, '/project-items')).map(({ projectId }) => projectId))).toEqual(new Set([project.id]))
    const named = await load(org, `${HEAD}\nF1,O1,M\nF1,O2,W\n`, {
      loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
      workspaceIdentifier: 'elsewhere',
      assortmentSplit: { fieldToSplitOn: 'Season', values },
    })
    expect(brief(named)).toEqual(['warning 1 null CONFIG'])
    expect((await all(org, '/project-items', { projectId: other.id })).length).toBe(3)
  })
})
