// Outbound endpoints over HTTP, for the operator.
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from './contract.ts'
import * as events from './outbound.ts'

const placeOf = ({ slug = '', name = '' }: Record<string, string>): [string, string] => [slug, name]

export const eventRoutes: Route[] = [
  route(endpoint.listEndpoints, async (context, { params }) => ({
    body: await events.listEndpoints(context, params.slug ?? ''),
  })),
  route(endpoint.putEndpoint, async (context, { params, body }) => ({
    body: await events.configureEndpoint(context, ...placeOf(params), body),
  })),
  route(endpoint.getEndpoint, async (context, { params }) => ({
    body: await events.getEndpoint(context, ...placeOf(params)),
  })),
  route(endpoint.deleteEndpoint, async (context, { params }) => {
    await events.deleteEndpoint(context, ...placeOf(params))
    return {}
  }),
  route(endpoint.listDeliveries, async (context, { params, query }) => ({
    body: await events.listDeliveries(context, ...placeOf(params), query),
  })),
  route(endpoint.resendDelivery, async (context, { params }) => ({
    body: await events.resendDelivery(context, ...placeOf(params), params.id ?? ''),
  })),
]
