// Moves of organizations over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import * as operation from './contract.ts'
import { begin, cancel, look } from './service.ts'

const slugOf = (params: Record<string, string>) => params.slug ?? ''

export const moveRoutes: Route[] = [
  route(operation.beginMove, async (context, { params, body }) => ({
    body: await begin(context, slugOf(params), body),
    headers: { Location: `/api/operator/orgs/${slugOf(params)}/move` },
  })),
  route(operation.getMove, async (context, { params }) => ({ body: await look(context, slugOf(params)) })),
  route(operation.cancelMove, async (context, { params }) => ({ body: await cancel(context, slugOf(params)) })),
]
