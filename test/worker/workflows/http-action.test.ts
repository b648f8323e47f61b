import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { OUTBOUND_ANSWER_MAX_BYTES } from '../../../src/platform/limits.ts'
import { call, env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { outside } from '../outside.ts'
import { callBack, expression, processesOf, processWith, request, tasksOf, workflow } from './runs.ts'

afterEach(() => vi.restoreAllMocks())

describe('the http action', () => {
  const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`

  async function configured(): Promise<TestOrg> {
    const org = await newOrg()
    await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, {
      url: `https://erp.example.com/${org.slug}/`,
      auth: { kind: 'hmac', secret: SECRET },
    })
    return org
  }

  const http = (more: Json = {}, config: Json = {}) => ({
    name: 'call',
    action: 'http',
    ...more,
    config: { endpoint: 'erp', path: '/items/{event.id}', body: { id: '{event.id}' }, ...config },
  })

  it('N35 calls a configured endpoint and keeps its answer as output', async () => {
    const org = await configured()
    const world = outside(org.slug)
    world.answer(() => Response.json({ price: 5 }))
    await workflow(org, [http()])
    const [process] = await request(org, 'go', { id: 'A1' })
    const ended = await processWith(org, process?.id ?? '', 'complete')
    expect(ended.taskOutputs).toEqual({ call: { status: 200, body: { price: 5 } } })
    expect(world.calls).toHaveLength(1)
    expect(world.calls[0]).toMatchObject({ url: `https://erp.example.com/${org.slug}/items/A1`, method: 'POST' })
    expect(world.calls[0]?.json()).toEqual({ id: 'A1', type: 'workflow|call' })
  })

  it('N60 keeps as much of a long answer as may be read, and says that it is cut', async () => {
    const org = await configured()
    outside(org.slug).answer(() => Response.json({ text: 'x'.repeat(OUTBOUND_ANSWER_MAX_BYTES) }))
    await workflow(org, [http()])
    const [process] = await request(org, 'go', { id: 'A1' })
    const ended = await processWith(org, process?.id ?? '', 'complete')
    const { call: output } = ended.taskOutputs as { call: { body: string } }
    expect(output).toMatchObject({ status: 200, truncated: true })
    expect(output.body).toHaveLength(OUTBOUND_ANSWER_MAX_BYTES)
    const [task] = await tasksOf(org, process?.id ?? '')
    expect(JSON.stringify(task?.logs)).toContain('was not read')
  })

  it('N38 is not called again where its callback came before the next try', async () => {
    const org = await configured()
    const world = outside(org.slug)
    world.answer(async sent => {
      const { taskId } = sent.json()
      expect((await callBack(org, { taskId, status: 'SUCCESS', output: { by: 'them' } })).status).toBe(202)
      return new Response('later', { status: 503 })
    })
    await workflow(org, [http({ async: true })])
    const [process] = await request(org, 'go', { id: 'A1' })
    const ended = await processWith(org, process?.id ?? '', 'complete')
    expect(ended.taskOutputs).toEqual({ call: { by: 'them' } })
    expect(world.calls).toHaveLength(1)
  })

  it('N39 is given a callback address without a double slash, however PUBLIC_URL ends', async () => {
    const org = await configured()
    const world = outside(org.slug)
    env.PUBLIC_URL = 'https://data.example.com/api/'
    onTestFinished(() => {
      delete env.PUBLIC_URL
    })
    await workflow(org, [http({ async: true })])
    const [process] = await request(org, 'go', { id: 'A1' })
    await processWith(org, process?.id ?? '', 'awaiting')
    expect(world.calls[0]?.json().callbackUrl).toBe('https://data.example.com/api/external-events/callback/')
  })

  it('N37 that fails tells why on its run', async () => {
    const org = await configured()
    outside(org.slug).answer(() => new Response('no', { status: 404 }))
    await workflow(org, [http()])
    const [process] = await request(org, 'go', { id: 'A1' })
    const ended = await processWith(org, process?.id ?? '', 'failed')
    expect(ended.error).toEqual({ code: 'task_failed', detail: 'call: Endpoint erp answered 404.' })
  })

  it('N37 keeps its answer where a subtext was set while it was called', async () => {
    const org = await configured()
    const world = outside(org.slug)
    await workflow(org, [http(), expression('after', '1')])
    const processes = request(org, 'go', { id: 'A1' })
    world.answer(async () => {
      const [process] = await processes
      const tasks = await tasksOf(org, process?.id ?? '')
      for (const { id } of tasks) {
        expect((await org.put(`/event-workflow-tasks/${id}`, { subtext: 'half' })).status).toBe(200)
      }
      return Response.json({ price: 5 })
    })
    const [process] = await processes
    const ended = await processWith(org, process?.id ?? '', 'complete')
    expect(ended.taskOutputs).toMatchObject({ call: { status: 200, body: { price: 5 } } })
    expect(world.calls).toHaveLength(1)
    expect(await tasksOf(org, process?.id ?? '')).toMatchObject([{ subtext: 'half' }, { subtext: 'half' }])
  })

  it('N60 says that it is a call, whatever the body says, where events are sent too', async () => {
    const org = await configured()
    const world = outside(org.slug)
    await workflow(org, [http({}, { body: { type: 'item|delete', data: {} } })])
    const [process] = await request(org, 'go', { id: 'A1' })
    await processWith(org, process?.id ?? '', 'complete')
    expect(world.calls[0]?.json()).toEqual({ type: 'workflow|call', data: {} })
  })

  it('N60 leaves the type of a body alone where no events are sent, and calls nothing that is for events alone', async () => {
    const org = await configured()
    const world = outside(org.slug)
    const allow = (allowedFor: string) =>
      operator('PUT', `/orgs/${org.slug}/endpoints/erp`, {
        url: `https://erp.example.com/${org.slug}/`,
        auth: { kind: 'hmac', secret: SECRET },
        allowedFor,
      })
    await allow('workflows')
    await workflow(org, [http({}, { body: { type: 'order' } })])
    const [first] = await request(org, 'go', { id: 'A1' })
    await processWith(org, first?.id ?? '', 'complete')
    expect(world.calls[0]?.json()).toEqual({ type: 'order' })
    await allow('events')
    const [second] = await request(org, 'go', { id: 'A1' })
    await processWith(org, second?.id ?? '', 'failed')
    const [task] = await tasksOf(org, second?.id ?? '')
    expect(JSON.stringify(task?.logs)).toContain('allowed for events alone')
    expect(world.calls).toHaveLength(1)
  })

  it('N39 gives an async call a token for its own callback, good for that task alone', async () => {
    const org = await configured()
    const world = outside(org.slug)
    await workflow(org, [http({ async: true })])
    const [process] = await request(org, 'go', { id: 'A1' })
    await processWith(org, process?.id ?? '', 'awaiting')
    const sent = world.calls[0]?.json() ?? {}
    const [task] = await tasksOf(org, process?.id ?? '')
    expect(sent).toMatchObject({ id: 'A1', taskId: task?.id })
    expect(sent.callbackUrl).toBe('https://selvedge.test/api/external-events/callback/')
    const withToken = (body: Json) =>
      call('POST', new URL(String(sent.callbackUrl)).pathname, {
        body,
        headers: { Authorization: `Bearer ${sent.callbackToken}` },
      })
    const free = await org.make('/event-workflow-tasks', { name: 'other', async: true })
    expect((await withToken({ taskId: free.id, status: 'SUCCESS' })).status).toBe(404)
    const forged = `Bearer ${String(sent.callbackToken).slice(0, -3)}AAA`
    const body = { taskId: task?.id, status: 'SUCCESS' }
    const headers = { Authorization: forged }
    expect((await call('POST', '/api/external-events/callback/', { body, headers })).status).toBe(401)
    expect(
      (await call('GET', '/api/items', { headers: { Authorization: `Bearer ${sent.callbackToken}` } })).status,
    ).toBe(401)
    expect((await withToken({ taskId: task?.id, status: 'SUCCESS', output: { ok: true } })).status).toBe(200)
    expect((await processWith(org, process?.id ?? '', 'complete')).taskOutputs).toEqual({
      call: { status: 200, body: 'ok', ok: true },
    })
  })

  it('N38 keeps a callback that comes while the call still runs (202), and applies it when the task waits', async () => {
    const org = await configured()
    const world = outside(org.slug)
    const early: { status: number; repeat: number; other: number }[] = []
    world.answer(async sent => {
      const body = { taskId: String(sent.json().taskId), status: 'SUCCESS', output: { early: true } }
      early.push({
        status: (await callBack(org, body)).status,
        repeat: (await callBack(org, body)).status,
        other: (await callBack(org, { ...body, status: 'FAILURE' })).status,
      })
      return new Response('ok')
    })
    await workflow(org, [http({ async: true }), expression('after', { saw: '{taskOutputs.call.early}' })])
    const [process] = await request(org, 'go', { id: 'A1' })
    const ended = await processWith(org, process?.id ?? '', 'complete')
    expect(early).toEqual([{ status: 202, repeat: 202, other: 409 }])
    expect(ended.taskOutputs).toMatchObject({ after: { saw: true } })
  })

  it('N35 tries again when the endpoint is down, with the same webhook-id, and fails on a refusal', async () => {
    const org = await configured()
    const world = outside(org.slug)
    world.answer((_, count) => new Response('', { status: count < 3 ? 503 : 422 }))
    await workflow(org, [http()])
    const [process] = await request(org, 'go', { id: 'A1' })
    await processWith(org, process?.id ?? '', 'failed')
    expect(world.calls).toHaveLength(3)
    expect(new Set(world.calls.map(sent => sent.headers.get('webhook-id'))).size).toBe(1)
    const [task] = await tasksOf(org, process?.id ?? '')
    expect(String(task?.logs)).toMatch(/answered 422\.$/)
  })

  it('N41 fails the task for an endpoint that is not configured, and for a path that climbs out', async () => {
    const org = await configured()
    outside(org.slug)
    await workflow(org, [http({}, { endpoint: 'nowhere' })])
    const [missing] = await request(org, 'go', { id: 'A1' })
    await processWith(org, missing?.id ?? '', 'failed')
    const second = await org.make('/event-workflows', { triggerKey: 'climb', paths: [{ tasks: [http()] }] })
    const [climbing] = await request(org, 'climb', { id: '../../admin' })
    await eventually(
      () => processesOf(org, second.id),
      found => found[0]?.status === 'failed',
    )
    expect((await tasksOf(org, climbing?.id ?? ''))[0]?.logs).toEqual([expect.stringContaining('leads out')])
  })
})
