// What the check of a load leaves behind: itself with its file, or nothing (N55).
import { describe, expect, it, vi } from 'vitest'
import { sweepLoads } from '../../../src/features/loads/sweep.ts'
import { env, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { ended, holdLoads } from '../loads/loading.ts'
import { Agent } from './agent.ts'

const DAY_MS = 24 * 3600 * 1000

const CHECK = { configuration: { loadType: ['COLOR'] }, csv: 'federatedId,name\nred,Red\n' }

/** Names of the files and loads that there are, contents of files, and uploads that the audit trail tells of. */
async function left(org: TestOrg) {
  const names = async (path: string) => (await org.get(path)).body.results?.map(({ name }) => name)
  const audit = (await operator('GET', `/orgs/${org.slug}/audit`)).body.results as Json[]
  return {
    files: await names('/files'),
    loads: await names('/loader-processes'),
    contents: (await env.FILES.list({ prefix: `${org.id}/files/` })).objects.length,
    uploads: audit.filter(({ action }) => action === 'file_uploaded').length,
  }
}

const ONE = { files: ['agent.csv'], loads: ['Load of agent.csv'], contents: 1, uploads: 1 }
const NOTHING = { files: [], loads: [], contents: 0, uploads: 0 }

describe('N55 the check of a load', () => {
  it('is made once under an Idempotency-Key, however often and at whatever time it is sent', async () => {
    const org = await newOrg()
    // Each begins to count its messages anew, and sends the same bytes.
    const check = (input: Json = CHECK) =>
      new Agent({ ...org.headers, 'Idempotency-Key': 'check-1' }).call('check_load', input)
    const [first, ...others] = [...(await Promise.all([check(), check()])), await check()]
    expect(first?.value).toMatchObject({ load: { status: 'completed', results: { color: { created: 1 } } } })
    for (const other of others) expect(other.value.loadId).toBe(first?.value.loadId)
    const otherText = await check({ ...CHECK, csv: 'federatedId,name\nblue,Blue\n' })
    expect([otherText.isError, otherText.value.code]).toEqual([true, 'idempotency_key_reused'])
    expect(await left(org)).toEqual(ONE)
  })

  it('that is refused leaves no file', async () => {
    const org = await newOrg()
    const agent = new Agent(org.headers)
    const configured = await agent.call('check_load', { ...CHECK, configuration: { loadType: ['COLOUR'] } })
    expect([configured.value.code, configured.text]).toEqual(['invalid_input', expect.stringMatching(/^Nothing was/)])
    expect(await left(org)).toEqual(NOTHING)
    for (const quotas of [{ fileBytes: 10 }, { fileBytes: null, concurrentLoads: 0 }]) {
      expect((await operator('PUT', `/orgs/${org.slug}/quotas`, quotas)).status).toBe(200)
      expect((await agent.call('check_load', CHECK)).value.code).toBe('quota_exceeded')
      expect(await left(org)).toEqual(NOTHING)
    }
  })

  it('goes with its file after 90 days, but for one that a load reads by then', async () => {
    const org = await newOrg()
    const agent = new Agent(org.headers)
    const ids: string[] = []
    for (const _ of [1, 2]) ids.push(String((await agent.value('check_load', CHECK)).loadId))
    const [{ fileLocation: gone }, { fileLocation: read }] = [
      await ended(org, ids[0] ?? ''),
      await ended(org, ids[1] ?? ''),
    ]
    holdLoads()
    expect((await org.post('/loader-processes', { loadType: ['COLOR'], fileLocation: read })).status).toBe(202)
    await sweepLoads(env, Date.now() + 89 * DAY_MS)
    expect((await org.get(`/files/${gone}`)).status).toBe(200)
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined)
    await sweepLoads(env, Date.now() + 91 * DAY_MS)
    for (const id of ids) expect((await org.get(`/loader-processes/${id}`)).status).toBe(404)
    expect((await org.get(`/files/${gone}`)).status).toBe(404)
    expect(await env.FILES.head(`${org.id}/files/${gone}`)).toBeNull()
    expect((await org.get(`/files/${read}/content`)).status).toBe(200)
  })
})
