// Backups of organizations that change, grow or move while they are read (N63).
import { describe, expect, it } from 'vitest'
import { takeRange } from '../../../src/platform/db/positions.ts'
import { env, newOrg, operator } from '../api.ts'
import { stepByHand, steppedTo } from '../moves/moving.ts'
import { answersOf, deleteOrg, exportCall, linesOf, restore, takeArchive } from './archive.ts'

/** More than one call answers: something can be done in between. */
const LARGE = Array.from({ length: 14 }, (_, n) => ({ name: `${n}`, text: 'x'.repeat(300_000) }))

describe('N63 a backup', () => {
  it('during which the organization moves begins anew, and comes back whole', async () => {
    // The range of the target is lower than that of others in the source.
    await (await newOrg({}, 'DATA_01')).make('/items', { name: 'other' })
    await takeRange(env, 'DB')
    await (await newOrg()).make('/items', { name: 'neighbour' })
    const org = await newOrg()
    for (let batch = 0; batch < 2; batch++) await org.post('/items/batch', LARGE)
    const [item] = (await org.get('/items', { limit: 1 })).body.results ?? []
    const { after } = linesOf((await exportCall(org.slug)).at(-1) ?? '').at(-1) as { after: string }
    stepByHand()
    expect(await steppedTo(org, 'DATA_01')).toMatchObject({ state: 'complete' })
    expect((await org.delete(`/items/${item?.id}`)).status).toBe(204)
    expect(await operator('GET', `/orgs/${org.slug}/export?after=${after}`)).toMatchObject({
      status: 410,
      body: { code: 'sync_key_expired', detail: expect.stringContaining('moved') },
    })
    const archive = await takeArchive(org.slug)
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    expect(await restore(archive, { positions: 'shift' })).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect((await org.get('/items/count')).body).toMatchObject({ count: 27 })
  })

  it('has no page that a restore would not take, however much of whatever type is written meanwhile', async () => {
    const org = await newOrg()
    for (let batch = 0; batch < 2; batch++) await org.post('/items/batch', LARGE)
    const kinds = ['items', 'colors', 'workspaces', 'projects', 'assortments', 'saved-views', 'size-range-templates']
    const paths = kinds.map(kind => `/api/${kind}?limit=100`)
    let calls = 0
    const archive = await takeArchive(org.slug, 'open', async () => {
      calls++
      if (calls > 1) return
      // Each sign takes two bytes as JSON, and four as JSON in JSON.
      for (const [at, kind] of kinds.entries()) {
        for (const length of [127_000, 255_000]) await org.make(`/${kind}`, { name: `${at}`, note: '"'.repeat(length) })
      }
    })
    const sizes = archive.pages.map(page => new TextEncoder().encode(page).length)
    expect(Math.max(...sizes)).toBeGreaterThan(5 * 1024 * 1024)
    expect(Math.max(...sizes)).toBeLessThan(6.5 * 1024 * 1024)
    const before = await answersOf(org, paths)
    await deleteOrg(org)
    expect(await restore(archive)).toMatchObject({ status: 200, body: { state: 'complete' } })
    expect(await answersOf(org, paths)).toEqual(before)
  })

  it('leaves a line in the audit trail when it begins, and only then; deleting takes its end', async () => {
    const org = await newOrg()
    for (let batch = 0; batch < 2; batch++) await org.post('/items/batch', LARGE)
    const trail = async () => {
      const { results = [] } = (await operator('GET', `/orgs/${org.slug}/audit`)).body
      return results.flatMap(({ action, detail }) => (action === 'organization_exported' ? [detail] : []))
    }
    await exportCall(org.slug, { secrets: 'open' })
    expect(await trail()).toEqual([{ secrets: 'open' }])
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(409)
    await takeArchive(org.slug, 'without')
    expect(await trail()).toEqual([{ secrets: 'without' }, { secrets: 'open' }])
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
  })
})
