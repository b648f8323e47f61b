// Organizations with records in files are saved, brought back, and moved to other databases (N58).
import { describe, expect, it, vi } from 'vitest'
import { Crossing } from '../../../src/features/moves/store/crossing.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { deleteOrg, linesOf, restore, takeArchive } from '../backup/archive.ts'
import { stepByHand, steppedTo } from '../moves/moving.ts'
import { fileAll, fileOldest, filesOf, inTable, objectsOf, polled, spread, walked } from './filing.ts'

async function furnished(): Promise<TestOrg> {
  const org = await newOrg()
  const { id } = await org.make('/items', { name: 'first' })
  const bodies = Array.from({ length: 8 }, (_, at) => ({ name: `item ${at}` }))
  await org.post('/items/batch', bodies)
  await org.put(`/items/${id}`, { name: 'renamed' })
  const gone = await org.make('/colors', { name: 'gone' })
  await org.delete(`/colors/${gone.id}`)
  await spread(org)
  return org
}

/** Everything that the history tells, and a key in the middle of it. */
async function told(org: TestOrg) {
  const { syncKey } = (await org.get('/change-history', { after: '', limit: 5 })).body
  return {
    all: await walked(org, { limit: 3 }),
    rest: await polled(org, {}, String(syncKey)),
    syncKey: String(syncKey),
  }
}

describe('a backup', () => {
  it.each([0, 6, 12])('N58 N63 has all records, %i of them in files, and they come back as they were', async filed => {
    const org = await furnished()
    const { all, rest, syncKey } = await told(org)
    const before = (await takeArchive(org.slug)).pages.flatMap(linesOf).filter(({ table }) => table === 'changes')
    await fileOldest(org, filed, { records: 4 })
    const archive = await takeArchive(org.slug)
    const lines = archive.pages.flatMap(linesOf)
    expect(lines.filter(({ table }) => table === 'changes')).toEqual(before)
    await deleteOrg(org)
    expect(await objectsOf(org)).toEqual([])
    expect(await restore(archive)).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect(await walked(org, { limit: 3 })).toEqual(all)
    expect(await polled(org, {}, syncKey)).toEqual(rest)
    expect(await inTable(org)).toBe(12)
    await fileAll(org)
    expect(await walked(org, { limit: 3 })).toEqual(all)
  })

  it('N58 N63 misses none that moves while it is taken', async () => {
    const org = await furnished()
    const { all } = await told(org)
    let filed = 2
    const archive = await takeArchive(org.slug, 'open', async () => {
      await fileOldest(org, filed, { records: 2 })
      filed += 4
    })
    const records = archive.pages.flatMap(linesOf).filter(({ table }) => table === 'changes')
    expect(records.map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse())
  })

  it('N58 N63 is refused where its records would have places of others in files, and goes with shifted ones', async () => {
    const [org, other] = [await furnished(), await furnished()]
    const { all } = await told(org)
    const archive = await takeArchive(org.slug)
    await deleteOrg(org)
    await fileAll(other)
    // As if the places of the one had been given to the other: two deployments count alike.
    const taken = archive.pages.flatMap(linesOf).find(({ table }) => table === 'changes')?.seq
    await env.DB.prepare(
      'UPDATE history_file_entities SET seq = ? WHERE org_id = ? AND seq = (SELECT max(seq) FROM history_file_entities WHERE org_id = ?)',
    )
      .bind(taken, other.id, other.id)
      .run()
    const refused = await restore(archive)
    expect(refused).toMatchObject({ status: 409, body: { positions: 'shift' } })
    const [under] = (await env.DB.prepare('SELECT id FROM restores WHERE org_id = ?').bind(org.id).all()).results
    await operator('DELETE', `/restores/${String(under?.id)}`)
    expect(await restore(archive, { positions: 'shift' })).toMatchObject({ status: 200, body: { isShifted: true } })
    expect(await walked(org, { limit: 3 })).toEqual(all)
  })
})

describe('a move', () => {
  it('N58 N57 takes the rows of files along, there and back; records that come later lie behind them', async () => {
    stepByHand()
    const org = await furnished()
    const { all, rest, syncKey } = await told(org)
    await fileOldest(org, 8, { records: 3 })
    const files = await filesOf(org)
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete' })
    expect(await filesOf(org)).toEqual(files)
    expect(await walked(org, { limit: 3 })).toEqual(all)
    expect(await polled(org, {}, syncKey)).toEqual(rest)
    await fileAll(org)
    expect(await inTable(org)).toBe(0)
    expect(await steppedTo(org, 'DB')).toMatchObject({ state: 'complete' })
    expect(await walked(org, { limit: 3 })).toEqual(all)
    const { id } = await org.make('/items', { name: 'after both' })
    expect((await walked(org, { limit: 3 }))[0]).toMatchObject({ entityReference: `item:${id}` })
    expect(await polled(org, {}, syncKey)).toHaveLength(rest.length + 1)
  })

  it('N58 N57 follows records that move into files meanwhile', async () => {
    stepByHand()
    const org = await furnished()
    const { all } = await told(org)
    let filed = 0
    const { slice } = Crossing.prototype
    const spy = vi.spyOn(Crossing.prototype, 'slice').mockImplementation(async function (this: Crossing, ...which) {
      const done = await slice.apply(this, which)
      const state = await env.DB.prepare('SELECT state FROM clocks WHERE org_id = ?').bind(org.id).first('state')
      // While writes are stopped, nothing moves into files either.
      if (state === 'open' && filed < 9) await fileOldest(org, ++filed, { records: 3 })
      return done
    })
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete', to: 'DATA_01' })
    spy.mockRestore()
    expect([filed, (await filesOf(org)).length, await inTable(org)]).toEqual([9, 9, 3])
    expect(await walked(org, { limit: 3 })).toEqual(all)
    await fileAll(org)
    expect(await inTable(org)).toBe(0)
    expect(await walked(org, { limit: 3 })).toEqual(all)
  })
})
