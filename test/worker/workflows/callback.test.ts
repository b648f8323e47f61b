import { describe, expect, it } from 'vitest'
import { TASK } from '../../../src/features/workflows/kind.ts'
import { background } from '../../../src/platform/background.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { call, env, newOrg, type TestOrg } from '../api.ts'
import { callBack, type Found } from './runs.ts'

const ISO_LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /

async function freeTask(org: TestOrg): Promise<Found> {
  return (await org.make('/event-workflow-tasks', { name: 'try', async: true, timeoutSeconds: 600 })) as Found
}

describe('the callback of an async task', () => {
  it('N37 completes a free-standing task in two calls', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    expect(task).toMatchObject({ status: 'awaiting', async: true, logs: [], output: {} })
    const answer = await callBack(org, {
      taskId: task.id,
      status: 'SUCCESS',
      logs: ['one', 'two'],
      output: { a: 1 },
      subtext: 'done',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: task.id, status: 'complete', output: { a: 1 }, subtext: 'done' })
    expect(answer.body.logs).toEqual([
      expect.stringMatching(new RegExp(`${ISO_LINE.source}one$`)),
      expect.stringMatching(new RegExp(`${ISO_LINE.source}two$`)),
    ])
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body).toEqual(answer.body)
  })

  it('N38 fails a task on FAILURE, and takes a logs string as one line', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const answer = await callBack(org, { taskId: task.id, status: 'FAILURE', logs: 'broken' })
    expect(answer.body).toMatchObject({ status: 'failed' })
    expect(answer.body.logs).toEqual([expect.stringMatching(/Z broken$/)])
  })

  it('N38 answers an identical repeat with the stored result, and another body with 409 and the outcome', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const first = await callBack(org, { taskId: task.id, status: 'SUCCESS', output: { a: 1, b: { c: 1, d: 2 } } })
    const repeat = await callBack(org, { output: { b: { d: 2, c: 1 }, a: 1 }, status: 'SUCCESS', taskId: task.id })
    expect(repeat.status).toBe(200)
    expect(repeat.body).toEqual(first.body)
    const other = await callBack(org, { taskId: task.id, status: 'FAILURE' })
    expect(other.status).toBe(409)
    expect(other.body).toMatchObject({
      code: 'task_not_awaiting',
      taskId: task.id,
      outcome: { status: 'complete', by: 'callback', endedOn: first.body.endedOn },
    })
  })

  it('N38 is 409 where the record was cancelled before the object was there to be told', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const context = background(env, org, { id: 'x', type: 'app' })
    await commit(context, [{ op: 'update', kind: TASK, id: task.id, patch: { status: 'cancelled' } }])
    const answer = await callBack(org, { taskId: task.id, status: 'SUCCESS', output: { a: 1 } })
    expect(answer).toMatchObject({ status: 409, body: { outcome: { status: 'cancelled' } } })
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body).toMatchObject({ status: 'cancelled', output: {} })
  })

  it('N38 lets exactly one of 40 simultaneous different callbacks win', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        callBack(org, { taskId: task.id, status: n % 2 ? 'SUCCESS' : 'FAILURE', logs: `line ${n}`, output: { n } }),
      ),
    )
    const won = answers.filter(answer => answer.status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(answer => answer.status === 409)).toHaveLength(39)
    const stored = (await org.get(`/event-workflow-tasks/${task.id}`)).body
    expect(stored).toEqual(won[0]?.body)
    expect(stored.logs).toHaveLength(1)
    for (const { status, body } of answers) if (status === 409) expect(body.outcome?.status).toBe(stored.status)
  })

  it('N38 answers 40 simultaneous identical callbacks with 200 and one line of logs', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const body = { taskId: task.id, status: 'SUCCESS', logs: 'once', output: { n: 1 } }
    const answers = await Promise.all(Array.from({ length: 40 }, () => callBack(org, body)))
    expect(answers.map(answer => answer.status)).toEqual(Array(40).fill(200))
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body)
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body.logs).toHaveLength(1)
  })

  it('N38 costs one D1 round trip besides the object', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const { headers } = await callBack(org, { taskId: task.id, status: 'SUCCESS' })
    expect(headers.get('Server-Timing')).toContain('round trips: 0')
  })

  it('N38 keeps the last 1,000 lines', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const logs = Array.from({ length: 1500 }, (_, n) => `line ${n}`)
    const { body } = await callBack(org, { taskId: task.id, status: 'SUCCESS', logs })
    expect(body.logs).toHaveLength(1000)
    expect((body.logs as string[]).at(-1)).toMatch(/ line 1499$/)
  })

  it('N8 accepts a bearer token of the organization', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const issued = await call<{ accessToken: string }>('POST', `/api/operator/orgs/${org.slug}/tokens`, {
      body: { name: 'callback' },
      headers: { 'X-Operator-Key': 'operator-key-of-the-tests-0123456789' },
    })
    const answer = await call('POST', '/api/external-events/callback/', {
      body: { taskId: task.id, status: 'SUCCESS' },
      headers: { Authorization: `bearer ${issued.body.accessToken}` },
    })
    expect(answer.status).toBe(200)
  })
})

describe('a callback that is refused', () => {
  it('N38 is to come again where the task has begun and its object is not there yet', async () => {
    const org = await newOrg()
    const id = newId()
    const data = { typePath: TASK.name, name: 't', action: 'wait', async: true, status: 'active', output: {}, logs: [] }
    await commit(background(env, org, { id: 'x', type: 'app' }), [{ op: 'create', kind: TASK, id, data }])
    const answer = await callBack(org, { taskId: id, status: 'SUCCESS' })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
  })

  it('N38 gives 404 for an unknown task and for one of another organization, and appends nothing', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const task = await freeTask(org)
    for (const taskId of ['AAAAAAAAAAAAAAAA', 'no such task', '../x']) {
      const unknown = await callBack(org, { taskId, status: 'SUCCESS' })
      expect(unknown).toMatchObject({ status: 404, body: { detail: 'There is no such task.' } })
    }
    const foreign = await callBack(other, { taskId: task.id, status: 'SUCCESS', logs: 'x' })
    expect(foreign.status).toBe(404)
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body).toEqual(task)
  })

  it('N38 gives 400 for bad statuses, wrong types and unknown properties, every fault at once', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const answer = await callBack(org, { taskId: task.id, status: 'done', logs: 7, output: [], subtext: 1, extra: 1 })
    expect(answer.status).toBe(400)
    const paths = (answer.body.errors as { path: string }[]).map(({ path }) => path).sort()
    expect(paths).toEqual(['/extra', '/logs', '/output', '/status', '/subtext'])
    expect((await callBack(org, { status: 'SUCCESS' })).status).toBe(400)
    expect((await callBack(org, { taskId: task.id })).status).toBe(400)
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body).toEqual(task)
  })

  it('N43 gives 413 for an output that is too large and for a body that is', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const large = await callBack(org, { taskId: task.id, status: 'SUCCESS', output: { text: 'x'.repeat(200_000) } })
    expect(large.status).toBe(413)
    const huge = await callBack(org, { taskId: task.id, status: 'SUCCESS', output: { text: 'x'.repeat(1_100_000) } })
    expect(huge.status).toBe(413)
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body).toEqual(task)
    expect((await callBack(org, { taskId: task.id, status: 'SUCCESS' })).status).toBe(200)
  })

  it('N9 refuses a key that may only read', async () => {
    const org = await newOrg({ scope: 'read' })
    expect((await callBack(org, { taskId: 'AAAAAAAAAAAAAAAA', status: 'SUCCESS' })).status).toBe(403)
  })
})

describe('the subtext of a task', () => {
  it('N40 is all that PUT sets; state fields that differ are 400', async () => {
    const org = await newOrg()
    const task = await freeTask(org)
    const set = await org.put(`/event-workflow-tasks/${task.id}`, { subtext: 'halfway' })
    expect(set.status).toBe(200)
    expect(set.body).toMatchObject({ subtext: 'halfway', status: 'awaiting' })
    expect((await org.put(`/event-workflow-tasks/${task.id}`, { ...set.body, subtext: 'nearly' })).status).toBe(200)
    const refused = await org.put(`/event-workflow-tasks/${task.id}`, { subtext: 'x', status: 'complete', mine: 1 })
    expect(refused.status).toBe(400)
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path)).toEqual(['/status', '/mine'])
    expect((await org.put('/event-workflow-tasks/AAAAAAAAAAAAAAAA', { subtext: 'x' })).status).toBe(404)
    const late = { body: {}, headers: { 'If-Match': '"1"' } }
    expect((await org.call('PUT', `/event-workflow-tasks/${task.id}`, late)).status).toBe(412)
    expect((await org.get(`/event-workflow-tasks/${task.id}`)).body.subtext).toBe('nearly')
  })
})
