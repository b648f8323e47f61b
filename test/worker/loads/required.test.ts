// What types require (N65, N67), where the value may come from a family: of another type, in a partial update, in another chunk.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Staging } from '../../../src/features/loads/store/staging.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { all, brief, holdLoads, load, one, SMALL, start, text, worked } from './loading.ts'
import { SEASON_HEAD, season } from './season.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'
const LEVELS = ['family', 'override']

const property = (slug: string, more: object = {}) => ({ slug, label: slug, propertyType: 'string', ...more })

async function withType(typePath: string, ...properties: object[]): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/types', { typePath, properties })
  return org
}

describe('what types require of new entities (N65)', () => {
  it('is asked of project items and assortment items, new ones only', async () => {
    const org = await newOrg()
    const { run } = await season(org)
    await run(`${SEASON_HEAD}\nF1,O1,M\n`)
    for (const typePath of ['project-item', 'assortment-item']) {
      await org.make('/types', { typePath, properties: [property(`of-${typePath}`, { required: true })] })
    }
    expect((await run(`${SEASON_HEAD}\nF1,O1,M\n`)).status).toBe('completed')
    const ended = await run(`${SEASON_HEAD}\nF1,O1,M\nF1,O1,W\nF2,O2,M\n`)
    expect(brief(ended)).toEqual([
      'error 3 of-assortment-item MISSING_DATA',
      'error 4 of-project-item MISSING_DATA',
      'error 4 of-assortment-item MISSING_DATA',
    ])
    const columns = `${SEASON_HEAD},of-project-item,of-assortment-item`
    expect((await run(`${columns}\nF2,O2,M,x,y\n`)).status).toBe('completed')
  })

  it('is asked of an option or of its family, where options may override it', async () => {
    const org = await newOrg()
    const fit = property('fit', { level: 'override', required: true })
    await org.make('/types', { typePath: 'item', properties: [fit] })
    expect(brief(await load(org, `${HEAD}\nF1,O1\n`))).toEqual(['error 2 fit MISSING_DATA'])
    expect(brief(await load(org, `${HEAD},fit\nF1,O1,\n`))).toEqual(['error 2 fit MISSING_DATA'])
    expect(brief(await load(org, `${HEAD},fitFamily\nF1,O1,slim\n`))).toEqual([])
    expect(brief(await load(org, `${HEAD},fit\nF2,O2,wide\n`))).toEqual([])
    // A stored family may have it.
    expect(brief(await load(org, `${HEAD}\nF1,O3\n`))).toEqual([])
    expect(brief(await load(org, `${HEAD},fit\nF4,O4,\nF4,,loose\n`))).toEqual([])
    // Or it has not: the options of F2 have values of their own.
    expect(brief(await load(org, `${HEAD}\nF2,O5\n`))).toEqual(['error 2 fit MISSING_DATA'])
    expect(brief(await load(org, `${HEAD},fitOption\nF2,,\nF2,O5,\n`))).toEqual(['error 3 fit MISSING_DATA'])
    expect(brief(await load(org, `${HEAD},fit\nF2,O5,\nF2,,loose\n`))).toEqual([])
    expect(await one(org, '/items', 'O5')).toMatchObject({ fit: 'loose' })
  })

  it('is asked of new options of stored families that have nothing for them', async () => {
    const org = await newOrg()
    await load(org, `${HEAD}\nF1,O1\n`)
    await org.make('/types', {
      typePath: 'item',
      properties: [property('fabric', { level: 'family', required: true })],
    })
    expect((await load(org, `${HEAD}\nF1,O1\n`)).status).toBe('completed')
    expect(brief(await load(org, `${HEAD}\nF1,O2\n`))).toEqual(['error 2 fabric MISSING_DATA'])
    expect(brief(await load(org, `${HEAD},fabric\nF1,O2,wool\n`))).toEqual([])
    expect(brief(await load(org, `${HEAD}\nF1,O3\n`))).toEqual([])
    expect(await one(org, '/items', 'O3')).toMatchObject({ fabric: 'wool' })
  })

  it.each(['project-item', 'assortment-item'])('a new %s may have it from that of its family', async typePath => {
    const org = await newOrg()
    const { run } = await season(org)
    await run(`${SEASON_HEAD}\nF1,O1,M\n`)
    const errorsOf = async (csv: string) => brief(await run(csv)).filter(issue => issue.startsWith('error'))
    const fit = property('fit', { level: 'override', required: true })
    await org.make('/types', { typePath, properties: [fit] })
    expect(await errorsOf(`${SEASON_HEAD}\nF1,O2,M\n`)).toEqual(['error 2 fit MISSING_DATA'])
    expect(await errorsOf(`${SEASON_HEAD},fit\nF1,,M,slim\nF1,O1,M,\n`)).toEqual([])
    expect(await errorsOf(`${SEASON_HEAD}\nF1,O2,M\n`)).toEqual([])
    const [made] = (await all(org, `/${typePath}s`)).slice(-1)
    expect(made).toMatchObject({ fit: 'slim' })
  })
})

describe('values that a type requires, and a family says in another chunk (N32)', () => {
  const fit = property('fit', { level: 'override', required: true })
  const options = ['F1,O1,', 'F1,O2,', 'F1,O3,', 'F1,O4,', 'F1,O5,']

  async function loadSmall(rows: string[], configuration: object = {}) {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item',
      properties: [fit, property('seal', { required: true, level: 'all' })],
    })
    holdLoads()
    const csv = `${HEAD},fit,seal,kind\n${rows.join('\n')}\n`
    const { id } = await start(org, csv, { loadType: ['ITEM'], ...configuration })
    return { org, ended: await worked(org, id, SMALL) }
  }

  it('are there for options before it', async () => {
    const { org, ended } = await loadSmall([...options.map(row => `${row},s,`), 'F1,,slim,s,'])
    expect([ended.status, ended.errorCount]).toEqual(['completed', 0])
    expect(await one(org, '/items', 'O1')).toMatchObject({ fit: 'slim' })
  })

  it('are missing where no such row comes, beside the line that they are missing on', async () => {
    const { org, ended } = await loadSmall([...options.map(row => `${row},s,`), 'F2,O9,wide,s,', 'F2,,wide,s,'])
    expect(ended).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA', errorCount: 5 })
    expect(brief(ended).slice(0, 2)).toEqual(['error 2 fit MISSING_DATA', 'error 3 fit MISSING_DATA'])
    const annotated = (await text(org, ended.annotatedFileId)).split('\n')
    expect(annotated.filter(line => line.includes('requires a value for fit'))).toHaveLength(5)
    expect(annotated[1]).toContain('O1 is new')
    expect(await all(org, '/items')).toEqual([])
  })

  it('are missing where that row says nothing of them, and the family is stored without', async () => {
    const org = await newOrg()
    await load(org, `${HEAD}\nF1,O0\nF2,O0b\n`)
    await org.make('/types', { typePath: 'item', properties: [fit] })
    holdLoads()
    const run = async (csv: string, more: object = {}) =>
      worked(org, (await start(org, csv, { loadType: ['ITEM'], ...more })).id, SMALL)
    const rows = ['F1,O1,', 'F1,O2,', 'F1,O3,', 'F1,O4,', 'F1,,']
    const silent = await run(`${HEAD},fitOption\n${rows.join('\n')}\n`)
    expect([silent.errorCount, brief(silent)[0]]).toEqual([4, 'error 2 fit MISSING_DATA'])
    const spoken = await run(`${HEAD},fit\n${rows.join('\n')}slim\n`)
    expect([spoken.status, spoken.errorCount]).toEqual(['completed', 0])
    expect(await one(org, '/items', 'O1')).toMatchObject({ fit: 'slim' })
  })

  it('are missing on a family whose own row comes late and says nothing of them', async () => {
    const conditionalColumns = [{ toProperty: 'seal', conditions: [{ conditional: "{kind} === 'w'", value: 'wax' }] }]
    const propertiesToRemove = ['seal']
    const rows = [...options.map(row => `${row},,w`), 'F1,,slim,,x']
    const { ended } = await loadSmall(rows, { conditionalColumns, propertiesToRemove })
    expect(brief(ended)).toContain('error 7 seal MISSING_DATA')
    const whole = await loadSmall([...options.map(row => `${row},,w`), 'F1,,slim,,w'], {
      conditionalColumns,
      propertiesToRemove,
    })
    expect(whole.ended).toMatchObject({ status: 'completed', errorCount: 0 })
  })
})

describe('a new option', () => {
  it.each(LEVELS)(
    'is asked itself where its new family is of a type that does not require it: level %s',
    async level => {
      const org = await withType('item:b', property('fit', { level, required: true }))
      const head = `${HEAD},typePath`
      expect(brief(await load(org, `${head}\nF1,,item\nF1,O1,item:b\n`))).toContain('error 3 fit MISSING_DATA')
      expect(brief(await load(org, `${head}\nF1,,item:b\nF1,O1,item:b\n`))).toEqual(['error 2 fit MISSING_DATA'])
      expect(await all(org, '/items')).toEqual([])
    },
  )

  it.each(LEVELS)('is asked itself in a partial update, which asks no family: level %s', async level => {
    const org = await withType('assortment-item', property('fit', { level, required: true }))
    const { run } = await season(org)
    const isPartial = { partialAssortmentUpdate: true }
    expect(brief(await run(`${SEASON_HEAD}\nF1,O1,M\n`, isPartial))).toEqual(['error 2 fit MISSING_DATA'])
    const said = await run(`${SEASON_HEAD},fit\nF1,O1,M,slim\n`, isPartial)
    expect([said.status, (await all(org, '/assortment-items')).filter(({ fit }) => fit === 'slim').length]).toEqual([
      'completed',
      level === 'family' ? 2 : 1,
    ])
  })

  it('has a bounded number of values waited for, and further ones told at once', async () => {
    const org = await newOrg()
    await load(org, `${HEAD}\nF1,O1\n`)
    const slugs = Array.from({ length: 150 }, (_, at) => property(`p${at}`, { level: 'override', required: true }))
    await org.make('/types', { typePath: 'item', properties: slugs })
    const rows = Array.from({ length: 300 }, (_, at) => `F1,N${at}`)
    const done = await load(org, `${HEAD}\n${rows.join('\n')}\n`)
    expect([done.status, done.errorCount]).toEqual(['failed', 300 * 150 - 40_000])
  })
})

it('a stored option keeps a value where its family has none (N65)', async () => {
  const org = await withType('item', property('fit', { level: 'override', required: true }))
  await load(org, `${HEAD},fit\nF2,O2,wide\n`)
  const emptied = await load(org, `${HEAD},fit\nF2,O2,\n`)
  expect(emptied.issues.map(({ message }) => message)).toEqual([
    'O2 would be left without one, and its type requires a value for fit.',
  ])
  expect(brief(await load(org, `${HEAD}\nF2,O2\n`))).toEqual([])
  expect(brief(await load(org, `${HEAD},fit\nF2,O2,\nF2,,slim\n`))).toEqual([])
  expect(await one(org, '/items', 'O2')).toMatchObject({ fit: 'slim' })
})

it('an option that moves to a family without loses nothing that its type requires', async () => {
  const org = await newOrg()
  await load(org, `${HEAD}\nF2,O2\n`)
  await org.make('/types', { typePath: 'item', properties: [property('fit', { level: 'family', required: true })] })
  await load(org, `${HEAD},fit\nF1,O1,slim\n`)
  expect(brief(await load(org, `${HEAD}\nF2,O1\n`))).toEqual(['error 2 fit MISSING_DATA'])
  expect(brief(await load(org, `${HEAD},fit\nF2,O1,wide\n`))).toEqual([])
  expect(await one(org, '/items', 'O1')).toMatchObject({ fit: 'wide' })
})

it('what the file takes from a family, its new options do not have from it', async () => {
  const org = await withType('item:a', property('fit', { level: 'override' }))
  const fit = property('fit', { level: 'override', required: true })
  await org.make('/types', { typePath: 'item:b', properties: [fit] })
  const head = `${HEAD},typePath,fit`
  await load(org, `${head}\nF1,,item:a,slim\n`)
  expect(brief(await load(org, `${head}\nF1,,item:a,\nF1,O2,item:b,\n`))).toContain('error 3 fit MISSING_DATA')
  expect((await load(org, `${head}\nF1,O2,item:b,\n`)).issues.filter(({ severity }) => severity === 'error')).toEqual(
    [],
  )
})

it.each([
  ['that are new', ''],
  ['that get another type path', `${HEAD}\n`],
])('faults of entities %s are put away in parts, however many each has (N28)', async (_, before) => {
  const required = Array.from({ length: 150 }, (_each, at) => property(`p${at}`, { required: true }))
  const org = await withType('item:b', ...required)
  const keys = Array.from({ length: 100 }, (_each, at) => `F${at},`)
  if (before !== '') await load(org, `${before}${keys.join('\n')}\n`)
  const written = vi.spyOn(Staging.prototype, 'writeIssues')
  onTestFinished(() => written.mockRestore())
  const done = await load(org, `${HEAD},typePath\n${keys.map(key => `${key},item:b`).join('\n')}\n`)
  expect([done.status, done.errorCount]).toEqual(['failed', 100 * 150])
  expect(written.mock.calls.map(([, issues]) => issues.length)).toEqual([10_050, 4_950])
})

describe('an option that gets another type path', () => {
  it.each(LEVELS)('with another family may have what that has stored: level %s', async level => {
    const org = await withType('item:shoe', property('fabric', { level, required: true }))
    await load(org, `${HEAD},typePath,fabric\nF1,,item:shoe,wool\n`)
    await load(org, `${HEAD}\nF0,O1\n`)
    expect(brief(await load(org, `${HEAD},typePath\nF1,O1,item:shoe\n`))).toEqual([])
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shoe', fabric: 'wool' })
  })

  it('follows its family where it has no more than a copy', async () => {
    const org = await withType('item:boot', property('sole', { level: 'override' }))
    const sole = property('sole', { level: 'override', propertyType: 'number' })
    await org.make('/types', { typePath: 'item:shoe', properties: [sole] })
    const head = `${HEAD},typePath,soleFamily`
    await load(org, `${head}\nF1,O1,item:boot,flat\n`)
    expect(brief(await load(org, `${head}\nF1,O1,item:shoe,3\n`))).toEqual([])
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shoe', sole: 3 })
  })
})

/** As the claims of the load have it. */
async function ownLineOf(loadId: string, family: string): Promise<number | null> {
  const query = "SELECT claim ->> 3 AS line FROM load_claims WHERE load_id = ? AND space = 'item' AND key = ?"
  return env.DB.prepare(query).bind(loadId, family).first<number>('line')
}

it('a chunk that is read again comes to the same, although rows after it are known by then (N34)', async () => {
  const org = await withType('item:shoe', property('sole', { level: 'all', propertyType: 'number' }))
  await org.make('/items', { federatedId: 'F1', name: 'F1', roles: ['family'], sole: 'flat' })
  holdLoads()
  const rows = ['F1,O1,item:shoe,1', 'F1,O2,item:shoe,1', 'F1,O3,item:shoe,1', 'F1,O4,item:shoe,1', 'F1,,item:shoe,3']
  const { id } = await start(org, `${HEAD},typePath,sole\n${rows.join('\n')}\n`, { loadType: ['ITEM'] })
  const { writeChunk } = Staging.prototype
  // The first chunk is lost once the second has made its claims.
  let isLost = false
  const staged = vi.spyOn(Staging.prototype, 'writeChunk').mockImplementation(async function (
    this: Staging,
    chunk,
    drafts,
  ) {
    if (chunk > 0 || isLost) return writeChunk.call(this, chunk, drafts)
    isLost = true
    await eventually(
      () => ownLineOf(id, 'F1'),
      line => line !== null,
    )
    throw new Error('the bucket is away')
  })
  onTestFinished(() => staged.mockRestore())
  await expect(worked(org, id, SMALL)).rejects.toThrow('the bucket is away')
  expect(brief(await worked(org, id, SMALL))).toEqual([])
  expect(await one(org, '/items', 'F1')).toMatchObject({ sole: 3 })
})
