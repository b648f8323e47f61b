import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, LoadError, sendCallback } from '../../src/clients/typescript/index.ts'
import { fakeServer, problem, type Reply } from './fake-server.ts'

const issue = {
  rowNumber: 3,
  columnName: 'price',
  message: 'not a number',
  issueType: 'INVALID_DATA',
  severity: 'error',
}

function loading(...looks: Record<string, unknown>[]) {
  let look = 0
  return fakeServer((asked): Reply => {
    if (asked.path === '/api/files') return { status: 201, json: { id: 'f1' } }
    if (asked.path === '/api/files/f1/content') return { json: { id: 'f1', size: 3 } }
    if (asked.path === '/api/loader-processes/check') return { json: { columns: null, issues: [] } }
    if (asked.path === '/api/loader-processes') return { status: 202, json: { id: 'l1', status: 'pending' } }
    return { json: { id: 'l1', ...looks[Math.min(look++, looks.length - 1)] } }
  })
}

describe('loads', () => {
  it('runs: uploads, sets fileLocation, starts, tells progress, gives the finished process', async () => {
    const server = await loading({ status: 'running', progress: { percent: 40 } }, { status: 'completed', results: {} })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const seen: unknown[] = []
    const done = await client.loads.run({
      file: { content: 'a,b', fileName: 'a.csv', contentType: 'text/csv' },
      config: { loadType: ['ITEM'], federatedMappings: { name: 'Style' } },
      onProgress: process => seen.push(process.status),
    })
    expect(done.status).toBe('completed')
    expect(seen).toEqual(['running', 'completed'])
    expect(server.asked.map(each => each.path).slice(0, 4)).toEqual([
      '/api/loader-processes/check',
      '/api/files',
      '/api/files/f1/content',
      '/api/loader-processes',
    ])
    const started = server.asked[3]
    expect(started?.json).toEqual({ loadType: ['ITEM'], federatedMappings: { name: 'Style' }, fileLocation: 'f1' })
  })

  it('N81 tells what is wrong with the configuration before it uploads anything', async () => {
    const fault = { path: '/federatedMappings', message: 'Expected an object.' }
    const server = await fakeServer(() => problem(400, 'invalid_input', { errors: [fault] }))
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const config = { loadType: ['ITEM'], fileLocation: 'of-last-time' } as const
    const file = { content: 'a,b', fileName: 'a.csv' }
    await expect(client.loads.run({ file, config })).rejects.toMatchObject({ status: 400, errors: [fault] })
    expect(await client.loads.check({ config })).toEqual([fault])
    const check = { path: '/api/loader-processes/check', json: { loadType: ['ITEM'] } }
    expect(server.asked).toMatchObject([check, check])
    expect(server.asked.map(each => each.json)).toEqual([check.json, check.json])
    const refused = await fakeServer(() => problem(403, 'read_only_key'))
    const reader = connect({ baseUrl: refused.baseUrl, apiKey: 'k', orgSlug: 'o' })
    await expect(reader.loads.check({ config })).rejects.toMatchObject({ status: 403 })
    const unreadable = await fakeServer(() => problem(400, 'invalid_json'))
    const other = connect({ baseUrl: unreadable.baseUrl, apiKey: 'k', orgSlug: 'o' })
    await expect(other.loads.check({ config })).rejects.toMatchObject({ status: 400 })
  })

  it('fails with the process and its issues', async () => {
    const server = await loading({ status: 'failed', failureArea: 'VALIDATING_DATA', issues: [issue] })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const error = await client.loads.run({ config: { loadType: ['ITEM'], fileLocation: 'f9' } }).catch(reason => reason)
    expect(error).toBeInstanceOf(LoadError)
    expect(error).toMatchObject({ issues: [issue], process: { id: 'l1', failureArea: 'VALIDATING_DATA' } })
    expect(error.message).toContain('not a number')
    expect(server.asked[0]?.json).toMatchObject({ fileLocation: 'f9' })
  })

  it('cancels', async () => {
    const server = await loading({ status: 'cancelled', issues: [] })
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    expect((await client.loads.cancel({ id: 'l1' })).status).toBe('cancelled')
    expect(server.asked[0]).toMatchObject({ method: 'POST', path: '/api/loader-processes/l1/cancel' })
  })
})

describe('waiting', () => {
  it.each(['loads', 'reverts', 'workflows'] as const)('for %s ends at the signal of the client', async what => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const [aborter, reason] = [new AbortController(), new Error('changed my mind')]
    const { signal } = aborter
    const running = async () => Response.json({ id: 'p1', status: 'running' })
    const client = connect({ baseUrl: 'https://host/api', apiKey: 'k', orgSlug: 'o', fetch: running, signal })
    const onProgress = () => void setImmediate(() => aborter.abort(reason))
    await expect(client[what].wait({ id: 'p1', onProgress })).rejects.toBe(reason)
  })
})

describe('workflows and tasks', () => {
  it('requests a run and waits for its end', async () => {
    const states = ['active', 'awaiting', 'complete']
    const server = await fakeServer(asked =>
      asked.method === 'POST'
        ? { status: 201, json: { results: [{ id: 'p1' }] } }
        : { json: { id: 'p1', status: states.shift() } },
    )
    const client = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const { results } = await client.workflows.request({ triggerKey: 'nightly', event: { a: 1 } })
    expect(server.asked[0]).toMatchObject({
      path: '/api/event-workflow-requests',
      json: { triggerKey: 'nightly', event: { a: 1 } },
    })
    expect((await client.workflows.wait({ id: results[0]?.id ?? '' })).status).toBe('complete')
  })

  it('makes a waiting task, sets its subtext, calls it back', async () => {
    const server = await fakeServer(() => ({ json: { id: 't1', status: 'awaiting' } }))
    const { tasks } = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    await tasks.create({ name: 'try', timeoutSeconds: 60 })
    await tasks.setSubtext({ id: 't1', subtext: 'half way' })
    await tasks.callback({ taskId: 't1', status: 'SUCCESS', logs: ['a', 'b'], output: { n: 1 }, subtext: 'done' })
    expect(server.asked.map(each => [each.method, each.path, each.json])).toEqual([
      ['POST', '/api/event-workflow-tasks', { name: 'try', async: true, timeoutSeconds: 60 }],
      ['PUT', '/api/event-workflow-tasks/t1', { subtext: 'half way' }],
      [
        'POST',
        '/api/external-events/callback/',
        { taskId: 't1', status: 'SUCCESS', logs: ['a', 'b'], output: { n: 1 }, subtext: 'done' },
      ],
    ])
  })

  it('calls back with the token a task handed out (N39)', async () => {
    const server = await fakeServer((_asked, nth) => (nth === 0 ? 'break' : { json: { id: 't1', status: 'complete' } }))
    const callbackUrl = `${server.baseUrl}/external-events/callback/`
    await sendCallback({ callbackUrl, callbackToken: 'once', taskId: 't1', status: 'SUCCESS' })
    expect(server.asked).toHaveLength(2)
    expect(server.asked[1]).toMatchObject({
      path: '/api/external-events/callback/',
      headers: { authorization: 'Bearer once' },
      json: { taskId: 't1', status: 'SUCCESS' },
    })
    const wrong = sendCallback({ callbackUrl: 'https://x/y', callbackToken: 'once', taskId: 't1', status: 'SUCCESS' })
    await expect(wrong).rejects.toThrow(TypeError)
  })

  it('tells the recorded outcome when another callback has won (N38)', async () => {
    const server = await fakeServer(() => problem(409, 'task_not_awaiting', { task: { status: 'failed' } }))
    const { tasks } = connect({ baseUrl: server.baseUrl, apiKey: 'k', orgSlug: 'o' })
    const error = tasks.callback({ taskId: 't1', status: 'SUCCESS' })
    await expect(error).rejects.toMatchObject({ status: 409, body: { task: { status: 'failed' } } })
  })
})
