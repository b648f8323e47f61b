// Claims that are remembered instead of stored: what people see of a load is the same, whatever the worker still knows.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Claim, plainClaim } from '../../../src/features/loads/drafts/claims.ts'
import { Ledger, NeedsClaims } from '../../../src/features/loads/phases/ledger.ts'
import { open } from '../../../src/features/loads/phases/open.ts'
import { validate } from '../../../src/features/loads/phases/validate.ts'
import { type LoadState, newState } from '../../../src/features/loads/state.ts'
import type { Load as StoredLoad } from '../../../src/features/loads/store/loads.ts'
import { Staging } from '../../../src/features/loads/store/staging.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { StepSuperseded } from '../../../src/platform/jobs/commit-step.ts'
import { LOAD_SEEN_FILE_MAX_BYTES } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, type TestOrg } from '../api.ts'
import { all, brief, holdLoads, type Load, one, SMALL, start, stored, worked, workerOf } from './loading.ts'
import { season } from './season.ts'

const always = async () => true
const never = async () => false
const FOUND = { fileSize: 1000, projectId: null, projectRank: null, startWarnings: [], targets: [] }

afterEach(() => vi.restoreAllMocks())

const families = (many: number) => `itemFamilyFederatedId,name\n${numbers(many, n => `F${n},Name ${n}\n`)}`
const numbers = (many: number, row: (n: number) => string) => Array.from({ length: many }, (_, n) => row(n)).join('')

async function claimsOf(id: string): Promise<unknown> {
  return env.DB.prepare('SELECT count(*) AS n FROM load_claims WHERE load_id = ?').bind(id).first('n')
}

async function opened(org: TestOrg, csv: string, configuration: Json = {}, bounds = SMALL): Promise<StoredLoad> {
  const { id } = await start(org, csv, { loadType: ['ITEM'], ...configuration })
  return open(workerOf(org, id, bounds), await stored(org, id))
}

/** What callers see of it, and what it has made. */
async function seen(org: TestOrg, { status, results, issues, failureArea }: Load, path: string) {
  const made = (await all(org, path)).map(({ federatedId, name, identifier }) => [federatedId, name, identifier])
  return { status, results, failureArea, issues, made: made.sort() }
}

describe('rows that stand for themselves (N32)', () => {
  it('store no claims, and a worker that goes on remembers their keys', async () => {
    const org = await newOrg()
    holdLoads()
    let load = await opened(org, families(10))
    for (const chunks of [1, 2, 3]) {
      load = await validate(workerOf(org, load.id, SMALL), load, never)
      expect(load.state).toMatchObject({ chunks, remembers: true, phase: 'validating' })
    }
    load = await validate(workerOf(org, load.id, SMALL), load, never)
    expect(load.state).toMatchObject({ rows: 10, phase: 'writing' })
    expect(await claimsOf(load.id)).toBe(0)
    expect(await worked(org, load.id, SMALL)).toMatchObject({ status: 'completed', results: { item: { created: 10 } } })
  })

  it('are read again, with claims, where whoever knew their keys has died', async () => {
    const org = await newOrg()
    holdLoads()
    let load = await opened(org, families(10))
    load = await validate(workerOf(org, load.id, SMALL), load, never)
    const { startedOn, percent, start: reached } = load.state
    expect(load.state).toMatchObject({ rows: 4, remembers: true })
    expect(percent).toBeGreaterThan(0)
    await env.FILES.delete(`${org.id}/loads/${load.id}/keys-${reached}`)
    // As long as it may still be at it, nobody takes it out of its hands.
    await expect(validate(workerOf(org, load.id, SMALL), load, always)).rejects.toThrow(StepSuperseded)
    vi.spyOn(Date, 'now').mockReturnValue(load.state.movedOn + 2000)
    load = await validate(workerOf(org, load.id, SMALL), load, always)
    vi.restoreAllMocks()
    holdLoads()
    expect(load.state).toMatchObject({ phase: 'opening', isAgain: true, rows: 0, chunks: 0, startedOn, percent })
    // The chunks of the second reading are larger: none of the first may be taken for one of them.
    const ended = await worked(org, load.id, { ...SMALL, chunkMaxRows: 6 })
    expect(ended).toMatchObject({ status: 'completed', results: { item: { created: 10 } }, startedOn })
    expect(await all(org, '/items')).toHaveLength(10)
    expect((await env.FILES.list({ prefix: `${org.id}/loads/` })).objects).toEqual([])
  })

  it('are gone on with at once after a disturbance', async () => {
    const org = await newOrg()
    holdLoads()
    const load = await opened(org, families(10))
    const { writeChunk } = Staging.prototype
    const spy = vi.spyOn(Staging.prototype, 'writeChunk').mockImplementation(function (this: Staging, chunk, staged) {
      return chunk === 1 ? Promise.reject(new Error('the bucket is away')) : writeChunk.call(this, chunk, staged)
    })
    await expect(validate(workerOf(org, load.id, SMALL), load, always)).rejects.toThrow('the bucket is away')
    spy.mockRestore()
    const goesOn = await stored(org, load.id)
    expect(goesOn.state).toMatchObject({ chunks: 1, remembers: true })
    const { state } = await validate(workerOf(org, load.id, SMALL), goesOn, always)
    expect(state).toMatchObject({ phase: 'opening', isAgain: true })
    const ended = await worked(org, load.id, SMALL)
    expect(ended).toMatchObject({ status: 'completed', results: { item: { created: 10 } }, issues: [] })
  })
})

describe('a ledger', () => {
  const kept = () => ({ db: databaseFor(env, 'any'), staging: new Staging(env.FILES, newId(), newId()) })
  const at = (start: number, more: object = {}) => {
    const state = { ...newState({} as LoadState['configuration'], FOUND), remembers: true, chunks: 1, start, ...more }
    return { id: 'any', state } as StoredLoad
  }
  const family = (n: number): Claim => {
    return { ...plainClaim('item', `F${n}`, n), role: 'family', ownLine: n }
  }

  it('is gone where its keys are those of another place in the file', async () => {
    const one = kept()
    const first = await Ledger.open(one, at(0, { chunks: 0 }))
    await first?.make([family(1)])
    await first?.leave(at(100))
    expect(await Ledger.open(one, at(200))).toBeUndefined()
    expect(await Ledger.open(kept(), at(100))).toBeUndefined()
    const next = await Ledger.open(one, at(100))
    await next?.make([family(2)])
    await expect(next?.make([family(1)])).rejects.toThrow(NeedsClaims)
  })

  it('may still be in the store where the first rows had no keys', async () => {
    const ledger = await Ledger.open(kept(), at(0, { chunks: 0 }))
    await ledger?.make([])
    await ledger?.make([plainClaim('item', 'O1', 2)])
    expect(ledger?.remembers).toBe(false)
  })

  it.each([
    ['of a very large file', { chunks: 0, fileSize: LOAD_SEEN_FILE_MAX_BYTES + 1 }],
    ['of a second reading', { chunks: 0, isAgain: true }],
    ['of a load that an older release began', { remembers: false }],
  ])('%s is in the store', async (_, more) => {
    expect((await Ledger.open(kept(), at(100, more)))?.remembers).toBe(false)
  })
})

const BY_ROWS = {
  loadType: ['ITEM', 'PROJECT_ITEM'],
  assortmentSplit: { fieldToSplitOn: 'Season', values: [{ value: 'X' }] },
}
const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId,name'

describe('what a later chunk has to do with an earlier one (N32)', () => {
  it.each<[what: string, path: string, csv: string, configuration: Json]>([
    ['a family twice', '/items', `${families(6)}F1,Other\nF9,Name\n`, {}],
    ['an option of a family', '/items', `${HEAD}\n${numbers(6, n => `F${n},,Name ${n}\n`)}F1,O1,One\n`, {}],
    [
      'an identifier twice',
      '/items',
      `itemFamilyFederatedId,identifier\n${numbers(6, n => `F${n},I${n}\n`)}F9,I1\n`,
      {},
    ],
    [
      'a color twice',
      '/colors',
      `federatedId,name\n${numbers(6, n => `C${n},Red\n`)}C1,Blue\n`,
      { loadType: ['COLOR'] },
    ],
    [
      'a color whose identifier is another’s',
      '/colors',
      `federatedId,name,identifier\n${numbers(6, n => `C${n},Red,I${n}\n`)}C9,Blue,I1\n`,
      { loadType: ['COLOR'] },
    ],
  ])('%s is seen as in a file of one chunk', async (_, path, csv, configuration) => {
    holdLoads()
    const outcomes = []
    for (const chunkMaxRows of [1000, 4]) {
      const org = await newOrg()
      const { id } = await start(org, csv, { loadType: ['ITEM'], ...configuration })
      outcomes.push(await seen(org, await worked(org, id, { ...SMALL, chunkMaxRows }), path))
    }
    const [whole, inChunks] = outcomes
    expect(whole?.made.length === 0 || whole?.status === 'completed').toBe(true)
    expect(inChunks).toEqual(whole)
  })

  it('a word of a family for its options reaches them, where rows before it had none', async () => {
    const org = await newOrg()
    const fit = { slug: 'fit', label: 'Fit', propertyType: 'string', level: 'family' }
    await org.make('/types', { typePath: 'item', properties: [fit] })
    const family = await org.make('/items', { name: 'Nine', federatedId: 'F9', roles: ['family'] })
    await org.make('/items', { name: 'O9', federatedId: 'O9', roles: ['option'], itemFamilyId: family.id })
    holdLoads()
    const conditions = [{ conditional: "{name} === 'Nine'", value: 'slim' }]
    const configuration = { loadType: ['ITEM'], conditionalColumns: [{ toProperty: 'fit', conditions }] }
    const { id } = await start(org, `${families(6)}F9,Nine\n`, configuration)
    expect(await worked(org, id, SMALL)).toMatchObject({ status: 'completed', issues: [] })
    expect(await one(org, '/items', 'O9')).toMatchObject({ fit: 'slim' })
  })

  it('leads to no project of rows that the first reading has seen', async () => {
    holdLoads()
    const outcomes = []
    for (const chunkMaxRows of [1000, 4]) {
      const org = await newOrg()
      const { a } = await season(org)
      const rows = numbers(8, n => `F${n},Name ${n},${n === 4 ? a.id : ''},X\n`)
      const { id } = await start(org, `itemFamilyFederatedId,name,assortmentId,Season\n${rows}F0,Name 0,,X\n`, BY_ROWS)
      outcomes.push(await worked(org, id, { ...SMALL, chunkMaxRows }))
    }
    const [whole, inChunks] = outcomes
    expect(whole).toMatchObject({ status: 'failed', issues: [{ issueType: 'CONFIG' }] })
    expect(inChunks).toMatchObject({ status: 'failed', issues: whole?.issues })
  })

  it('fails the load once, with every error in its place, where rows before it were wrong', async () => {
    const org = await newOrg()
    await org.make('/types', { typePath: 'item', properties: [{ slug: 'n', label: 'N', propertyType: 'number' }] })
    holdLoads()
    const csv = `itemFamilyFederatedId,n\nF0,x\n${numbers(6, n => `F${n + 1},1\n`)}F1,2\nF8,y\n`
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const ended = await worked(org, id, SMALL)
    expect(ended).toMatchObject({ status: 'failed', errorCount: 2 })
    expect(brief(ended)).toEqual([
      'error 2 n INVALID_DATA',
      'error 10 n INVALID_DATA',
      'warning 9 null VALIDATION_ERROR',
    ])
  })
})

describe('chunks that are put away', () => {
  it('stay as whoever came first has put them away, each reading by itself', async () => {
    const [orgId, loadId] = [newId(), newId()]
    const [first, again] = [new Staging(env.FILES, orgId, loadId), new Staging(env.FILES, orgId, loadId, 'again-')]
    await first.writeChunk(0, { rows: 1, drafts: [] })
    await first.writeChunk(0, { rows: 2, drafts: [] })
    await again.writeChunk(0, { rows: 3, drafts: [] })
    expect([await first.readChunk(0), await again.readChunk(0)]).toMatchObject([{ rows: 1 }, { rows: 3 }])
    expect(await first.forget(1000)).toBe(true)
    await expect(again.readChunk(0)).rejects.toThrow('the load has lost chunk-0')
  })
})
