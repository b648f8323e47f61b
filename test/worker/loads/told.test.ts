// Loads that end as they must, whatever types an organization has, and rows that are held against what is stored.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Staging } from '../../../src/features/loads/store/staging.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg } from '../api.ts'
import { all, brief, holdLoads, load, one, SMALL, start, text, worked } from './loading.ts'
import { SEASON_HEAD, season } from './season.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'
const property = (slug: string, more: object = {}) => ({ slug, label: slug, propertyType: 'string', ...more })

describe('a file that cannot be read (N28)', () => {
  it.each([
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0])],
    ['an empty file', ' '],
    ['another encoding', new Uint8Array([0xff, 0xfe, 65, 0, 10, 0])],
  ])('%s fails at once where types are defined, with its issues as a file', async (_, content) => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('fit')] })
    const ended = await load(org, content)
    expect(ended).toMatchObject({ status: 'failed', failureArea: 'PARSING_CSV', issuesFileId: expect.any(String) })
    expect(brief(ended)).toEqual([expect.stringMatching(/^error 1 null INVALID_DATA$/)])
  })
})

it('parts of a configuration that its load types have no use for are told as warnings (N72)', async () => {
  const org = await newOrg()
  const assortmentSplit = { fieldToSplitOn: 'season', values: [{ value: 'SS', assortmentId: 'none' }] }
  const unused = { workspaceIdentifier: 'W', assortmentSplit, shouldSkipAssortmentPublish: true }
  const ended = await load(org, `${HEAD},assortmentId\nF1,,A9\n`, {
    loadType: ['ITEM'],
    ...unused,
    partialAssortmentUpdate: false,
  })
  expect(ended).toMatchObject({ status: 'completed', warningCount: 3 })
  expect(ended.issues.map(({ message }) => message)).toEqual([
    'workspaceIdentifier is not used: it needs the load type PROJECT_ITEM or ASSORTMENT.',
    'assortmentSplit is not used: it needs the load type PROJECT_ITEM or ASSORTMENT.',
    'shouldSkipAssortmentPublish is not used: it needs the load type ASSORTMENT.',
  ])
  // As it would be without them.
  expect(await one(org, '/items', 'F1')).toMatchObject({ assortmentId: 'A9' })
})

/** Once the rows are read, and before anything is said of them in a file. */
function beforeReports(act: () => Promise<unknown>): void {
  const { readIssues } = Staging.prototype
  const spy = vi.spyOn(Staging.prototype, 'readIssues').mockImplementation(async function* (this: Staging, chunk) {
    spy.mockRestore()
    await act()
    yield* readIssues.call(this, chunk)
  })
  onTestFinished(() => spy.mockRestore())
}

describe('the issues of a chunk that is read again (N28)', () => {
  it('are gone before, in all their parts, and those of other chunks are not', async () => {
    const staging = new Staging(env.FILES, newId(), newId())
    const issues = (row: number) => [
      {
        severity: 'error' as const,
        issueType: 'INVALID_DATA' as const,
        rowNumber: row,
        columnName: null,
        message: 'x',
      },
    ]
    for (const [chunk, part] of [
      [1, 0],
      [1, 1],
      [10, 0],
    ] as const)
      await staging.writeIssues(chunk, issues(chunk + part), part)
    await staging.dropIssues(1)
    const left = async (chunk: number) => {
      const found: unknown[] = []
      for await (const part of staging.readIssues(chunk)) found.push(...part)
      return found
    }
    await expect(left(1)).rejects.toThrow('the load has lost the issues of chunk 1')
    expect(await left(10)).toEqual(issues(10))
    // None of its parts has stayed.
    await staging.writeIssues(1, issues(3))
    expect(await left(1)).toEqual(issues(3))
    expect(await staging.forget(1000)).toBe(true)
    await expect(left(10)).rejects.toThrow('lost')
  })
})

describe('the reports of a load that fails (N28)', () => {
  const numbered = { typePath: 'item', properties: [property('n', { propertyType: 'number' })] }
  const ROWS = 12
  const csv = `itemFamilyFederatedId,n\n${Array.from({ length: ROWS }, (_, at) => `F${at},x`).join('\n')}\n`

  it('are written although types have changed since', async () => {
    const org = await newOrg()
    const { id } = await org.make('/types', numbered)
    beforeReports(() => org.put(`/types/${id}`, { label: 'Changed' }))
    const reports = { issuesFileId: expect.any(String), annotatedFileId: expect.any(String) }
    expect(await load(org, csv)).toMatchObject({ status: 'failed', ...reports })
  })

  it('have the issues of every row, whatever the chunks were when they were found', async () => {
    const org = await newOrg()
    await org.make('/types', numbered)
    const bounds = { ...SMALL }
    beforeReports(async () => {
      bounds.chunkMaxRows = 2 * ROWS
    })
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const annotated = await text(org, (await worked(org, id, bounds)).annotatedFileId)
    expect(annotated.match(/error: n:/g)).toHaveLength(ROWS)
  })
})

describe('a full load into assortments (N32)', () => {
  it("writes what a family's row says anew of a value that options may override", async () => {
    const org = await newOrg()
    const retail = property('retail', { propertyType: 'number', level: 'override' })
    await org.make('/types', { typePath: 'assortment-item', properties: [retail] })
    const { run, a } = await season(org)
    const values = async () =>
      (await all(org, '/assortment-items', { assortmentId: a.id })).map(member => member.retail).sort()
    const rows = (price: number) => `${SEASON_HEAD},retail\nF1,,M,${price}\nF1,O1,M,\n`
    await run(rows(5))
    expect(await values()).toEqual([5, 5])
    const again = await run(rows(6))
    expect(again.results['assortment-item']).toMatchObject({ updated: 2, removed: 0 })
    expect(await values()).toEqual([6, 6])
    expect((await run(rows(6))).results['assortment-item']).toMatchObject({ updated: 0, unchanged: 2 })
  })
})

describe('what is stored of the items', () => {
  it('mode update makes no families either (N27)', async () => {
    const org = await newOrg()
    await load(org, `${HEAD}\nF1,O1\n`)
    const ended = await load(org, `${HEAD}\nF2,O1\n`, { mode: 'update' })
    expect(brief(ended)).toEqual(['error 2 itemFamilyFederatedId VALIDATION_ERROR'])
    expect(await all(org, '/items')).toHaveLength(2)
  })

  it("an item that becomes an option gets its family's values (N32)", async () => {
    const org = await newOrg()
    const properties = [property('fabric', { level: 'family' }), property('fit', { level: 'override' })]
    await org.make('/types', { typePath: 'item', properties })
    await org.make('/items', { federatedId: 'F1', name: 'F1', roles: ['family'], fabric: 'wool', fit: 'slim' })
    await org.make('/items', { federatedId: 'X', name: 'X' })
    await org.make('/items', { federatedId: 'Y', name: 'Y', fit: 'wide' })
    expect((await load(org, `${HEAD}\nF1,X\nF1,Y\n`)).status).toBe('completed')
    expect(await one(org, '/items', 'X')).toMatchObject({ fabric: 'wool', fit: 'slim' })
    expect(await one(org, '/items', 'Y')).toMatchObject({ fabric: 'wool', fit: 'wide' })
    expect((await load(org, `${HEAD}\nF1,X\nF1,Y\n`)).results.item).toMatchObject({ updated: 0 })
  })
  it('a later row that says of its family what the first one does not is told, and not heard (N32)', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [property('fabric', { level: 'family' })] })
    const conditionalColumns = [
      { toProperty: 'fabric', conditions: [{ conditional: "{kind} === 'w'", value: 'wool' }] },
    ]
    const ended = await load(org, `${HEAD},kind\nF1,O1,x\nF1,O2,w\nF1,,w\n`, { conditionalColumns })
    expect(brief(ended).filter(issue => issue.includes('fabric'))).toEqual([
      'warning 3 fabric VALIDATION_ERROR',
      'warning 4 fabric VALIDATION_ERROR',
    ])
    expect(JSON.stringify(ended.issues)).toContain('The family F1 has no fabric on line 2, which holds.')
    expect(await one(org, '/items', 'F1')).not.toHaveProperty('fabric')
  })
})

it.each([
  ['one chunk', []],
  ['two chunks', ['F3,,W,x', 'F4,,W,x', 'F5,,W,x']],
])('an option that rows give two families has that of the first, in %s (N32)', async (_, between) => {
  const org = await newOrg()
  const { a, configuration } = await season(org)
  await org.make('/types', { typePath: 'assortment-item', properties: [property('look', { level: 'family' })] })
  holdLoads()
  const rows = ['F1,O1,W,plain', ...between, 'F2,O1,M,bold']
  const { id } = await start(org, `${SEASON_HEAD},look\n${rows.join('\n')}\n`, configuration())
  expect(brief(await worked(org, id, SMALL))).toEqual([
    `warning ${rows.length + 1} itemOptionFederatedId VALIDATION_ERROR`,
  ])
  const looks = async (key: string) => {
    const { id: itemId } = await one(org, '/items', key)
    return (await all(org, '/assortment-items', { assortmentId: a.id, itemId })).map(({ look }) => look)
  }
  expect([await looks('F2'), await looks('O1')]).toEqual([['bold'], [undefined]])
})

it('a dry run counts members that get a project item, although it makes none (N27)', async () => {
  const org = await newOrg()
  const { configuration, run } = await season(org)
  const csv = `${SEASON_HEAD}\nF1,O1,M\nF2,O2,M\nF3,O3,M\nF1,,M\n`
  await run(csv, {}, { loadType: ['ITEM', 'ASSORTMENT'] })
  holdLoads()
  const results = async (dryRun: boolean) => {
    const { id } = await start(org, csv, configuration({}, { dryRun }))
    return (await worked(org, id, { ...SMALL, commitMaxEntities: 1 })).results
  }
  const dry = await results(true)
  expect(dry['assortment-item']).toMatchObject({ updated: 6, unchanged: 0 })
  expect(await results(false)).toEqual(dry)
})
