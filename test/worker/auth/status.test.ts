// The operator's look at the deployment, dead letters, the line of a request, and what is counted. // N62
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../../../src/app.ts'
import { sweepDeadLetters } from '../../../src/features/operator/dead-letters.ts'
import { keepDeadLetter } from '../../../src/features/operator/dead-letters-store.ts'
import { countIn } from '../../../src/features/operator/status-store.ts'
import { insertDeliveries } from '../../../src/features/outbound/store.ts'
import worker from '../../../src/index.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { call, env, newOrg, OPERATOR_KEY, operator } from '../api.ts'

const key = { 'X-Operator-Key': OPERATOR_KEY }

/** As the queue hands it over after the last try. */
async function giveUp(body: unknown, id = newId(), changed: object = {}) {
  const batch = createMessageBatch('selvedge-staging-dead-letters', [{ id, timestamp: new Date(), attempts: 1, body }])
  const context = createExecutionContext()
  await worker.queue(batch, { ...env, ...changed })
  expect((await getQueueResult(batch, context)).explicitAcks).toEqual([id])
  return id
}

const lettersOf = async (slug: string) => {
  const { body } = await operator('GET', '/dead-letters?limit=1000')
  return body.results?.filter(({ organization }) => organization === slug) ?? []
}

describe('N62 the status of the deployment', () => {
  it('is told to the operator alone, at both addresses', async () => {
    const { status, body } = await operator('GET', '/status')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ok', missingBindings: [], loads: { waiting: expect.any(Number) } })
    expect(body.checks).toMatchObject([
      { name: 'database', isOk: true },
      { name: 'DATA_01', isOk: true },
      { name: 'files', isOk: true },
    ])
    const deep = await call('GET', '/health?deep=1', { headers: key })
    expect(deep.body).toMatchObject({ status: 'ok', organizations: { total: expect.any(Number) } })
    expect((await call('GET', '/health?deep=1')).status).toBe(401)
    expect((await call('GET', '/health?deep=1')).body).not.toHaveProperty('organizations')
  })

  it('counts the newest deliveries where there are too many', async () => {
    const org = await newOrg()
    const [since, db] = [Date.now() + 1_000_000, databaseFor(env, org.id)]
    const row = (endpointName: string) => ({ id: newId(), endpointName, triggerKey: 'x', payload: '{}', depth: 0 })
    await db.batch(insertDeliveries(org.id, [row('old')], since, since))
    await env.DB.prepare(`UPDATE deliveries SET status = 'failed' WHERE org_id = ?`).bind(org.id).run()
    await db.batch(insertDeliveries(org.id, [row('new')], since + 1, since))
    expect((await countIn(db, since, 1)).sent).toEqual([{ status: 'pending', deliveries: 1 }])
  })

  it('is degraded where the bucket does not answer', async () => {
    const FILES = { head: () => Promise.reject(new Error('R2 is away')) }
    const context = createExecutionContext()
    const answer = await app.request('/api/operator/status', { headers: key }, { ...env, FILES }, context)
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      checks: [{ isOk: true }, { isOk: true }, { name: 'files', isOk: false }],
    })
  })

  it('names the database that does not answer, and tells what the others know', async () => {
    await newOrg()
    const away = () => {
      throw new Error('D1 is away')
    }
    const broken = { ...env, DATA_01: { withSession: away, prepare: away } }
    const answer = await app.request('/api/operator/status', { headers: key }, broken, createExecutionContext())
    const body = await answer.json<{ organizations: { total: number } }>()
    expect(body).toMatchObject({
      status: 'degraded',
      checks: [{ name: 'database', isOk: true }, { name: 'DATA_01', isOk: false }, { isOk: true }],
    })
    expect(body.organizations.total).toBeGreaterThan(0)
  })
})

describe('N62 dead letters', () => {
  it('are kept once, listed, and sent again', async () => {
    const org = await newOrg()
    const id = await giveUp({ kind: 'delivery', orgId: org.id, id: 'AAAAAAAAAAAAAAAA' })
    await giveUp({ kind: 'delivery', orgId: org.id, id: 'AAAAAAAAAAAAAAAA' }, id)
    expect(await lettersOf(org.slug)).toMatchObject([{ id, kind: 'delivery', subjectId: 'AAAAAAAAAAAAAAAA' }])
    expect((await operator('POST', `/dead-letters/${id}/replay`)).status).toBe(204)
    expect(await lettersOf(org.slug)).toEqual([])
    expect((await operator('POST', `/dead-letters/${id}/replay`)).status).toBe(404)
  })

  it('are listed though this release does not know their kind, and not sent again', async () => {
    const org = await newOrg()
    const wakeUp = JSON.stringify({ kind: 'later', orgId: org.id, id: 'A' })
    const row = { id: newId(), orgId: org.id, wakeUp, createdOn: Date.now() }
    await keepDeadLetter(env, row)
    expect(await lettersOf(org.slug)).toMatchObject([{ id: row.id, kind: 'later', subjectId: 'A' }])
    expect((await operator('POST', `/dead-letters/${row.id}/replay`)).status).toBe(409)
    expect(await lettersOf(org.slug)).toHaveLength(1)
  })

  it('are forgotten after their time', async () => {
    const org = await newOrg()
    await giveUp({ kind: 'recover', orgId: org.id })
    const days = 86_400_000
    await sweepDeadLetters(env, Date.now() + 89 * days)
    expect(await lettersOf(org.slug)).toHaveLength(1)
    await sweepDeadLetters(env, Date.now() + 91 * days)
    expect(await lettersOf(org.slug)).toEqual([])
  })
})

describe('N62 a request of a deployed Worker', () => {
  const deployed = async (where: string, headers: Record<string, string>, changed: object = {}) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    try {
      const production = { ...env, ENVIRONMENT: 'production', ...changed }
      const answer = await app.request(
        `https://selvedge.test${where}`,
        { headers },
        production,
        createExecutionContext(),
      )
      return {
        answer,
        lines: log.mock.calls.map(([line]) => JSON.parse(String(line))),
        text: log.mock.calls.join('\n'),
      }
    } finally {
      log.mockRestore()
    }
  }

  it('is one line of the log: who, which route, what it cost, and nothing that was sent', async () => {
    const org = await newOrg()
    const where = '/api/items?criteria={"name":"a secret name"}'
    const { answer, lines, text } = await deployed(where, { ...org.headers, 'X-Request-Id': 'the-request' })
    expect(answer.status).toBe(200)
    expect(lines).toEqual([
      {
        message: 'request',
        requestId: 'the-request',
        organization: org.slug,
        method: 'GET',
        route: '/items',
        status: 200,
        ms: expect.any(Number),
        d1Calls: 1,
        d1Ms: expect.any(Number),
        rowsRead: expect.any(Number),
        rowsWritten: 0,
      },
    ])
    expect(text).not.toContain('secret name')
    for (const value of Object.values(org.headers).filter(value => value !== org.slug))
      expect(text).not.toContain(value)
    const refused = await deployed('/api/trigger-webhooks/a-secret-address', {})
    expect(refused.text).not.toContain('a-secret-address')
  })

  it('is counted where the deployment has bound a dataset, and a dataset that fails holds up nobody', async () => {
    const org = await newOrg()
    const writeDataPoint = vi.fn()
    await deployed('/api/items', org.headers, { ANALYTICS: { writeDataPoint } })
    const point = writeDataPoint.mock.calls[0]?.[0]
    expect(point).toMatchObject({ indexes: [org.id], blobs: ['request', 'GET', '/items', '200'] })
    expect(point.doubles).toHaveLength(4)
    await giveUp({ kind: 'events', orgId: org.id }, newId(), { ANALYTICS: { writeDataPoint } })
    expect(writeDataPoint.mock.calls.map(([{ blobs }]) => blobs[0])).toEqual(['request', 'queue_age', 'dead_letter'])
    const broken = {
      writeDataPoint: () => {
        throw new Error('away')
      },
    }
    expect((await deployed('/api/items', org.headers, { ANALYTICS: broken })).answer.status).toBe(200)
  })
})
