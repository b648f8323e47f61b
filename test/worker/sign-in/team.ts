// An organization with an admin, and people who call in its name. Each person calls from an address of their own, so that
// the limits of one test do not reach another.
import { expect } from 'vitest'
import { hashPassword } from '../../../src/features/auth/password.ts'
import { beginSession } from '../../../src/features/sign-in/sessions.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Answer, type CallOptions, call, env, type Json, operator } from '../api.ts'

export const PASSWORD = 'correct horse battery staple'

let made = 0

export const newAddress = () => `10.0.${Math.floor(++made / 250)}.${(made % 250) + 1}`

export const newEmail = (name = 'person') => `${name}-${crypto.randomUUID().slice(0, 8)}@people.example`

export class Caller {
  readonly headers: Record<string, string>

  constructor(headers: Record<string, string>) {
    this.headers = { 'CF-Connecting-IP': newAddress(), ...headers }
  }

  call<T = Json>(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answer<T>> {
    return call<T>(method, `/api${path}`, { body, headers: { ...this.headers, ...headers } })
  }
  get<T = Json>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path)
  }
  post<T = Json>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call<T>('POST', path, { body })
  }
  put<T = Json>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call<T>('PUT', path, { body })
  }
  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path)
  }
}

export class SignedIn extends Caller {
  readonly id: string
  readonly email: string
  readonly token: string

  constructor(session: Session) {
    super({ Authorization: `Bearer ${session.accessToken}` })
    this.id = session.user.id
    this.email = session.user.email
    this.token = session.accessToken
  }
}

export interface Session {
  accessToken: string
  expiresOn: string
  user: { id: string; email: string; role: string }
  org: { id: string; slug: string; name: string }
}

export const stranger = () => new Caller({})

export async function signIn(slug: string, email: string, password = PASSWORD): Promise<SignedIn> {
  const answer = await stranger().post<Session>('/auth/login', { email, password, orgSlug: slug })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return new SignedIn(answer.body)
}

export interface Team {
  slug: string
  id: string
  admin: SignedIn
  /** Somebody invited by the admin, who has accepted. */
  join(role?: 'admin' | 'member'): Promise<SignedIn>
  /** An app key of the operator. */
  appKey(): Promise<Caller>
  actions(): Promise<string[]>
}

let passwordHash: string | undefined

/** The admin is put into the tables as the operator and a sign-in would have it, without the hashing that takes so long. */
export async function newTeam(): Promise<Team> {
  const slug = `team-${crypto.randomUUID().slice(0, 12)}`
  const created = await operator<{ id: string }>('POST', '/orgs', {
    slug,
    name: 'Team',
    tier: 'internal',
    database: 'DB',
  })
  expect(created.status).toBe(201)
  const org = { id: created.body.id, slug, name: 'Team' }
  const user = { id: newId(), email: newEmail('admin'), role: 'admin' } as const
  passwordHash ??= await hashPassword(PASSWORD, async () => {})
  await env.DB.batch([
    env.DB.prepare('INSERT INTO users (id, email, created_on) VALUES (?, ?, ?)').bind(user.id, user.email, Date.now()),
    env.DB.prepare(
      "INSERT INTO memberships (org_id, user_id, role, password_hash, created_on) VALUES (?, ?, 'admin', ?, ?)",
    ).bind(org.id, user.id, passwordHash, Date.now()),
  ])
  const context = { env, now: Date.now(), requestId: '', baseUrl: '', defer: () => undefined }
  const admin = new SignedIn(await beginSession(context, { ...user, org }, 'password'))
  return {
    slug,
    id: org.id,
    admin,
    async join(role = 'member') {
      const { body } = await admin.post<{ token: string }>('/invitations', { email: newEmail(), role })
      const joined = await stranger().post<Session>('/invitations/accept', { token: body.token, password: PASSWORD })
      expect(joined.status, JSON.stringify(joined.body)).toBe(201)
      return new SignedIn(joined.body)
    },
    async appKey() {
      const { body } = await operator<{ key: string }>('POST', `/orgs/${slug}/api-keys`, { name: 'app' })
      return new Caller({ 'X-Api-Key': body.key, 'X-Api-Org': slug })
    },
    async actions() {
      const { body } = await admin.get('/audit?limit=1000')
      return (body.results ?? []).map(entry => String(entry.action))
    },
  }
}
