// Publishes over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import * as operation from './contract.ts'
import { publishByHand, publishRecord, publishRecords } from './service.ts'

export const assortmentRoutes: Route[] = [
  route(operation.publishAssortment, async (context, { params }) => {
    const publish = await publishByHand(context, params.id ?? '')
    return { body: publish, headers: { Location: `/api/assortments/${publish.assortmentId}/history/${publish.id}` } }
  }),
  route(operation.getPublish, async (context, { params }) => ({
    body: await publishRecord(context, params.id ?? '', params.changeId ?? ''),
  })),
  route(operation.listPublishes, async (context, { params, query }) => ({
    body: await publishRecords(context, params.id ?? '', query),
  })),
]
