// Outbound endpoints over HTTP, for the operator.
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from './contract.ts'
import * as outbound from './service.ts'

const placeOf = ({ slug = '', name = '' }: Record<string, string>): [string, string] => [slug, name]

export const outboundRoutes: Route[] = [
  route(endpoint.listEndpoints, async (context, { params }) => ({
    body: await outbound.listEndpoints(context, params.slug ?? ''),
  })),
  route(endpoint.putEndpoint, async (context, { params, body }) => ({
    body: await outbound.configureEndpoint(context, ...placeOf(params), body),
  })),
  route(endpoint.getEndpoint, async (context, { params }) => ({
    body: await outbound.getEndpoint(context, ...placeOf(params)),
  })),
  route(endpoint.deleteEndpoint, async (context, { params }) => {
    await outbound.deleteEndpoint(context, ...placeOf(params))
    return {}
  }),
  route(endpoint.listDeliveries, async (context, { params, query }) => ({
    body: await outbound.listDeliveries(context, ...placeOf(params), query),
  })),
  route(endpoint.resendDelivery, async (context, { params }) => ({
    body: await outbound.resendDelivery(context, ...placeOf(params), params.id ?? ''),
  })),
]
