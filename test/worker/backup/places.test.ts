// Positions are shared with all other organizations: an archive from elsewhere cannot use them up (N57, N63).
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, operator } from '../api.ts'
import { begin, deleteOrg, forged, linesOf, restore, takeArchive } from './archive.ts'

const SEQ = expect.stringContaining('`seq`')

async function gone() {
  const org = await newOrg()
  await org.make('/items', { name: 'a' })
  const archive = await takeArchive(org.slug)
  await deleteOrg(org)
  const { highest } = linesOf(archive.pages.at(-1) ?? '').at(-2) as { highest: Record<string, number> }
  const reaching = (more: Record<string, number>) =>
    forged(archive, line => (line.table === 'end' ? { ...line, highest: { ...highest, ...more } } : line))
  return { archive, highest, reaching }
}

describe('N63 an archive from elsewhere', () => {
  it.each(['entities', 'changes', 'audit'])('has no row outside of what it tells: %s', async table => {
    const { archive, highest } = await gone()
    for (const seq of [0, -1, null, '7', (highest[table] ?? 0) + 1, Number.MAX_SAFE_INTEGER - 5]) {
      const bad = await forged(archive, (line: Json) => (line.table === table ? { ...line, seq } : line))
      expect([seq, await restore(bad)]).toMatchObject([
        seq,
        { status: 400, body: { errors: expect.arrayContaining([{ path: expect.any(String), message: SEQ }]) } },
      ])
      await operator('DELETE', `/restores/${(await begin(bad)).body.id}`)
    }
    expect(await restore(archive)).toMatchObject({ status: 200 })
  })

  it('leaves most of the positions to others', async () => {
    const { archive, reaching } = await gone()
    for (const [table, place] of [
      ['entities', 2 ** 43 - 1],
      ['changes', 2 ** 52 - 1],
      ['audit', Number.MAX_SAFE_INTEGER - 5],
    ] as const) {
      expect(await begin(await reaching({ [table]: place }))).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/end/highest/${table}` }] },
      })
    }
    expect(await restore(archive)).toMatchObject({ status: 200 })
  })

  it('that ends where a range does begins the next, and does not run into what other databases give out', async () => {
    const { reaching } = await gone()
    const begun = await begin(await reaching({ entities: 2 ** 31 - 1 }))
    expect(begun.status).toBe(201)
    const org = await newOrg()
    await org.make('/items', { name: 'later' })
    const { pages } = await takeArchive(org.slug)
    const [item] = pages.flatMap(linesOf).filter(({ kind }) => kind === 'item')
    expect(Number(item?.seq)).toBeGreaterThan(2 * 2 ** 31)
  })
})
