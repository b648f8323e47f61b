// What the audit trail tells of files: once, and as surely as it has happened.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bringLines, chainTrails } from '../../../src/features/audit/chain.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { countIn, second } from '../db/second-database.ts'
import { eventually } from '../eventually.ts'

const bytes = { 'Content-Type': 'application/octet-stream' }
const upload = (org: TestOrg, headers = {}) =>
  org.call('POST', '/files?fileName=a.txt', { body: 'one', headers: { ...bytes, ...headers } })

async function linesOf(org: TestOrg): Promise<unknown[][]> {
  const { body } = await operator('GET', `/orgs/${org.slug}/audit`)
  const lines = body.results?.filter(({ action }) => String(action).startsWith('file_')) ?? []
  return lines.map(({ action, subjectId, detail }) => [action, subjectId, detail]).reverse()
}

/** Before lines are added, by a commit or from another database. */
function beforeLines(act: () => unknown): void {
  const { batch } = Database.prototype
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    if (statements.some(({ sql }) => /^insert into "audit"/i.test(sql))) await act()
    return batch.call(this, statements) as never
  })
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => {
    spy.mockRestore()
    quiet.mockRestore()
  })
}

const fail = () => {
  throw new Error('D1_ERROR: Network connection lost.')
}

describe('the audit trail of files', () => {
  it.each(['DB', 'DATA_01'])('has one line for each act, whichever way the content came (%s)', async database => {
    const org = await newOrg({}, database)
    const { body } = await upload(org)
    const [put, parts] = [await org.make('/files', { fileName: 'b' }), await org.make('/files', { fileName: 'c' })]
    await org.call('PUT', `/files/${put.id}/content`, { body: 'two', headers: bytes })
    await org.call('POST', `/files/${parts.id}/parts?partNumber=1`, { body: 'four', headers: bytes })
    await org.post(`/files/${parts.id}/complete`, undefined)
    await org.post(`/files/${parts.id}/complete`, undefined)
    await org.delete(`/files/${put.id}`)
    await org.delete(`/files/${put.id}`)
    const all = [
      ['file_uploaded', body.id, { fileName: 'a.txt', size: 3 }],
      ['file_uploaded', put.id, { fileName: 'b', size: 3 }],
      ['file_uploaded', parts.id, { fileName: 'c', size: 4 }],
      ['file_deleted', put.id, { fileName: 'b' }],
    ]
    expect(
      await eventually(
        () => linesOf(org),
        lines => lines.length === all.length,
      ),
    ).toEqual(all)
    expect(await countIn(second, 'audit', org.id)).toBe(0)
  })

  it('has none of a repeat under the same Idempotency-Key', async () => {
    const org = await newOrg()
    const ids = new Set<unknown>()
    for (let at = 0; at < 3; at++) ids.add((await upload(org, { 'Idempotency-Key': 'k' })).body.id)
    expect([ids.size, (await linesOf(org)).length]).toEqual([1, 1])
  })

  it('has it where the first try failed: nothing has happened then', async () => {
    const org = await newOrg()
    const { body } = await upload(org)
    let fails = 2
    beforeLines(() => fails-- > 0 && fail())
    expect((await org.delete(`/files/${body.id}`)).status).toBe(503)
    expect((await upload(org)).status).toBe(503)
    expect((await org.get('/files')).body.results).toHaveLength(1)
    expect((await org.delete(`/files/${body.id}`)).status).toBe(204)
    expect((await linesOf(org)).map(line => line.slice(0, 2))).toEqual([
      ['file_uploaded', body.id],
      ['file_deleted', body.id],
    ])
  })

  it('gets what lies in another database, once, although nobody could bring it at first', async () => {
    const org = await newOrg({}, 'DATA_01')
    let step = 0
    beforeLines(() => {
      step++
      // With the commit it lies there; then the directory is away.
      if (step === 2) fail()
      // Who is late has read it before it went, and adds it after.
      if (step === 3) return bringLines(env, 'DATA_01', org.id)
    })
    const { status, body } = await upload(org)
    await expect.poll(() => step).toBe(2)
    expect([status, await linesOf(org), await countIn(second, 'audit', org.id)]).toEqual([201, [], 1])
    await chainTrails(env)
    expect(await linesOf(org)).toEqual([['file_uploaded', body.id, { fileName: 'a.txt', size: 3 }]])
    expect([step, await countIn(second, 'audit', org.id)]).toEqual([4, 0])
    const { results } = await env.DB.prepare('SELECT number FROM audit WHERE subject_id = ?').bind(body.id).all()
    expect(results).toEqual([{ number: expect.any(Number) }])
  })
})
