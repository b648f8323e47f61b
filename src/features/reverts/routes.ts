// Reverts over HTTP: of a load, and of any changes.
import type { Entity } from '../../platform/db/row.ts'
import { one } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import * as operation from './contract.ts'
import { cancelReverting, restoreChanges, revertLoad } from './service.ts'

const started = (process: Entity) => one(process, { Location: `/api/revert-processes/${process.id}` })

export const revertRoutes: Route[] = [
  route(operation.revertLoad, async (context, { params, body }) =>
    started(await revertLoad(context, params.id ?? '', body.dryRun ?? false)),
  ),
  route(operation.restoreChanges, async (context, { body }) => started(await restoreChanges(context, body))),
  route(operation.cancelRevert, async (context, { params }) => one(await cancelReverting(context, params.id ?? ''))),
]
