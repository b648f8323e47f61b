// N57: an organization that is written and read all the time goes to another database and back.
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { moveTo, rowsOf } from './moving.ts'

/** Others have their turn. */
const breath = () => scheduler.wait(50)

const isRefused = ({ status }: { status: number }) => status === 503

/** Writes one item after the other, each until it is taken, under its key. */
async function write(org: TestOrg, writer: string, isOver: () => boolean): Promise<string[]> {
  const written: string[] = []
  for (let n = 0; !isOver(); n++) {
    await breath()
    const name = `${writer}-${n}`
    const send = () =>
      org.call('POST', '/items', { body: { name, federatedId: name }, headers: { 'Idempotency-Key': name } })
    const answer = await eventually(send, one => !isRefused(one))
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    written.push(name)
    const changed = await eventually(
      () => org.put(`/items/${answer.body.id}`, { round: n }),
      one => !isRefused(one),
    )
    expect(changed.status).toBe(200)
    if (n % 3 === 2) {
      const gone = await eventually(
        () => org.delete(`/items/${answer.body.id}`),
        one => !isRefused(one),
      )
      expect([204, 404]).toContain(gone.status)
      written.pop()
    }
  }
  return written
}

/** Polls by sync key until all writers are done and nothing comes any more. */
async function poll(org: TestOrg, isOver: () => boolean): Promise<Json[]> {
  const seen: Json[] = []
  let after: unknown = ''
  for (;;) {
    await breath()
    const wasOver = isOver()
    const { status, body } = await org.get('/change-history', { after, limit: 50 })
    expect(status).toBe(200)
    seen.push(...(body.results ?? []))
    after = body.syncKey
    if (wasOver && body.results?.length === 0) return seen
  }
}

/** Walks the list page by page, again and again. */
async function walk(org: TestOrg, isOver: () => boolean): Promise<number> {
  let walks = 0
  for (; !isOver(); walks++) {
    await breath()
    const names: unknown[] = []
    for (let nextPageKey: unknown; nextPageKey !== null; ) {
      const { status, body } = await org.get('/items', { limit: 20, ...(nextPageKey !== undefined && { nextPageKey }) })
      expect(status).toBe(200)
      names.push(...(body.results ?? []).map(({ name }) => name))
      nextPageKey = body.nextPageKey
    }
    expect(new Set(names).size).toBe(names.length)
  }
  return walks
}

describe('a move under load (N57)', () => {
  it('there and back: nothing is lost, nothing comes twice, every key is valid', async () => {
    const org = await newOrg()
    await org.post(
      '/items/batch',
      Array.from({ length: 300 }, (_, n) => ({ name: `before-${n}`, federatedId: `before-${n}` })),
    )
    const task = await org.make('/event-workflow-tasks', { name: 'waits', async: true, timeoutSeconds: 5000 })
    const file = await org.call('POST', '/files?fileName=a.csv', {
      body: `federatedId,name\n${Array.from({ length: 400 }, (_, n) => `c${n},Color ${n}`).join('\n')}\n`,
      headers: { 'Content-Type': 'text/csv' },
    })
    let isOver = false
    const over = () => isOver
    let isWritten = false
    const writing = Promise.all(['one', 'two'].map(name => write(org, name, over))).finally(() => {
      isWritten = true
    })
    const work = Promise.all([writing, poll(org, () => isWritten), walk(org, over)])
    const { body: load } = await org.post('/loader-processes', { loadType: ['COLOR'], fileLocation: file.body.id })
    const moves: Json[] = []
    try {
      for (const database of ['DATA_01', 'DB']) moves.push(await moveTo(org, database))
    } finally {
      isOver = true
    }
    const [written, seen, walks] = await work
    expect(moves).toMatchObject([{ state: 'complete' }, { state: 'complete' }])
    const loaded = await eventually(
      () => org.get(`/loader-processes/${load.id}`),
      ({ body }) => body.endedOn != null,
    )
    expect(loaded.body.status).toBe('completed')
    const names = new Set(written.flat())
    const { results } = (await org.get('/items', { limit: 1000 })).body
    expect(results?.map(({ name }) => name).sort()).toEqual(
      [...names, ...Array.from({ length: 300 }, (_, n) => `before-${n}`)].sort(),
    )
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const stored = (await rowsOf('DB', org.id)).filter(row => row.startsWith('changes '))
    expect(seen.length).toBeLessThanOrEqual(stored.length)
    expect(seen.filter(({ entityType }) => entityType === 'item').length).toBe(
      stored.filter(row => row.includes('"entity_type":"item"')).length,
    )
    expect((await org.get('/colors', { limit: 1000 })).body.results).toHaveLength(400)
    const callback = await org.post('/external-events/callback/', { taskId: task.id, status: 'SUCCESS' })
    expect(callback).toMatchObject({ status: 200, body: { status: 'complete' } })
    expect(walks).toBeGreaterThan(0)
    console.log(`writes were refused for ${moves.map(({ stoppedMs }) => stoppedMs).join(' and ')} ms`)
  })
})
