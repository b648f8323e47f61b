// What an organization may have (N60).
import { describe, expect, it } from 'vitest'
import { QUOTAS, QUOTAS_MOST } from '../../../src/platform/limits.ts'
import { call, env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { holdLoads, start, worked } from '../loads/loading.ts'

const setQuotas = async (org: TestOrg, quotas: Json) => {
  const { status, body } = await operator<Record<string, Json>>('PUT', `/orgs/${org.slug}/quotas`, quotas)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const full = (quota: string, limit: number) => ({ status: 409, body: { code: 'quota_exceeded', quota, limit } })

const counted = async (org: TestOrg) => {
  const { body } = await operator<Record<string, { used: number }>>('GET', `/orgs/${org.slug}/quotas`)
  return body.entities?.used
}

describe('N60 quotas', () => {
  it('are shown with what is used of them, set, and brought back', async () => {
    const org = await newOrg()
    await org.make('/items')
    expect(await setQuotas(org, { entities: 7 })).toMatchObject({ entities: { limit: 7, isUsual: false, used: 1 } })
    const back = await setQuotas(org, { entities: null, runsPerDay: 3 })
    expect(back).toMatchObject({
      entities: { limit: QUOTAS.entities, isUsual: true },
      runsPerDay: { limit: 3, isUsual: false, used: 0 },
    })
    const { body } = await operator('GET', `/orgs/${org.slug}/audit?limit=1`)
    expect(body.results).toMatchObject([{ action: 'quotas_set', detail: { runsPerDay: 3 } }])
  })

  it('are set by the operator alone, within bounds, and by name', async () => {
    const org = await newOrg()
    const put = (quotas: Json) => operator('PUT', `/orgs/${org.slug}/quotas`, quotas)
    expect((await put({ entities: QUOTAS_MOST.entities + 1 })).status).toBe(400)
    expect((await put({ entities: -1 })).status).toBe(400)
    expect((await put({ itmes: 5 })).status).toBe(400)
    const own = await call('PUT', `/api/operator/orgs/${org.slug}/quotas`, { body: {}, headers: org.headers })
    expect(own.status).toBe(401)
  })

  it('of entities are kept by single creates, batches and upserts; updates and deletes go on', async () => {
    const org = await newOrg()
    await setQuotas(org, { entities: 3 })
    const [first] = (await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }])).body.results ?? []
    expect(await org.post('/items/batch', [{ name: 'c' }, { name: 'd' }])).toMatchObject(full('entities', 3))
    await org.make('/colors', { name: 'red' })
    expect(await org.post('/items', {})).toMatchObject(full('entities', 3))
    expect(await org.call('POST', '/items/batch?upsertBy=federatedId', { body: [{ federatedId: 'x' }] })).toMatchObject(
      full('entities', 3),
    )
    expect((await org.put(`/items/${first?.id}`, { name: 'z' })).status).toBe(200)
    expect((await org.delete(`/items/${first?.id}`)).status).toBe(204)
    await org.make('/items')
    expect(await counted(org)).toBe(3)
  })

  it('of entities that are lowered below what there is refuse creates alone: updates and deletes go on', async () => {
    const org = await newOrg()
    const made = await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }])
    const [a, b, c] = made.body.results ?? []
    await setQuotas(org, { entities: 1 })
    expect(await org.post('/items', {})).toMatchObject(full('entities', 1))
    expect((await org.put(`/items/${a?.id}`, { name: 'z' })).status).toBe(200)
    expect((await org.put('/items/batch', [{ id: b?.id, name: 'y' }])).status).toBe(200)
    expect((await org.delete(`/items/${a?.id}`)).status).toBe(204)
    expect((await org.call('DELETE', '/items/batch', { body: [b?.id] })).status).toBe(204)
    expect((await org.delete(`/items/${c?.id}`)).status).toBe(204)
    expect(await counted(org)).toBe(1)
    expect(await org.post('/items', {})).toMatchObject(full('entities', 1))
  })

  it('of entities count what there is, whatever was refused or repeated', async () => {
    const org = await newOrg()
    const headers = { 'Idempotency-Key': 'once' }
    for (let at = 0; at < 3; at++) await org.call('POST', '/items', { body: { federatedId: 'a' }, headers })
    expect((await org.post('/items', { federatedId: 'a' })).status).toBe(409)
    expect((await org.post('/items/batch', [{}, { name: 5 }])).status).toBe(400)
    const item = await org.make('/items')
    expect((await org.delete(`/items/${item.id}`)).status).toBe(204)
    expect((await org.delete(`/items/${item.id}`)).status).toBe(404)
    const [row] = (
      await env.DB.prepare("SELECT count(*) AS n FROM entities WHERE org_id = ? AND kind = 'item'").bind(org.id).all()
    ).results
    expect([await counted(org), row?.n]).toEqual([1, 1])
  })

  it('of workflows count those of one trigger key, also of one that moves there', async () => {
    const org = await newOrg()
    await setQuotas(org, { workflowsPerTrigger: 2 })
    const paths = [{ tasks: [{ name: 't', action: 'expression', config: { output: '1' } }] }]
    const make = (triggerKey: string) => org.post('/event-workflows', { name: 'w', triggerKey, paths })
    expect([(await make('a')).status, (await make('a')).status]).toEqual([201, 201])
    expect(await make('a')).toMatchObject(full('workflowsPerTrigger', 2))
    const other = await make('b')
    expect(other.status).toBe(201)
    expect(await org.put(`/event-workflows/${other.body.id}`, { triggerKey: 'a' })).toMatchObject(
      full('workflowsPerTrigger', 2),
    )
    const { body } = await operator('GET', `/orgs/${org.slug}/quotas`)
    expect(body).toMatchObject({ workflowsPerTrigger: { used: 2 } })
  })

  it('of runs refuse a request, and record an event as a run that failed', async () => {
    const org = await newOrg()
    const paths = [{ tasks: [{ name: 't', action: 'wait' }] }]
    await org.make('/event-workflows', { name: 'w', triggerKey: 'go', paths })
    await org.make('/event-workflows', { name: 'on create', triggerKey: 'item|create', paths })
    await setQuotas(org, { runsPerDay: 1 })
    expect((await org.post('/event-workflow-requests', { triggerKey: 'go', event: {} })).status).toBe(201)
    expect(await org.post('/event-workflow-requests', { triggerKey: 'go', event: {} })).toMatchObject(
      full('runsPerDay', 1),
    )
    await org.make('/items')
    await expect
      .poll(
        async () =>
          (await org.get('/event-workflow-processes', { criteria: { triggerKey: 'item|create' } })).body.results,
      )
      .toMatchObject([{ status: 'failed', error: { code: 'quota_exceeded' } }])
  })

  it('of loads count those that wait or run', async () => {
    const org = await newOrg()
    const file = await org.call('POST', '/files?fileName=a.csv', { body: 'a', headers: { 'Content-Type': 'text/csv' } })
    await setQuotas(org, { concurrentLoads: 0 })
    const started = await org.post('/loader-processes', { loadType: ['COLOR'], fileLocation: file.body.id })
    expect(started).toMatchObject(full('concurrentLoads', 0))
  })

  it('of loads count reverts as well: both wait in one line', async () => {
    const org = await newOrg()
    holdLoads()
    await setQuotas(org, { concurrentLoads: 2 })
    const loaded = await start(org, 'federatedId\nA', { loadType: ['COLOR'] })
    const restore = () => org.post('/change-history/restore', { criteria: {}, since: '2020-01-01', dryRun: true })
    expect((await restore()).status).toBe(202)
    expect(await restore()).toMatchObject(full('concurrentLoads', 2))
    await setQuotas(org, { concurrentLoads: null })
    await worked(org, loaded.id)
    await setQuotas(org, { concurrentLoads: 0 })
    expect(await org.post(`/loader-processes/${loaded.id}/revert`, {})).toMatchObject(full('concurrentLoads', 0))
  })

  it('of files count the bytes of all, and of uploads under way', async () => {
    const org = await newOrg()
    await setQuotas(org, { fileBytes: 10 })
    const upload = (text: string) =>
      org.call('POST', '/files?fileName=a.txt', { body: text, headers: { 'Content-Type': 'text/plain' } })
    expect((await upload('12345678')).status).toBe(201)
    expect(await upload('123')).toMatchObject(full('fileBytes', 10))
    const pending = await org.make('/files', { fileName: 'b.txt' })
    const put = (text: string) =>
      org.call('PUT', `/files/${pending.id}/content`, { body: text, headers: { 'Content-Type': 'text/plain' } })
    expect(await put('123')).toMatchObject(full('fileBytes', 10))
    expect((await put('12')).status).toBe(200)
    expect(await org.post('/files', { fileName: 'c.txt' })).toMatchObject(full('fileBytes', 10))
    const { objects } = await env.FILES.list({ prefix: `${org.id}/` })
    expect(objects).toHaveLength(2)
  })
})
