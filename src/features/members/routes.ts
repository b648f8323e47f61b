// Members and invitations over HTTP.
import { type Route, route } from '../../platform/http/endpoint.ts'
import * as endpoint from './contract.ts'
import { accept, invite, listInvitations, revokeInvitation } from './invitations.ts'
import { dismiss, listMembers, setRole } from './members.ts'

export const memberRoutes: Route[] = [
  route(endpoint.listUsers, async (context, { query }) => ({
    body: await listMembers(context, query.limit, query.nextPageKey),
  })),
  route(endpoint.updateUser, async (context, { params, body }) => ({
    body: await setRole(context, params.id ?? '', body.role),
  })),
  route(endpoint.deleteUser, async (context, { params }) => {
    await dismiss(context, params.id ?? '')
    return {}
  }),
  route(endpoint.acceptInvitation, async (context, { body }) => ({ body: await accept(context, body) })),
  route(endpoint.createInvitation, async (context, { body }) => ({ body: await invite(context, body) })),
  route(endpoint.listInvitations, async (context, { query }) => ({
    body: await listInvitations(context, query.limit, query.nextPageKey),
  })),
  route(endpoint.deleteInvitation, async (context, { params }) => {
    await revokeInvitation(context, params.id ?? '')
    return {}
  }),
]
