import { describe, expect, it } from 'vitest'
import { env, type Json } from '../api.ts'
import { holdClock } from '../clock.ts'
import { Caller, newTeam, type SignedIn, type Team } from './team.ts'

const withKey = (team: Team, key: unknown) => new Caller({ 'X-Api-Key': String(key), 'X-Api-Org': team.slug })

async function issue(person: SignedIn, body: object): Promise<Json & { id: string }> {
  const answer = await person.post('/api-keys', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body as Json & { id: string }
}

const idsOf = async (caller: Caller) => (await caller.get('/api-keys')).body.results?.map(key => key.id)

describe('keys in the hands of people', () => {
  it('N10 a member makes, sees, rotates and revokes their own user keys', async () => {
    const team = await newTeam()
    const member = await team.join()
    const made = await issue(member, { name: 'laptop', scope: 'read' })
    expect(made).toMatchObject({ kind: 'user', userId: member.id, scope: 'read', createdById: member.id })
    expect(made.key).toMatch(/^user:[A-Za-z0-9]{42}$/)
    const listed = await member.get('/api-keys')
    expect(listed.body.results).toHaveLength(1)
    expect(listed.body.results?.[0]).not.toHaveProperty('key')
    expect(listed.body.results?.[0]).not.toHaveProperty('digest')
    const key = withKey(team, made.key)
    expect((await key.get('/auth/me')).body).toMatchObject({ user: { id: member.id, role: 'member' }, scope: 'read' })
    expect((await key.post('/items', { name: 'x' })).body.code).toBe('read_only_key')
    expect((await member.delete(`/api-keys/${made.id}`)).status).toBe(204)
    expect((await key.get('/auth/me')).status).toBe(401)
    expect((await member.delete(`/api-keys/${made.id}`)).status).toBe(404)
  })

  it('N10 makes an app key for an admin who says nothing else, and a user key for a member', async () => {
    const team = await newTeam()
    expect(await issue(team.admin, { name: 'sync' })).toMatchObject({ kind: 'app', userId: null })
    expect(await issue(await team.join(), { name: 'mine' })).toMatchObject({ kind: 'user' })
  })

  it('N10 a member neither sees nor touches the keys of others, and makes no app keys', async () => {
    const team = await newTeam()
    const [member, other] = [await team.join(), await team.join()]
    const foreign = await issue(other, { name: 'other' })
    const app = await issue(team.admin, { name: 'app', kind: 'app' })
    expect(await idsOf(member)).toEqual([])
    for (const { id } of [foreign, app]) {
      expect((await member.delete(`/api-keys/${id}`)).status).toBe(404)
      expect((await member.post(`/api-keys/${id}/rotate`, {})).status).toBe(404)
    }
    expect((await member.post('/api-keys', { name: 'app', kind: 'app' })).status).toBe(403)
    expect((await withKey(team, foreign.key).get('/auth/me')).status).toBe(200)
  })

  it("N61 an admin rotates app keys and their own, but nobody else's: its holder would be that person", async () => {
    const team = await newTeam()
    const member = await team.join()
    const [foreign, own] = [
      await issue(member, { name: 'member' }),
      await issue(team.admin, { name: 'own', kind: 'user' }),
    ]
    const refused = await team.admin.post(`/api-keys/${foreign.id}/rotate`, {})
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body.detail).toContain('Revoke it')
    expect((await withKey(team, foreign.key).get('/auth/me')).status).toBe(200)
    expect((await team.admin.post(`/api-keys/${own.id}/rotate`, {})).status).toBe(201)
  })

  it('N10 an admin manages all keys of the organization, and none of another', async () => {
    const [team, elsewhere] = [await newTeam(), await newTeam()]
    const member = await team.join()
    const own = await issue(member, { name: 'member' })
    const app = await issue(team.admin, { name: 'app', kind: 'app' })
    expect(await idsOf(team.admin)).toEqual(expect.arrayContaining([own.id, app.id]))
    expect(await idsOf(elsewhere.admin)).toEqual([])
    expect((await elsewhere.admin.delete(`/api-keys/${own.id}`)).status).toBe(404)
    expect((await team.admin.delete(`/api-keys/${own.id}`)).status).toBe(204)
    expect((await withKey(team, own.key).get('/auth/me')).status).toBe(401)
  })

  it('N9 an app key made by an admin belongs to the organization and never raises its rate tier', async () => {
    const team = await newTeam()
    const app = await issue(team.admin, { name: 'app', kind: 'app' })
    expect(app).toMatchObject({ kind: 'app', userId: null, tier: null })
    expect((await team.admin.post('/api-keys', { name: 'app', kind: 'app', tier: 'internal' })).status).toBe(400)
    expect((await withKey(team, app.key).post('/items', { name: 'x' })).status).toBe(201)
  })

  it('N9 rotation keeps the old key working for the overlap, and no longer', async () => {
    const team = await newTeam()
    const old = await issue(team.admin, { name: 'app', kind: 'app', scope: 'read' })
    const rotated = await team.admin.post(`/api-keys/${old.id}/rotate`, { overlapSeconds: 60 })
    expect(rotated.status).toBe(201)
    expect(rotated.body).toMatchObject({ name: 'app', kind: 'app', scope: 'read', revokedOn: null, lastUsedOn: null })
    expect(rotated.body.key).not.toBe(old.key)
    expect((await withKey(team, old.key).get('/auth/me')).status).toBe(200)
    expect((await withKey(team, rotated.body.key).get('/auth/me')).status).toBe(200)
    const listed = (await team.admin.get('/api-keys')).body.results?.find(key => key.id === old.id)
    expect(listed).toMatchObject({ replacedById: rotated.body.id })
    expect(Date.parse(String(listed?.revokedOn)) - Date.now()).toBeGreaterThan(50_000)
    expect((await team.admin.post(`/api-keys/${old.id}/rotate`, {})).status).toBe(409)
    expect((await team.admin.delete(`/api-keys/${old.id}`)).status).toBe(204)
    expect((await withKey(team, old.key).get('/auth/me')).status).toBe(401)
  })

  it('N9 the overlap ends on time, also for who remembers the old key', async () => {
    const team = await newTeam()
    const old = await issue(team.admin, { name: 'app', kind: 'app' })
    const clock = holdClock()
    expect((await team.admin.post(`/api-keys/${old.id}/rotate`, { overlapSeconds: 5 })).status).toBe(201)
    const status = async () => (await withKey(team, old.key).get('/auth/me')).status
    expect(await status()).toBe(200)
    clock.forward(4999)
    expect(await status()).toBe(200)
    clock.forward(1)
    expect(await status()).toBe(401)
  })

  it('N9 without an overlap the old key ends at once; of simultaneous rotations one wins', async () => {
    const team = await newTeam()
    const old = await issue(team.admin, { name: 'app', kind: 'app' })
    expect((await withKey(team, old.key).get('/auth/me')).status).toBe(200)
    const rotate = () => team.admin.post(`/api-keys/${old.id}/rotate`, { overlapSeconds: 0 })
    const answers = await Promise.all([rotate(), rotate(), rotate()])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
    expect((await withKey(team, old.key).get('/auth/me')).status).toBe(401)
    expect(await idsOf(team.admin)).toHaveLength(2)
  })

  it('N9 a key that ends at this very moment has ended: it is neither rotated nor revoked', async () => {
    const team = await newTeam()
    holdClock()
    const old = await issue(team.admin, { name: 'app', kind: 'app' })
    const rotate = () => team.admin.post(`/api-keys/${old.id}/rotate`, { overlapSeconds: 0 })
    expect((await rotate()).status).toBe(201)
    expect((await rotate()).status).toBe(409)
    expect((await team.admin.delete(`/api-keys/${old.id}`)).status).toBe(404)
    expect((await withKey(team, old.key).get('/auth/me')).status).toBe(401)
  })

  it('N10 no key makes, rotates or manages anything: that needs somebody who has signed in', async () => {
    const team = await newTeam()
    const made = await issue(team.admin, { name: 'mine', kind: 'user' })
    const mine = withKey(team, made.key)
    const app = await team.appKey()
    for (const key of [mine, app]) {
      expect((await key.post('/api-keys', { name: 'x' })).status).toBe(403)
      expect((await key.post(`/api-keys/${made.id}/rotate`, {})).status).toBe(403)
      expect((await key.post('/invitations', { email: 'a@b.example' })).status).toBe(403)
      expect((await key.put(`/users/${team.admin.id}`, { role: 'member' })).status).toBe(403)
    }
    expect((await app.get('/api-keys')).status).toBe(403)
    expect((await app.get('/users')).status).toBe(403)
    expect((await app.get('/audit')).status).toBe(403)
    expect((await mine.get('/api-keys')).status).toBe(200)
    expect((await mine.get('/audit')).status).toBe(200)
  })

  it('refuses an end in the past, and says when there are too many keys, those of a rotation and its overlap included', async () => {
    const team = await newTeam()
    const member = await team.join()
    const own = await issue(member, { name: 'own' })
    const past = await member.post('/api-keys', { name: 'x', expiresOn: '2020-01-01T00:00:00Z' })
    expect(past.body.errors).toMatchObject([{ path: '/expiresOn' }])
    await env.DB.prepare(
      `INSERT INTO credentials (id, org_id, kind, user_id, name, start, digest, scope, created_on, created_by_id)
        SELECT 'many-' || value, ?1, 'user', ?2, 'many', 'user:', 'many-' || value, 'read', 1, ?2
        FROM json_each(?3)`,
    )
      .bind(team.id, member.id, JSON.stringify(Array.from({ length: 49 }, (_, at) => at)))
      .run()
    expect((await member.post('/api-keys', { name: 'x' })).status).toBe(409)
    const rotate = (overlapSeconds: number) => member.post(`/api-keys/${own.id}/rotate`, { overlapSeconds })
    expect((await rotate(60)).status).toBe(409)
    expect((await rotate(0)).status).toBe(201)
  })

  it('N9 shows when a key was last used, to the hour, and never before it was made', async () => {
    const team = await newTeam()
    const made = await issue(team.admin, { name: 'used', kind: 'app' })
    expect(made.lastUsedOn).toBeNull()
    await withKey(team, made.key).get('/auth/me')
    await expect
      .poll(async () => (await team.admin.get('/api-keys')).body.results?.find(key => key.id === made.id)?.lastUsedOn)
      .toBe(made.createdOn)
    const hour = Date.parse(String(made.createdOn)) + 3_600_000
    await env.DB.prepare('UPDATE credentials SET last_used_on = ?1 WHERE id = ?2').bind(hour, made.id).run()
    const [key] = (await team.admin.get('/api-keys')).body.results?.filter(({ id }) => id === made.id) ?? []
    expect(key?.lastUsedOn).toBe(new Date(hour).toISOString())
  })
})
