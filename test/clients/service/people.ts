// People, their keys and single sign-on, against the real service and a real identity provider.

import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect, login, Operator } from '../../../src/clients/typescript/index.ts'
import { bench } from '../cli/command.ts'
import { browse, identityProvider } from './identity-provider.ts'
import type { Service } from './start.ts'

export function people(started: () => Service): void {
  describe('people', () => {
    let admin: Client
    beforeAll(async () => {
      admin = await login(started().admin)
    })

    it('signs in with email and password, and is told a wrong one with 401', async () => {
      expect(admin.session?.user).toMatchObject({ email: started().admin.email, role: 'admin' })
      expect(await admin.me()).toMatchObject({ credential: { kind: 'session' }, role: 'admin', scope: 'write' })
      await expect(login({ ...started().admin, password: 'wrong' })).rejects.toMatchObject({ status: 401 })
    })

    it('makes, rotates and revokes keys', async () => {
      const { baseUrl, orgSlug } = started().admin
      const made = await admin.keys.create({ name: 'robot', kind: 'app', scope: 'read' })
      const robot = await login({ baseUrl, orgSlug, apiKey: made.key })
      expect(await robot.me()).toMatchObject({ credential: { kind: 'app' }, user: null, scope: 'read' })
      const next = await admin.keys.rotate({ id: made.id, overlapSeconds: 0 })
      await login({ baseUrl, orgSlug, apiKey: next.key })
      await admin.keys.delete({ id: next.id })
      await expect(login({ baseUrl, orgSlug, apiKey: next.key })).rejects.toMatchObject({ status: 401 })
      expect((await admin.keys.list()).results.map(each => each.name)).toContain('robot')
    })

    it('invites, lists and removes people', async () => {
      const invited = await admin.people.invite({ email: 'new@demo.example' })
      expect(invited.acceptUrl).toContain(invited.token)
      expect((await admin.people.invitations()).results).toMatchObject([{ email: 'new@demo.example' }])
      await admin.people.revokeInvitation({ id: invited.id })
      expect((await admin.people.list()).results).toMatchObject([{ email: started().admin.email }])
      expect((await admin.people.audit({ limit: 5 })).results.length).toBeGreaterThan(0)
    })

    it('signs out', async () => {
      const session = (await login(started().admin)).session
      const again = connect({ ...started().admin, accessToken: session?.accessToken ?? '' })
      await again.logout()
      await expect(again.me()).rejects.toMatchObject({ status: 401 })
    })
  })

  describe('single sign-on from the command line (N11)', () => {
    it('ends with a session of the person who signed in at the provider', async () => {
      const { baseUrl, orgSlug, email } = started().admin
      const operator = new Operator(started().operator)
      const { id } = await operator.getOrg({ slug: orgSlug })
      const provider = await identityProvider(`${baseUrl}/auth/sso/callback/${id}`)
      await operator.setIdentityProvider({ slug: orgSlug, ...provider })
      const own = await bench()
      const words = ['login', '--base-url', baseUrl, '--org', orgSlug, '--sso']
      const { code, stderr } = await own.command(words, { browse: address => void browse(address, email) })
      expect(code, stderr).toBe(0)
      const { stdout } = await own.command(['whoami', '--json'])
      expect(JSON.parse(stdout)).toMatchObject({ kind: 'session', user: email, role: 'admin' })
      const stranger = await own.command(words, { browse: address => void browse(address, 'stranger@else.example') })
      expect(stranger.code).toBe(1)
      expect(stranger.stderr).toContain('Single sign-on failed')
    })
  })
}
