// Alarms come at least once, so now and then twice: what they wake is done once all the same. Those of tasks stand in steps.long.test.ts.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { SearchObject } from '../../../src/features/search/search-object.ts'
import { namespaceOf } from '../../../src/platform/env.ts'
import { watchOf } from '../../../src/platform/wake/watch.ts'
import { env, newOrg } from '../api.ts'
import { nothingLeft } from '../eventually.ts'
import { processesOf } from '../workflows/runs.ts'

/** Twice at once, and once more. */
async function ringThrice(stub: DurableObjectStub<undefined>): Promise<void> {
  await runInDurableObject(stub, async object => {
    const ring = async () => object.alarm?.()
    await Promise.all([ring(), ring()])
    await ring()
  })
}

describe('an alarm that comes three times', () => {
  it('of the search index leaves each entity in it once', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'thriceindexed' })
    const index = namespaceOf<SearchObject>(env.SEARCH).getByName(org.id)
    await index.wake(org.id)
    await ringThrice(index)
    const found = (await org.get('/search', { q: 'thriceindexed' })).body.results
    expect(found?.map(each => each.id)).toEqual([id])
    const rows = await env.DB.prepare('SELECT count(*) AS n FROM search_entities WHERE org_id = ?')
      .bind(org.id)
      .first<number>('n')
    expect(rows).toBe(1)
  })

  it('of the watch of an organization has each event acted on once', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'note', action: 'expression', config: { output: { a: '1' } } }]
    const { id } = await org.make('/event-workflows', { triggerKey: 'item|create', paths: [{ tasks }] })
    const items = (await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }])).body.results ?? []
    await ringThrice(watchOf(env, org.id))
    await nothingLeft(org)
    await ringThrice(watchOf(env, org.id))
    await nothingLeft(org)
    const runs = await processesOf(org, id)
    expect(runs.map(({ status }) => status)).toEqual(['complete', 'complete'])
    const started = runs.map(({ triggerEvent }) => (triggerEvent as { newData: { id: string } }).newData.id)
    expect(started.sort()).toEqual(items.map(each => each.id).sort())
  })
})
