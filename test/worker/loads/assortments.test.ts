import { describe, expect, it } from 'vitest'
import { type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'
import { nothingLeft } from '../eventually.ts'
import { all, brief, load, text } from './loading.ts'
import { members, SEASON_HEAD, season } from './season.ts'

const HEAD = SEASON_HEAD

async function listened(org: TestOrg) {
  const made = await season(org)
  await listen(org)
  return made
}

function listen(org: TestOrg): Promise<Json> {
  const tasks = [{ name: 'hear', action: 'expression', config: { output: { heard: true } } }]
  return org.make('/event-workflows', { name: 'listener', triggerKey: 'assortment|publish', paths: [{ tasks }] })
}

/** What the workflow was started with, when nothing more can come. */
async function events(org: TestOrg): Promise<unknown[]> {
  await nothingLeft(org)
  return (await all(org, '/event-workflow-processes')).map(({ triggerEvent }) => triggerEvent)
}

describe('loading assortments (N32, N33)', () => {
  it('makes project items and assortment items for options and their families, and publishes', async () => {
    const org = await newOrg()
    const { project, a, b, run } = await listened(org)
    const done = await run(`${HEAD}\nF1,O1,M\nF1,O2,W\nF2,,M\n`)
    expect(done).toMatchObject({
      status: 'completed',
      issues: [],
      results: { item: { created: 4 }, 'project-item': { created: 4 }, 'assortment-item': { created: 5 } },
    })
    expect(await members(org, a.id)).toEqual(['F1', 'F2', 'O1'])
    expect(await members(org, b.id)).toEqual(['F1', 'O2'])
    const [entry] = await all(org, '/assortment-items', { assortmentId: b.id })
    const [projectItem] = await all(org, '/project-items', { itemId: entry?.itemId })
    expect(projectItem).toMatchObject({ projectId: project.id })
    expect(entry?.projectItemId).toBe(projectItem?.id)
    expect(await recordsOf(String(entry?.id))).toHaveLength(1)

    expect((await org.get(`/assortments/${a.id}`)).body.summary).toEqual({
      itemCount: 3,
      familyCount: 2,
      optionCount: 1,
    })
    const ids = done.assortmentPublishChangeIds as string[]
    expect(await events(org)).toMatchObject([
      { assortmentId: a.id, assortmentPublishChangeId: ids[0] },
      { assortmentId: b.id, assortmentPublishChangeId: ids[1] },
    ])
    const publish = await org.get<{ detail: Json }>(`/assortments/${a.id}/history/${ids[0]}`)
    expect(publish.body).toMatchObject({ detail: { adds: 3, updates: 0, deletes: 0 }, createdByType: 'loader' })
    const list = async (url: unknown) => JSON.parse(await text(org, String(url).split('/').at(-2))) as Json[]
    expect((await list(publish.body.detail.addsUrl)).map(({ itemFederatedId }) => itemFederatedId).sort()).toEqual([
      'F1',
      'F2',
      'O1',
    ])
    expect(await list(publish.body.detail.baselineUrl)).toEqual([])
    expect((await org.get(`/assortments/${b.id}/history/${ids[0]}`)).status).toBe(404)
  })

  it('removes what the file no longer has, and leaves an assortment alone that gets no row', async () => {
    const org = await newOrg()
    const { a, b, run } = await listened(org)
    await run(`${HEAD}\nF1,O1,M\nF1,O2,M\nF2,O3,M\nF3,O4,W\n`)
    const done = await run(`${HEAD}\nF1,O1,M\nF4,O5,M\n`)
    expect(done.results['assortment-item']).toEqual({ created: 2, updated: 0, unchanged: 2, removed: 3 })
    expect(brief(done)).toEqual(['warning 1 Season VALIDATION_ERROR'])
    expect(await members(org, a.id)).toEqual(['F1', 'F4', 'O1', 'O5'])
    expect(await members(org, b.id)).toEqual(['F3', 'O4'])
    const [publishId] = done.assortmentPublishChangeIds as string[]
    const publish = await org.get<{ detail: Json }>(`/assortments/${a.id}/history/${publishId}`)
    expect(publish.body.detail).toMatchObject({ adds: 2, updates: 0, deletes: 3 })
    const baseline = JSON.parse(await text(org, String(publish.body.detail.baselineUrl).split('/').at(-2))) as Json[]
    expect(baseline.map(({ itemFederatedId }) => itemFederatedId).sort()).toEqual(['F1', 'F2', 'O1', 'O2', 'O3'])
    expect((await org.get(`/assortments/${a.id}`)).body.summary).toEqual({
      itemCount: 4,
      familyCount: 2,
      optionCount: 2,
    })
    expect(await all(org, '/items')).toHaveLength(9)

    const again = await run(`${HEAD}\nF1,O1,M\nF4,O5,M\n`)
    expect(again.assortmentPublishChangeIds).toEqual([])
    expect(await events(org)).toHaveLength(3)
  })

  it('adds and drops by columns in a partial update', async () => {
    const org = await newOrg()
    const { a, run } = await listened(org)
    await run(`${HEAD}\nF1,O1,M\nF1,O2,M\nF2,O3,M\nF3,,M\n`)
    const partial = { partialAssortmentUpdate: true, dropField: 'drop', addField: 'add' }
    const rows = 'F1,O1,M,TRUE,\nF2,O3,M,true,false\nF3,,M,true,\nF4,O4,M,,true\nF5,O5,M,,\n'
    const done = await run(`${HEAD},drop,add\n${rows}`, partial)
    expect(done).toMatchObject({ status: 'completed', issues: [] })
    expect(done.results['assortment-item']).toEqual({ created: 2, updated: 0, unchanged: 0, removed: 4 })
    expect(await members(org, a.id)).toEqual(['F1', 'F4', 'O2', 'O4'])
    const added = await run(`${HEAD}\nF9,O9,M\n`, {}, { partialAssortmentUpdate: true })
    expect(added.results['assortment-item']).toMatchObject({ created: 2, removed: 0 })
  })

  it('keeps a family whose last option is dropped while a row adds it, and lets the others go with theirs', async () => {
    const org = await newOrg()
    const { a, b, run } = await listened(org)
    await run(`${HEAD}\nF1,O1,M\nF2,O2,M\nF1,O1,W\n`)
    const partial = { partialAssortmentUpdate: true, dropField: 'drop', addField: 'add' }
    const done = await run(`${HEAD},drop,add\nF1,O1,M,true,\nF1,,M,,true\nF2,O2,M,true,\n`, partial)
    expect(done).toMatchObject({ status: 'completed', issues: [] })
    expect(await members(org, a.id)).toEqual(['F1'])
    expect(await members(org, b.id)).toEqual(['F1', 'O1'])
  })

  it('skips records, summary and event with shouldSkipAssortmentPublish, for assortment items only', async () => {
    const org = await newOrg()
    const { a, run } = await listened(org)
    const done = await run(`${HEAD}\nF1,O1,M\n`, {}, { shouldSkipAssortmentPublish: true })
    expect(done).toMatchObject({ status: 'completed', unrecordedWrites: 2, assortmentPublishChangeIds: [] })
    const [member] = await all(org, '/assortment-items', { assortmentId: a.id })
    const [item] = await all(org, '/items', { federatedId: 'O1' })
    expect(await recordsOf(String(member?.id))).toEqual([])
    expect(await recordsOf(String(item?.id))).toHaveLength(1)
    expect(await events(org)).toEqual([])
    expect((await org.get(`/assortments/${a.id}`)).body).not.toHaveProperty('summary')
    const removed = await run(`${HEAD}\nF2,O2,M\n`, {}, { shouldSkipAssortmentPublish: true })
    expect(removed).toMatchObject({ unrecordedWrites: 4 })
    expect(await members(org, a.id)).toEqual(['F2', 'O2'])
  })

  it('brings the summaries of composites up to date', async () => {
    const org = await newOrg()
    const { a, b, run } = await listened(org)
    const composite = await org.make('/assortments', { name: 'all', memberAssortmentIds: [a.id, b.id] })
    await run(`${HEAD}\nF1,O1,M\nF1,O2,W\n`)
    expect((await org.get(`/assortments/${composite.id}`)).body.summary).toEqual({
      itemCount: 3,
      familyCount: 1,
      optionCount: 2,
    })
  })

  it('publishes by hand what has changed since the last publish', async () => {
    const org = await newOrg()
    const { a, b, run } = await listened(org)
    await run(`${HEAD}\nF1,O1,M\nF2,,M\n`)
    const [first, second] = await all(org, '/assortment-items', { assortmentId: a.id })
    await org.put(`/assortment-items/${first?.id}`, { note: 'x' })
    await org.delete(`/assortment-items/${second?.id}`)
    const item = await org.make('/items', { name: 'by hand', roles: ['family'] })
    await org.make('/assortment-items', { itemId: item.id, assortmentId: a.id })
    const published = await org.post<{ id: string; detail: Json }>(`/assortments/${a.id}/publish`, undefined)
    expect(published.status).toBe(201)
    expect(published.body.detail).toMatchObject({ adds: 1, updates: 1, deletes: 1 })
    expect(published.headers.get('Location')).toBe(`/api/assortments/${a.id}/history/${published.body.id}`)
    expect((await org.get(`/assortments/${a.id}`)).body.summary).toMatchObject({ itemCount: 3 })
    const again = await org.post<{ detail: Json }>(`/assortments/${a.id}/publish`, undefined)
    expect(again.body.detail).toMatchObject({ adds: 0, updates: 0, deletes: 0 })
    interface Publishes {
      results: { id: string; detail: Json }[]
      nextPageKey: string | null
    }
    const [latest, ...older] = (await org.get<Publishes>(`/assortments/${a.id}/history`)).body.results
    expect([latest?.detail, older[0]?.id]).toEqual([again.body.detail, published.body.id])
    const page = (await org.get<Publishes>(`/assortments/${a.id}/history?limit=1`)).body
    const next = `/assortments/${a.id}/history?limit=1&nextPageKey=${page.nextPageKey}`
    expect([page.results.length, (await org.get<Publishes>(next)).body.results[0]?.id]).toEqual([1, published.body.id])
    expect((await org.get(next.replace(a.id, b.id))).status).toBe(400)
    expect((await org.get<Publishes>(`/assortments/${b.id}/history`)).body.results).toEqual([])
    expect((await (await newOrg()).get(`/assortments/${a.id}/history`)).status).toBe(404)
    expect((await org.post('/assortments/AAAAAAAAAAAAAAAA/publish', undefined)).status).toBe(404)
  })

  it('finds the project by workspace, by assortment, and by the first row', async () => {
    const org = await newOrg()
    const { project, a } = await listened(org)
    const byWorkspace = await load(org, 'itemFamilyFederatedId\nW1\n', {
      loadType: ['ITEM', 'PROJECT_ITEM'],
      workspaceIdentifier: 'ss26',
    })
    expect(byWorkspace).toMatchObject({ status: 'completed', results: { 'project-item': { created: 1 } } })
    const split = { fieldToSplitOn: 'Season', values: [{ value: 'M' }] }
    for (const loadType of [
      ['ITEM', 'PROJECT_ITEM'],
      ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
    ]) {
      const byRow = await load(org, `${HEAD},assortmentId\nR1,,M,${a.id}\n`, { loadType, assortmentSplit: split })
      expect(byRow).toMatchObject({ status: 'completed', issues: [] })
    }
    expect((await all(org, '/project-items')).map(({ projectId }) => projectId)).toEqual([project.id, project.id])
    const unknown = await load(org, `${HEAD},assortmentId\nR1,,M,nowhere\n`, {
      loadType: ['ITEM', 'ASSORTMENT'],
      assortmentSplit: split,
    })
    expect(brief(unknown)).toEqual(['error 2 assortmentId INVALID_DATA'])
  })

  it('refuses at start what the configuration leads to nowhere', async () => {
    const org = await newOrg()
    const { a, values } = await listened(org)
    const other = await org.make('/projects', {})
    const elsewhere = await org.make('/workspaces', { identifier: 'elsewhere', projectId: other.id })
    const foreign = await org.make('/assortments', { workspaceId: elsewhere.id })
    const refused = async (body: Json) => {
      const answer = await org.post<{ errors: { path: string }[] }>('/loader-processes', {
        fileLocation: 'nothing',
        ...body,
      })
      expect(answer.status).toBe(400)
      return answer.body.errors.map(({ path }) => path).sort()
    }
    const split = (list: Json[]) => ({
      loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
      assortmentSplit: { fieldToSplitOn: 's', values: list },
    })
    expect(await refused({ loadType: ['ITEM', 'PROJECT_ITEM'], workspaceIdentifier: 'nowhere' })).toEqual([
      '/fileLocation',
      '/workspaceIdentifier',
    ])
    expect(
      await refused(
        split([
          { value: 'x', assortmentId: 'nowhere' },
          { value: 'y', assortmentIdentifier: 'nope' },
        ]),
      ),
    ).toEqual([
      '/assortmentSplit/values/0/assortmentId',
      '/assortmentSplit/values/1/assortmentIdentifier',
      '/fileLocation',
    ])
    expect(await refused(split([...values, { value: 'z', assortmentId: foreign.id }]))).toContain(
      '/assortmentSplit/values',
    )
    expect(await refused(split([{ value: 'z', assortmentId: a.id, assortmentIdentifier: 'women' }]))).toContain(
      '/assortmentSplit/values/0',
    )
    expect(
      await refused({
        loadType: ['ITEM'],
        colour: 1,
        conditionalColumns: [{ toProperty: 'a', conditions: [{ conditional: '(', value: 1 }] }],
      }),
    ).toEqual(['/colour', '/conditionalColumns/0/conditions/0/conditional'])
  })
})
