// A caller may hold back the body of a call until long after it was let in. What has ended meanwhile has ended for it, too.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as bodies from '../../../src/platform/http/bounded-body.ts'
import { CREDENTIAL_CACHE_MS } from '../../../src/platform/limits.ts'
import { env, type Json, newOrg, ORIGIN, operator, send } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { Caller, newEmail, newTeam, PASSWORD, signIn } from './team.ts'

/** Let in, and held there: `goOn` sends the rest, and gives the status of the answer. */
async function letIn(who: Caller, method: string, path: string, body: unknown): Promise<() => Promise<number>> {
  // JSON is read whole, an upload in chunks.
  const readers = [vi.spyOn(bodies, 'requestBytes').mockClear(), vi.spyOn(bodies, 'requestChunks').mockClear()]
  onTestFinished(() => {
    for (const reader of readers) reader.mockRestore()
  })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const begun = writer.write(bytes.slice(0, 1))
  const headers = { ...who.headers, 'Content-Type': 'application/json' }
  const { response, settled } = send(new Request(`${ORIGIN}/api${path}`, { method, headers, body: readable }))
  await eventually(
    async () => readers.reduce((count, reader) => count + reader.mock.calls.length, 0),
    calls => calls > 0,
  )
  return async () => {
    await begun
    await writer.write(bytes.slice(1))
    await writer.close()
    const { status } = await response
    await settled()
    return status
  }
}

const rolesOf = async (admin: Caller) => ((await admin.get('/users')).body.results ?? []).map(({ role }) => role).sort()

describe('N61 a call whose body comes after the end of its session', () => {
  it('issues no key, where the person has another password by now', async () => {
    const { slug, join } = await newTeam()
    const person = await join()
    const thief = await signIn(slug, person.email)
    const goOn = await letIn(thief, 'POST', '/api-keys', { name: 'mine', kind: 'user' })
    const changed = await person.put('/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'a quite new password',
    })
    expect([changed.status, (await thief.get('/auth/me')).status]).toEqual([204, 401])
    expect(await goOn()).toBe(401)
    expect((await person.get('/api-keys')).body.results).toEqual([])
  })

  it('invites nobody', async () => {
    const { admin, join } = await newTeam()
    const bad = await join('admin')
    const goOn = await letIn(bad, 'POST', '/invitations', { email: newEmail(), role: 'admin' })
    const { body } = await admin.get<Json>(`/auth/sessions?userId=${bad.id}`)
    for (const { id } of body.results ?? []) await admin.delete(`/auth/sessions/${id}`)
    const before = (await admin.get('/invitations')).body
    expect(await goOn()).toBe(401)
    expect((await admin.get('/invitations')).body).toEqual(before)
  })

  it('changes no role', async () => {
    const { admin, join } = await newTeam()
    const [bad, friend] = [await join('admin'), await join()]
    const goOn = await letIn(bad, 'PUT', `/users/${friend.id}`, { role: 'admin' })
    expect((await admin.delete(`/users/${bad.id}`)).status).toBe(204)
    expect(await goOn()).toBe(401)
    expect(await rolesOf(admin)).toEqual(['admin', 'member'])
  })
})

describe('N9 a call whose body comes after the end of its key', () => {
  it('writes nothing once a credential is remembered no longer', async () => {
    const org = await newOrg()
    const goOn = await letIn(new Caller(org.headers), 'POST', '/items', { name: 'late' })
    const { body } = await operator<Json>('GET', `/orgs/${org.slug}/api-keys`)
    for (const { id } of body.results ?? []) await operator('DELETE', `/orgs/${org.slug}/api-keys/${id}`)
    holdClock().forward(CREDENTIAL_CACHE_MS + 1)
    expect(await goOn()).toBe(401)
  })

  it('N83 uploads nothing once a credential is remembered no longer', async () => {
    const org = await newOrg()
    const goOn = await letIn(new Caller(org.headers), 'POST', '/files?fileName=late.txt', { late: true })
    const { body } = await operator<Json>('GET', `/orgs/${org.slug}/api-keys`)
    for (const { id } of body.results ?? []) await operator('DELETE', `/orgs/${org.slug}/api-keys/${id}`)
    holdClock().forward(CREDENTIAL_CACHE_MS + 1)
    expect(await goOn()).toBe(401)
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
  })
})
