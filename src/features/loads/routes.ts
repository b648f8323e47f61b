// Loads over HTTP.
import { one } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import * as operation from './contract.ts'
import { cancelLoading, checkLoad, startLoad } from './service.ts'

export const loadRoutes: Route[] = [
  route(operation.startLoad, async (context, { body }) => {
    const load = await startLoad(context, body)
    return one(load, { Location: `/api/loader-processes/${load.id}` })
  }),
  route(operation.checkLoad, async (context, { body }) => ({ body: await checkLoad(context, body) })),
  route(operation.cancelLoad, async (context, { params }) => one(await cancelLoading(context, params.id ?? ''))),
]
