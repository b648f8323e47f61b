// Loads and publishes over HTTP.
import { one } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import * as endpoint from '../assortments/contract.ts'
import { publishByHand, publishRecord } from '../assortments/publish.ts'
import { cancelLoading, startLoad } from './loads.ts'

export const loadRoutes: Route[] = [
  route(endpoint.startLoad, async (context, { body }) => {
    const load = await startLoad(context, body)
    return one(load, { Location: `/api/loader-processes/${load.id}` })
  }),
  route(endpoint.cancelLoad, async (context, { params }) => one(await cancelLoading(context, params.id ?? ''))),
  route(endpoint.publishAssortment, async (context, { params }) => {
    const publish = await publishByHand(context, params.id ?? '')
    return { body: publish, headers: { Location: `/api/assortments/${publish.assortmentId}/history/${publish.id}` } }
  }),
  route(endpoint.getPublish, async (context, { params }) => ({
    body: await publishRecord(context, params.id ?? '', params.changeId ?? ''),
  })),
]
