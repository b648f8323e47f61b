// Loads over HTTP.
import type { Entity } from '../../platform/db/row.ts'
import { one } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import * as operation from './contract.ts'
import { cancelLoading, startLoad } from './loads.ts'
import * as revert from './revert/contract.ts'
import { cancelReverting, restoreChanges, revertLoad } from './revert/reverts.ts'

const started = (process: Entity) => one(process, { Location: `/api/revert-processes/${process.id}` })

export const loadRoutes: Route[] = [
  route(operation.startLoad, async (context, { body }) => {
    const load = await startLoad(context, body)
    return one(load, { Location: `/api/loader-processes/${load.id}` })
  }),
  route(operation.cancelLoad, async (context, { params }) => one(await cancelLoading(context, params.id ?? ''))),
  route(revert.revertLoad, async (context, { params, body }) =>
    started(await revertLoad(context, params.id ?? '', body.dryRun ?? false)),
  ),
  route(revert.restoreChanges, async (context, { body }) => started(await restoreChanges(context, body))),
  route(revert.cancelRevert, async (context, { params }) => one(await cancelReverting(context, params.id ?? ''))),
]
