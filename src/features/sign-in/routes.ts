// Signing in and passwords over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import { sessionCookie } from '../auth/session-cookie.ts'
import * as endpoint from './contract.ts'
import { handOver } from './hand-over.ts'
import { endSession, listSessions } from './open-sessions.ts'
import { changeOwnPassword, issueReset, resetPassword } from './passwords.ts'
import { signIn, signOut, whoAmI } from './sessions.ts'

export const signInRoutes: Route[] = [
  route(endpoint.login, (context, { body, request }) => handOver(request, body.cookie, () => signIn(context, body))),
  route(endpoint.logout, async (context, { request }) => {
    await signOut(context)
    return { headers: { 'Set-Cookie': sessionCookie(request.url, '', 0) } }
  }),
  route(endpoint.getSessions, async (context, { query }) => ({ body: await listSessions(context, query) })),
  route(endpoint.deleteSession, async (context, { params }) => {
    await endSession(context, params.id ?? '')
    return {}
  }),
  route(endpoint.me, async context => ({ body: await whoAmI(context) })),
  route(endpoint.putPassword, async (context, { body }) => {
    await changeOwnPassword(context, body)
    return {}
  }),
  route(endpoint.createReset, async (context, { params, body }) => ({
    body: await issueReset(context, params.slug ?? '', body.email),
  })),
  route(endpoint.useReset, async (context, { body }) => {
    await resetPassword(context, body)
    return {}
  }),
]
