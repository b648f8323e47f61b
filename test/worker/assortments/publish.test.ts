// What happens beside a publish by hand while it goes on (N33).
import { describe, expect, it } from 'vitest'
import { byTry } from '../../../src/features/assortments/notes.ts'
import { listChanges, publishWork, untilUndisturbed } from '../../../src/features/assortments/service.ts'
import { countChanges, isPublishedMeanwhile } from '../../../src/features/assortments/store.ts'
import { sweepLoads } from '../../../src/features/loads/sweep.ts'
import { background } from '../../../src/platform/background.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { PUBLISH_MAX_COMPOSITES } from '../../../src/platform/limits.ts'
import { env, newOrg } from '../api.ts'

const DAY_MS = 24 * 3600 * 1000

/** An assortment of one item, and a publish of it whose lists lie ready. */
async function begun() {
  const org = await newOrg()
  const assortment = await org.make('/assortments')
  const item = await org.make('/items', { federatedId: 'A' })
  await org.make('/assortment-items', { itemId: item.id, assortmentId: assortment.id })
  const context = background(env, org, { id: 'x', type: 'app' })
  const changeId = newId()
  const publishId = byTry(Date.now(), changeId)
  const which = { publishId, assortmentId: assortment.id }
  const listed = await listChanges(context, which, undefined)
  return { org, assortment, context, changeId, publishId, listed }
}

describe('N33 a publish by hand', () => {
  it('is not made of lists that another publish has overtaken', async () => {
    const { org, assortment, context, changeId, listed } = await begun()
    const other = await org.post(`/assortments/${assortment.id}/publish`, {})
    expect(other.status).toBe(201)
    const work = await publishWork(context, changeId, assortment.id, listed.counted, listed.files)
    const late = commit(context, [...listed.writes, ...work.writes], { after: work.statements, returning: false })
    await expect(late).rejects.toSatisfy(isPublishedMeanwhile)
    const { body } = await org.get(`/assortments/${assortment.id}/history`)
    expect(body.results?.map(({ id }) => id)).toEqual([other.body.id])
    // The next one is compared with the one that came first.
    expect((await org.post(`/assortments/${assortment.id}/publish`, {})).body).toMatchObject({
      detail: { adds: 0, deletes: 0 },
    })
  })

  it('reads the summaries again where a composite is written, or deleted, meanwhile', async () => {
    const { org, assortment, context, changeId, listed } = await begun()
    const composite = () => org.make('/assortments', { memberAssortmentIds: [assortment.id] })
    const [kept, gone] = [await composite(), await composite()]
    let tries = 0
    await untilUndisturbed(async () => {
      const work = await publishWork(context, changeId, assortment.id, listed.counted, listed.files)
      tries++
      if (tries === 1) {
        const item = await org.make('/items')
        await org.make('/assortment-items', { itemId: item.id, assortmentId: assortment.id })
        await org.put(`/assortments/${kept.id}`, { name: 'x' })
      }
      if (tries === 2) await org.delete(`/assortments/${gone.id}`)
      return commit(context, [...listed.writes, ...work.writes], { after: work.statements, returning: false })
    })
    expect(tries).toBe(3)
    for (const { id } of [kept, assortment]) {
      expect((await org.get(`/assortments/${id}`)).body).toMatchObject({ summary: { itemCount: 2 } })
    }
  })

  it('counts an item with a family as an option, and its family as a family, whatever their roles (N73)', async () => {
    const org = await newOrg()
    const assortment = await org.make('/assortments')
    const composite = await org.make('/assortments', { memberAssortmentIds: [assortment.id] })
    const family = await org.make('/items')
    const option = await org.make('/items', { itemFamilyId: family.id })
    const others = [{}, { roles: ['family'] }, { roles: ['option'] }]
    const items = [family, option, ...(await Promise.all(others.map(body => org.make('/items', body))))]
    for (const { id } of items) await org.make('/assortment-items', { itemId: id, assortmentId: assortment.id })
    await org.make('/assortment-items', { itemId: option.id, assortmentId: composite.id })
    expect((await org.post(`/assortments/${assortment.id}/publish`, {})).status).toBe(201)
    for (const { id } of [assortment, composite]) {
      expect((await org.get(`/assortments/${id}`)).body.summary).toEqual({
        itemCount: 5,
        familyCount: 2,
        optionCount: 2,
      })
    }
  })

  it('renews the summaries of many composites in few statements, and says so before it starts where there are too many', async () => {
    const { org, assortment, context, changeId, listed } = await begun()
    const body = { memberAssortmentIds: [assortment.id] }
    const composites = (count: number) =>
      org.post(
        '/assortments/batch',
        Array.from({ length: count }, () => body),
      )
    await composites(30)
    const before = context.db.calls
    const { writes } = await publishWork(context, changeId, assortment.id, listed.counted, listed.files)
    expect([writes.length, context.db.calls - before]).toEqual([31, 3])
    await composites(PUBLISH_MAX_COMPOSITES - 30)
    expect((await org.post(`/assortments/${assortment.id}/publish`, {})).status).toBe(201)
    const last = await composites(1)
    expect((await org.get(`/assortments/${last.body.results?.[0]?.id}`)).body).not.toHaveProperty('summary')
    expect(await org.post(`/assortments/${assortment.id}/publish`, {})).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('composites') },
    })
  })

  it('tells of members that were moved, and of no others', async () => {
    const org = await newOrg()
    const [own, other] = [await org.make('/assortments'), await org.make('/assortments')]
    const items = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => org.make('/items')))
    const [i1 = '', i2 = '', i3 = '', i4 = '', i5 = '', i6 = '', i7 = ''] = items.map(({ id }) => id)
    const member = (itemId: string, assortmentId = own.id) => org.make('/assortment-items', { itemId, assortmentId })
    const publish = async (assortmentId = own.id) => {
      const { body } = await org.post(`/assortments/${assortmentId}/publish`, {})
      const detail = body.detail as Record<string, string>
      const listed = async (name: string) => {
        const { body } = await org.get(new URL(`${detail[`${name}Url`]}`).pathname.replace('/api', ''))
        return (body as unknown as { itemId: string }[]).map(({ itemId }) => itemId)
      }
      return { adds: await listed('adds'), updates: await listed('updates'), deletes: await listed('deletes') }
    }
    const comes = await member(i1, other.id)
    const m2 = await member(i2)
    const between = await member(i3, other.id)
    const [m4, m5] = [await member(i4), await member(i5)]
    await member(i6)
    await publish()
    await publish(other.id)
    await org.put(`/assortment-items/${comes.id}`, { assortmentId: own.id })
    await org.put(`/assortment-items/${between.id}`, { assortmentId: own.id })
    expect(await publish()).toEqual({ adds: [i1, i3].sort(), updates: [], deletes: [] })
    expect(await publish(other.id)).toEqual({ adds: [], updates: [], deletes: [i1, i3].sort() })
    await org.put(`/assortment-items/${m2.id}`, { itemId: i7 })
    await org.put(`/assortment-items/${m4.id}`, { assortmentId: other.id })
    await org.put(`/assortment-items/${m5.id}`, { note: 'x' })
    expect(await publish()).toEqual({ adds: [i7], updates: [i5], deletes: [i2, i4].sort() })
    expect(await publish()).toEqual({ adds: [], updates: [], deletes: [] })
  })

  it('keeps what it has noted when the cron comes by, and leaves nothing for ever', async () => {
    const { assortment, context, publishId } = await begun()
    const noted = () => countChanges(context.db, publishId, assortment.id)
    await sweepLoads(env, Date.now())
    expect(await noted()).toMatchObject({ adds: 1 })
    await sweepLoads(env, Date.now() + 2 * DAY_MS)
    expect(await noted()).toMatchObject({ adds: 0 })
  })
})
