import { describe, expect, it } from 'vitest'
import { fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

describe('users', () => {
  it('prints the link of an invitation alone, this once', async () => {
    const invitation = {
      id: 'v1',
      email: 'new@b.c',
      expiresOn: '2999-01-01T00:00:00.000Z',
      acceptUrl: 'https://host/x',
    }
    const server = await fakeServer(() => ({ status: 201, json: invitation }))
    const { command } = await bench(server)
    const { stdout, stderr } = await command(['users', 'invite', 'new@b.c', '--role', 'admin'])
    expect(stdout).toBe('https://host/x\n')
    expect(stderr).toContain('this once')
    expect(server.asked[0]).toMatchObject({ path: '/api/invitations', json: { email: 'new@b.c', role: 'admin' } })
    expect((await command(['users', 'invite', 'new@b.c', '--role', 'king'])).code).toBe(2)
  })

  it('lists, changes roles, removes', async () => {
    const member = { id: 'u1', email: 'a@b.c', role: 'member', joinedOn: '2026-01-01T00:00:00.000Z' }
    const server = await fakeServer(({ method }) => {
      if (method === 'DELETE') return { status: 204 }
      return { json: method === 'PUT' ? member : { results: [member], nextPageKey: null } }
    })
    const { command } = await bench(server)
    expect((await command(['users', 'list'])).stdout).toBe('u1\ta@b.c\tmember\t2026-01-01T00:00:00.000Z\n')
    await command(['users', 'role', 'u1', 'member'])
    await command(['users', 'remove', 'u1'])
    expect(server.asked.map(each => [each.method, each.path, each.json])).toEqual([
      ['GET', '/api/users', undefined],
      ['PUT', '/api/users/u1', { role: 'member' }],
      ['DELETE', '/api/users/u1', undefined],
    ])
  })

  it('lists the sessions of a member and ends one', async () => {
    const session = { id: 's1', method: 'password', isCurrent: false }
    const server = await fakeServer(({ method }) =>
      method === 'DELETE' ? { status: 204 } : { json: { results: [session], nextPageKey: null } },
    )
    const { command } = await bench(server)
    expect((await command(['users', 'sessions', '--user', 'u1'])).stdout).toBe('s1\tpassword\t\t\t\tfalse\n')
    expect((await command(['users', 'end-session', 's1'])).stderr).toBe('The session s1 has ended.\n')
    expect(server.asked.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['GET', '/api/auth/sessions', { userId: 'u1' }],
      ['DELETE', '/api/auth/sessions/s1', {}],
    ])
  })

  it('changes the own password without showing it', async () => {
    const server = await fakeServer(() => ({ status: 204 }))
    const { command } = await bench(server)
    const ran = await command(['password'], { terminal: 80, answers: { Present: 'old one', New: 'new one' } })
    expect(ran.code).toBe(0)
    expect(ran.stderr).not.toMatch(/old one|new one/)
    expect(server.asked[0]).toMatchObject({
      method: 'PUT',
      path: '/api/auth/password',
      json: { currentPassword: 'old one', newPassword: 'new one' },
    })
  })
})
