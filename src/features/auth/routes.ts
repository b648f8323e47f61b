// Key management over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from './contract.ts'
import { issueKeyInHand, listKeysInHand, revokeKeyInHand, rotateKeyInHand } from './own-keys.ts'

export const keyRoutes: Route[] = [
  route(endpoint.listMyKeys, async (context, { query }) => ({
    body: await listKeysInHand(context, query),
  })),
  route(endpoint.createMyKey, async (context, { body }) => ({ body: await issueKeyInHand(context, body) })),
  route(endpoint.rotateMyKey, async (context, { params, body }) => ({
    body: await rotateKeyInHand(context, params.id ?? '', body.overlapSeconds),
  })),
  route(endpoint.deleteMyKey, async (context, { params }) => {
    await revokeKeyInHand(context, params.id ?? '')
    return {}
  }),
]
