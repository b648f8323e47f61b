// Search over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import { search } from './contract.ts'
import { searchAll } from './service.ts'

export const searchRoutes: Route[] = [
  route(search, async (context, { query }) => ({ body: await searchAll(context, query) })),
]
