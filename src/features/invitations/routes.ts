// Invitations over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import { handOver } from '../sign-in/hand-over.ts'
import * as endpoint from './contract.ts'
import { accept, invite, listInvitations, revokeInvitation } from './service.ts'

export const invitationRoutes: Route[] = [
  route(endpoint.acceptInvitation, (context, { body, request }) =>
    handOver(request, body.cookie, () => accept(context, body)),
  ),
  route(endpoint.createInvitation, async (context, { body }) => ({ body: await invite(context, body) })),
  route(endpoint.listInvitations, async (context, { query }) => ({
    body: await listInvitations(context, query),
  })),
  route(endpoint.deleteInvitation, async (context, { params }) => {
    await revokeInvitation(context, params.id ?? '')
    return {}
  }),
]
