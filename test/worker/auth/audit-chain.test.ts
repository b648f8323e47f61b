// The audit trail as chained lines, taken out over HTTP: what is done to the rows in the database shows in the file.
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { chainTrail, chainTrails } from '../../../src/features/audit/chain.ts'
import { sweepPeople } from '../../../src/features/sign-in/sweep.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { type AuditLine, headIn, verifyChain } from '../../../src/platform/formats/audit-chain.ts'
import { AUDIT_EXPORT_LINES, AUDIT_RETENTION_DAYS } from '../../../src/platform/limits.ts'
import { env, fetchWorker, OPERATOR_KEY, operator } from '../api.ts'
import { type Caller, newTeam, type Team } from '../sign-in/team.ts'

const DAY_MS = 86_400_000
const OWNER = { headers: { 'X-Operator-Key': OPERATOR_KEY } }
const ofOperator = ({ slug }: Team) => `/api/operator/orgs/${slug}/audit/export`

async function exported(caller: Pick<Caller, 'headers'>, query = '', path = '/api/audit/export') {
  const response = await fetchWorker(path + query, { headers: caller.headers })
  expect(response.status).toBe(200)
  const texts = (await response.text()).split('\n').filter(text => text !== '')
  const head = headIn(response.headers.get('Selvedge-Audit-Head') ?? '') ?? { number: -1, digest: '' }
  const isCsv = query.includes('csv')
  return { texts, head, lines: isCsv ? [] : texts.map(text => JSON.parse(text) as AuditLine), response }
}

const verdictOf = async ({ texts, head }: Awaited<ReturnType<typeof exported>>) => verifyChain(texts, [head])

async function teamWithActs(acts: number): Promise<Team> {
  const team = await newTeam()
  for (let act = 0; act < acts; act++) {
    expect((await team.admin.post('/api-keys', { name: `key ${act}`, kind: 'app' })).status).toBe(201)
  }
  return team
}

const change = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run()

describe('an exported trail', () => {
  let team: Team
  beforeAll(async () => {
    team = await teamWithActs(6)
  })

  it('holds every line once, in the order of the acts, chained up to the head', async () => {
    const out = await exported(team.admin)
    const listed = await team.admin.get('/audit?limit=1000')
    expect(out.lines.map(({ id }) => id).sort()).toEqual(listed.body.results?.map(({ id }) => id).sort())
    expect(out.lines.map(({ number }) => number)).toEqual(out.lines.map((_, at) => at + 1))
    expect(out.head).toMatchObject({ number: out.lines.length, digest: out.lines.at(-1)?.digest })
    expect(await verdictOf(out)).toMatchObject({ lines: out.lines.length })
    expect((await verdictOf(out)).fault).toBeUndefined()
    expect(out.response.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(out.lines.every(({ organizationId }) => organizationId === team.id)).toBe(true)
  })

  it('stays as it was while it grows; an earlier head still fits', async () => {
    const before = await exported(team.admin)
    await team.admin.post('/api-keys', { name: 'one more', kind: 'app' })
    const after = await exported(team.admin)
    expect(after.texts.slice(0, before.texts.length)).toEqual(before.texts)
    expect((await verifyChain(after.texts, [before.head, after.head])).fault).toBeUndefined()
    const rest = await exported(team.admin, `?after=${before.head.number}`)
    expect(rest.texts).toEqual(after.texts.slice(before.texts.length))
    expect((await verifyChain(rest.texts, [before.head])).fault).toBeUndefined()
  })

  it('is CSV where that is asked for, with the same lines', async () => {
    const { texts, response } = await exported(team.admin, '?format=csv')
    expect(response.headers.get('Content-Type')).toContain('text/csv')
    expect(texts[0]?.trim()).toMatch(/^number,id,organizationId,createdOn,.*,previousDigest,digest$/)
    expect(texts).toHaveLength((await exported(team.admin)).texts.length + 1)
  })

  it('is for admins alone, and refuses what it does not know', async () => {
    const member = await team.join()
    expect((await member.get('/audit/export')).status).toBe(403)
    expect((await (await team.appKey()).get('/audit/export')).status).toBe(403)
    for (const query of ['?format=xml', '?after=-1', '?after=x', '?limit=1']) {
      expect((await team.admin.get(`/audit/export${query}`)).status, query).toBe(400)
    }
  })

  it('is the same for the operator, whose own trail is chained too', async () => {
    const out = await exported(team.admin)
    expect((await exported(OWNER, '', ofOperator(team))).texts).toEqual(out.texts)
    const gone = await newTeam()
    await (await fetchWorker(`/api/operator/orgs/${gone.slug}/export`, OWNER)).text()
    expect((await operator('DELETE', `/orgs/${gone.slug}`)).status).toBe(204)
    const own = await exported(OWNER, '', '/api/operator/audit/export')
    expect(own.lines.at(-1)).toMatchObject({ action: 'organization_deleted', organizationId: 'operator' })
    expect((await verdictOf(own)).fault).toBeUndefined()
  })

  it('shows what was changed, removed, inserted or cut off in the database', async () => {
    const tampered = async (text: string, ...values: unknown[]) => {
      const own = await teamWithActs(4)
      const { head } = await exported(own.admin)
      await change(text, own.id, ...values)
      return verifyChain((await exported(own.admin)).texts, [head])
    }
    const changed = await tampered("UPDATE audit SET detail = '{}' WHERE org_id = ? AND number = 3")
    expect(changed.fault).toMatchObject({ kind: 'changed', line: 3 })
    const removed = await tampered('DELETE FROM audit WHERE org_id = ? AND number = 2')
    expect(removed.fault).toMatchObject({ kind: 'removed', line: 2 })
    const cut = await tampered('DELETE FROM audit WHERE org_id = ? AND number > 3')
    expect(cut.fault).toMatchObject({ kind: 'cut', line: 4 })
    // A gap that was closed: its line took the number, the next one does not follow.
    const own = await teamWithActs(4)
    await chainTrail(env, own.id)
    await change('DELETE FROM audit WHERE org_id = ? AND number = 2', own.id)
    await change('UPDATE audit SET number = 2 WHERE org_id = ? AND number = 3', own.id)
    expect((await verdictOf(await exported(own.admin))).fault).toMatchObject({ kind: 'changed', line: 2 })
  })
})

describe('chaining', () => {
  it('by many at once comes to one chain', async () => {
    const team = await teamWithActs(5)
    const acts = Array.from({ length: 5 }, (_, act) =>
      team.admin.post('/api-keys', { name: `more ${act}`, kind: 'app' }),
    )
    await Promise.all([...acts, ...Array.from({ length: 8 }, () => chainTrail(env, team.id))])
    const out = await exported(team.admin)
    expect(out.lines).toHaveLength(12)
    expect((await verdictOf(out)).fault).toBeUndefined()
  })

  it('is done by the hour, for all organizations', async () => {
    const [one, other] = [await teamWithActs(1), await teamWithActs(2)]
    const numbers = async ({ admin }: Team) => (await admin.get('/audit')).body.results?.map(({ number }) => number)
    expect(await numbers(other)).toEqual([null, null, null, null])
    await chainTrails(env)
    expect(await numbers(one)).toEqual([3, 2, 1])
    expect(await numbers(other)).toEqual([4, 3, 2, 1])
  })

  /** Longer than a page. */
  async function longTrail(): Promise<{ team: Team; count: number }> {
    const team = await newTeam()
    const count = AUDIT_EXPORT_LINES + 10
    const seeds = Array.from({ length: count }, (_, at) => ({ id: `${team.id}-${at}`, time: at }))
    await change(
      `INSERT INTO audit (id, org_id, created_on, action, actor_type, detail)
        SELECT value ->> '$.id', ?, value ->> '$.time', 'sign_in', 'user', '{}' FROM json_each(?)`,
      team.id,
      JSON.stringify(seeds),
    )
    return { team, count: count + 2 }
  }

  it('reads on where a trail is longer than a page', async () => {
    const { team, count } = await longTrail()
    const out = await exported(team.admin)
    expect(out.lines).toHaveLength(count)
    expect((await verdictOf(out)).fault).toBeUndefined()
  })

  it.each([
    ['jsonl', /^{"problem":"[^"]*broke off[^"]*"}\n$/],
    ['csv', /^(\(broken off\),){12}\(broken off\)\r\n$/],
  ])('that fails says so in a last line that is none of the trail: %s', async (format, last) => {
    const { team } = await longTrail()
    const response = await fetchWorker(`/api/audit/export?format=${format}`, { headers: team.admin.headers })
    const spy = vi.spyOn(Database.prototype, 'all').mockRejectedValue(new Error('the store is gone'))
    onTestFinished(() => spy.mockRestore())
    let text = ''
    const read = async () => {
      for await (const chunk of response.body ?? []) text = new TextDecoder().decode(chunk)
    }
    await expect(read()).rejects.toThrow('the store is gone')
    expect(text).toMatch(last)
  })
})

describe('the sweep', () => {
  it('takes a beginning of the chain, in spite of times that run back, and leaves the last line', async () => {
    const team = await teamWithActs(5)
    const { head } = await exported(team.admin)
    const now = Date.now()
    const old = now - (AUDIT_RETENTION_DAYS + 1) * DAY_MS
    // Lines 1 and 2 are old; line 4 says so, but came behind line 3, which is not.
    await change('UPDATE audit SET latest_on = ? WHERE org_id = ? AND number <= 2', old, team.id)
    await change('UPDATE audit SET created_on = ? WHERE org_id = ? AND number IN (1, 2, 4)', old, team.id)
    await sweepPeople(env, now)
    const left = await exported(team.admin)
    expect(left.lines.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7])
    await chainTrails(env)
    await sweepPeople(env, now + (AUDIT_RETENTION_DAYS + 1) * DAY_MS)
    const last = await exported(OWNER, '', ofOperator(team))
    expect(last.head).toEqual(head)
    expect(last.lines.map(({ number }) => number)).toEqual([head.number])
    await operator('PUT', `/orgs/${team.slug}`, { name: 'Later' })
    const later = await exported(OWNER, '', ofOperator(team))
    expect(later.lines.map(({ number }) => number)).toEqual([head.number, head.number + 1])
    expect((await verifyChain(later.texts, [head, later.head])).fault).toBeUndefined()
  })
})
