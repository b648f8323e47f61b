// Calls of people: signing in, keys, members, invitations.
import { type Json, operator } from '../api.ts'
import { PASSWORD, type SignedIn } from '../sign-in/team.ts'
import { asOperator, type Settings, type Told } from './scenario.ts'

type Person = (admin: SignedIn, join: () => Promise<SignedIn>, slug: string) => Promise<Omit<Told, 'org'>>

/** Operations of people. */
export const PEOPLE: Record<string, [Person, Settings?]> = {
  signIn: [
    async ({ email }, _, slug) => ({
      path: '/auth/login',
      body: { email, password: PASSWORD, orgSlug: slug },
      headers: {},
    }),
    { isRepeatedAnew: true },
  ],
  signOut: [async () => ({ path: '/auth/logout' }), { done: [401] }],
  listSessions: [async () => ({ path: '/auth/sessions' })],
  endSession: [
    async (admin, _, slug) => {
      const { body } = await admin.call('POST', '/auth/login', {
        body: { email: admin.email, password: PASSWORD, orgSlug: slug },
        headers: { Authorization: '' },
      })
      const sessions = await admin.get('/auth/sessions')
      const other = sessions.body.results?.find(({ isCurrent }) => !isCurrent) ?? body
      return { path: `/auth/sessions/${String(other.id)}` }
    },
    { done: [204, 404] },
  ],
  changePassword: [
    async () => ({ path: '/auth/password', body: { currentPassword: PASSWORD, newPassword: `${PASSWORD} new` } }),
    { done: [200, 204, 400, 401, 403], isStepwise: true },
  ],
  listUsers: [async () => ({ path: '/users' })],
  updateUser: [async (_, join) => ({ path: `/users/${(await join()).id}`, body: { role: 'admin' } })],
  deleteUser: [async (_, join) => ({ path: `/users/${(await join()).id}` }), { done: [404] }],
  createInvitation: [
    async () => ({ path: '/invitations', body: { email: 'x@people.example', role: 'member' } }),
    { isRepeatedAnew: true, done: [201, 409] },
  ],
  listInvitations: [async () => ({ path: '/invitations' })],
  deleteInvitation: [
    async admin => ({
      path: `/invitations/${String((await admin.post('/invitations', { email: 'x@people.example', role: 'member' })).body.id)}`,
    }),
    { done: [204, 404] },
  ],
  acceptInvitation: [
    async admin => {
      const { body } = await admin.post('/invitations', { email: 'x@people.example', role: 'member' })
      return { path: '/invitations/accept', body: { token: body.token, password: PASSWORD }, headers: {} }
    },
    { done: [400, 401, 404, 409], isStepwise: true },
  ],
  listApiKeys: [async () => ({ path: '/api-keys' })],
  createApiKey: [async () => ({ path: '/api-keys', body: { name: 'mine' } }), { isRepeatedAnew: true }],
  rotateApiKey: [
    async admin => ({
      path: `/api-keys/${String((await admin.post('/api-keys', { name: 'mine' })).body.id)}/rotate`,
      body: {},
    }),
    { isRepeatedAnew: true, done: [200, 201, 409] },
  ],
  deleteApiKey: [
    async admin => ({ path: `/api-keys/${String((await admin.post('/api-keys', { name: 'mine' })).body.id)}` }),
    { done: [204, 404] },
  ],
  listAuditEntries: [async () => ({ path: '/audit' })],
  exportAuditEntries: [async () => ({ path: '/audit/export' })],
  createPasswordReset: [
    async ({ email }, _, slug) => asOperator(`/operator/orgs/${slug}/password-reset`, { email }),
    { isRepeatedAnew: true },
  ],
  resetPassword: [
    async ({ email }, _, slug) => {
      const { body } = await operator<Json>('POST', `/orgs/${slug}/password-reset`, { email })
      const token = String(body.token ?? String(body.url).split(/[=/#]/).at(-1))
      return { path: '/auth/password-reset', body: { token, newPassword: `${PASSWORD} new` }, headers: {} }
    },
    { done: [400, 401, 404, 410], isStepwise: true },
  ],
}
