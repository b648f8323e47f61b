// Signing in and passwords over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from './contract.ts'
import { changeOwnPassword, issueReset, resetPassword } from './passwords.ts'
import { signIn, signOut, whoAmI } from './sessions.ts'

export const signInRoutes: Route[] = [
  route(endpoint.login, async (context, { body }) => ({ body: await signIn(context, body) })),
  route(endpoint.logout, async context => {
    await signOut(context)
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
