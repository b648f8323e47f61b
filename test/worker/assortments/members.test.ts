import { expect, it } from 'vitest'
import { countMembers, memberPages, publishesStatement } from '../../../src/features/assortments/store.ts'
import { optionsOfDropped } from '../../../src/features/loads/store/partial-members.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { env, newOrg } from '../api.ts'

it('the members of an assortment come in pages, all of them once, oldest first, and none of another', async () => {
  const org = await newOrg()
  const [own, other] = [await org.make('/assortments'), await org.make('/assortments')]
  const made: string[] = []
  for (let at = 0; at < 4; at++) {
    const item = await org.make('/items', { federatedId: `I${at}` })
    made.push((await org.make('/assortment-items', { itemId: item.id, assortmentId: own.id })).id)
    await org.make('/assortment-items', { itemId: item.id, assortmentId: other.id })
  }
  const db = databaseFor(env, org.id)
  for (const limit of [1, 2, 3, 4, 1000]) {
    const found = []
    for await (const page of memberPages(db, org.id, own.id, limit)) {
      expect(page.length).toBeLessThanOrEqual(limit)
      found.push(...page)
    }
    expect(found.map(({ id }) => id)).toEqual(made)
    expect(found.map(({ itemFederatedId }) => itemFederatedId)).toEqual(['I0', 'I1', 'I2', 'I3'])
  }
  expect(await countMembers(db, org.id, own.id, 1000)).toBe(4)
  expect(await countMembers(db, org.id, own.id, 3)).toBe(3)
})

it('the options of a family that is dropped come in pages, all of them once, and those of no other family', async () => {
  const org = await newOrg()
  const assortment = await org.make('/assortments')
  const made: string[] = []
  for (const federatedId of ['F1', 'F2']) {
    const family = await org.make('/items', { federatedId })
    for (let at = 0; at < 4; at++) {
      const option = await org.make('/items', { federatedId: `${federatedId} ${at}`, itemFamilyId: family.id })
      const { id } = await org.make('/assortment-items', { itemId: option.id, assortmentId: assortment.id })
      if (federatedId === 'F1') made.push(id)
    }
  }
  const pairs = [[assortment.id, 'F1']] as const
  for (const limit of [1, 3, 4, 5]) {
    const found: string[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await optionsOfDropped(databaseFor(env, org.id), org.id, 'no-load', pairs, after, limit)
      found.push(...page.members.map(({ id }) => id))
      after = page.last
    }
    expect(found).toEqual(made)
  }
})

it('the publishes of an assortment are read along their index, newest first, without sorting', async () => {
  const { sql, params } = publishesStatement({ orgId: 'o', assortmentId: 'a', before: 7, limit: 10 })
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  expect(results.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(
      /^SEARCH publishes USING INDEX publishes_assortment \(org_id=\? AND assortment_id=\? AND rowid<\?\)$/,
    ),
  ])
})
