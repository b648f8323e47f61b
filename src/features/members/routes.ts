// Members over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from './contract.ts'
import { dismiss, listMembers, setRole } from './service.ts'

export const memberRoutes: Route[] = [
  route(endpoint.listUsers, async (context, { query }) => ({
    body: await listMembers(context, query),
  })),
  route(endpoint.updateUser, async (context, { params, body }) => ({
    body: await setRole(context, params.id ?? '', body.role),
  })),
  route(endpoint.deleteUser, async (context, { params }) => {
    await dismiss(context, params.id ?? '')
    return {}
  }),
]
