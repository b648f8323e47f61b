// The history reads the same wherever its records are (N58): any prefix of them is moved into files of any size, and every walk,
// in both directions, by all criteria and by syncKey, finds what it found before.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { FIRST_ON, fileOldest, filesOf, inTable, polled, spread, walked } from './filing.ts'

const DAY_MS = 86_400_000

type Act = { do: 'create' | 'color'; slot: number } | { do: 'update' | 'delete'; slot: number }

const act = fc.record({
  do: fc.constantFrom<Act['do']>('create', 'create', 'color', 'update', 'update', 'update', 'delete'),
  slot: fc.nat(5),
})

/** An organization to which all this has happened, and the entities that took part. */
async function history(acts: readonly Act[]): Promise<{ org: TestOrg; references: string[] }> {
  const org = await newOrg()
  const made: { path: string; reference: string }[] = []
  const [first] = [await org.make('/items', { name: 'first' })]
  made.push({ path: `/items/${first.id}`, reference: `item:${first.id}` })
  const there = [...made]
  for (const [at, { do: verb, slot }] of acts.entries()) {
    const one = there[slot % Math.max(1, there.length)]
    if (verb === 'create' || verb === 'color' || !one) {
      const [path, type] = verb === 'color' ? ['/colors', 'color'] : ['/items', 'item']
      const { id } = await org.make(path, { name: `${at}`, note: 'ünïcode '.repeat(slot) })
      const entity = { path: `${path}/${id}`, reference: `${type}:${id}` }
      made.push(entity)
      there.push(entity)
    } else if (verb === 'update') await org.put(one.path, { name: `renamed ${at}` })
    else {
      await org.delete(one.path)
      there.splice(there.indexOf(one), 1)
    }
  }
  return { org, references: made.map(({ reference }) => reference) }
}

const dayOf = (records: number) => new Date(FIRST_ON + records * 40 * DAY_MS).toISOString()

/** Everything that can be asked for. */
function queries(references: readonly string[], limit: number, records: number): Json[] {
  const some = references.slice(0, 3)
  const criteria: Json[] = [
    {},
    { entityType: 'item' },
    { entityType: 'color' },
    { entityType: ['color', 'item', 'project'] },
    { entityType: 'project' },
    ...some.map(entityReference => ({ entityReference })),
    { entityReference: String(some[0]).replace('item:', 'color:') },
    { createdOn: `BETWEEN ${dayOf(records / 4)} and ${dayOf(records / 2)}` },
    { createdOn: `BETWEEN ${dayOf(2)} and ${dayOf(2)}`, entityType: 'item' },
    { createdOn: `BETWEEN ${dayOf(1)} and ${dayOf(records)}`, entityReference: some[0] },
  ]
  return criteria.flatMap(one => [
    { criteria: one, limit, order: { order: 'asc' } },
    { criteria: one, limit, order: { order: 'desc' } },
    { criteria: one, limit, after: '' },
  ])
}

it('N58 every walk through the history finds the same records, whichever of them are in files', async () => {
  let files = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 12, maxLength: 26 }),
      fc.double({ min: 0.2, max: 1, noNaN: true }),
      fc.constantFrom(1, 2, 4, 50),
      fc.constantFrom(1, 3, 100),
      async (acts, share, records, limit) => {
        const { org, references } = await history(acts)
        await spread(org)
        const count = await inTable(org)
        const asked = queries(references, limit, count)
        const before = []
        for (const query of asked) before.push(await walked(org, query))
        const polls = await polled(org, { limit })
        const { body: newest } = await org.get('/change-history', { limit: 1 })
        const halfway = (await org.get('/change-history', { after: '', limit: Math.ceil(count / 2) })).body

        const moved = Math.ceil(count * share)
        await fileOldest(org, moved, { records })
        expect(await inTable(org)).toBe(count - moved)
        files += (await filesOf(org)).length

        for (const [at, query] of asked.entries()) {
          expect(await walked(org, query), JSON.stringify(query)).toEqual(before[at])
        }
        expect(await polled(org, { limit })).toEqual(polls)
        expect(await polled(org, { limit }, String(halfway.syncKey))).toEqual(polls.slice(Math.ceil(count / 2)))
        const again = (await org.get('/change-history', { limit: 1 })).body
        expect(again.syncKey).toBe(newest.syncKey)
        expect(again.results).toEqual(newest.results)
      },
    ),
    { numRuns: 6 },
  )
  expect(files).toBeGreaterThan(6)
})

it('N58 a page key from before the records moved leads on, and so does one from after they moved', async () => {
  const { org } = await history(Array.from({ length: 20 }, (_, slot) => ({ do: 'create' as const, slot })))
  await spread(org)
  for (const order of ['asc', 'desc']) {
    const query = { limit: 4, order: { order } }
    const all = await walked(org, query)
    const first = (await org.get('/change-history', query)).body
    await fileOldest(org, order === 'asc' ? 10 : 21, { records: 3 })
    const second = (await org.get('/change-history', { ...query, nextPageKey: String(first.nextPageKey) })).body
    expect([...(first.results ?? []), ...(second.results ?? [])]).toEqual(all.slice(0, 8))
  }
  expect(await inTable(org)).toBe(0)
})
