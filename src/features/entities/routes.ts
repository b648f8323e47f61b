// Entities over HTTP: one set of routes for each row of the table.
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { etagOf, isFresh, one, versionsIn } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import type { EntityOperation, Kind } from '../../platform/kind.ts'
import { createBatch, deleteBatch, updateBatch, upsertBatch } from './batch.ts'
import { batchEndpoints, countEndpoint, entityEndpoints, isRestorable, restoreEndpoint } from './contract.ts'
import { countEntities } from './count.ts'
import { restoreEntity } from './earlier-version.ts'
import { listEntities } from './find.ts'
import { createEntity, deleteEntity, getEntity, updateEntity } from './service.ts'

// `batch` and `count` are no ids: their routes stand before those with one.
export function entityRoutes(kinds: readonly Kind[]): Route[] {
  return kinds.flatMap(kind => {
    const routes = routesOf(kind)
    const batches = batchRoutes(kind)
    return [
      ...kind.operations.flatMap(operation => batches[operation] ?? []),
      ...(kind.operations.includes('list') ? [countRoute(kind)] : []),
      ...kind.operations.map(operation => routes[operation]),
      ...(isRestorable(kind) ? [restoreRoute(kind)] : []),
    ]
  })
}

function batchRoutes(kind: Kind): Partial<Record<EntityOperation, Route>> {
  const endpoints = batchEndpoints(kind)
  return {
    create: route(endpoints.create, async (context, { body, query }) => {
      const write = query.upsertBy ? upsertBatch : createBatch
      return { body: { results: await write(context, kind, body) } }
    }),
    update: route(endpoints.update, async (context, { body }) => ({
      body: { results: await updateBatch(context, kind, body as { id: string }[]) },
    })),
    delete: route(endpoints.delete, async (context, { body }) => {
      await deleteBatch(context, kind, body)
      return {}
    }),
  }
}

export const countRoute = (kind: Kind): Route =>
  route(countEndpoint(kind), async (context, { query }) => ({ body: await countEntities(context, kind, query) }))

/** The id behind what stands in the path. */
async function idIn({ db, org }: Context, { address }: Kind, params: Record<string, string>): Promise<string> {
  if (!address) return params.id ?? ''
  const id = await address.idOf(db, org.id, params[address.parameter] ?? '')
  if (id === undefined) throw notFound()
  return id
}

function restoreRoute(kind: Kind): Route {
  return route(restoreEndpoint(kind), async (context, { params, body, request }) => {
    const { address } = kind
    const given = params[address?.parameter ?? 'id'] ?? ''
    // What is deleted has only its id left.
    const id = (await address?.idOf(context.db, context.org.id, given)) ?? given
    return one(await restoreEntity(context, kind, id, body, versionsIn(request)))
  })
}

function routesOf(kind: Kind): Record<EntityOperation, Route> {
  const endpoints = entityEndpoints(kind)
  return {
    list: route(endpoints.list, async (context, { query }) => ({ body: await listEntities(context, kind, query) })),

    create: route(endpoints.create, async (context, { body }) => {
      const entity = await createEntity(context, kind, body)
      return one(entity, { Location: `/api/${kind.path}/${entity.id}` })
    }),

    get: route(endpoints.get, async (context, { params, query, request }) => {
      const entity = await getEntity(context, kind, await idIn(context, kind, params), query.relations)
      // What stands beside an entity changes without its version.
      const etag = etagOf(entity.version)
      if (!query.relations && isFresh(request, etag)) return { status: 304, headers: { ETag: etag } }
      return one(entity)
    }),

    update: route(endpoints.update, async (context, { params, body, request }) =>
      one(await updateEntity(context, kind, await idIn(context, kind, params), body, versionsIn(request))),
    ),

    delete: route(endpoints.delete, async (context, { params, request }) => {
      await deleteEntity(context, kind, await idIn(context, kind, params), versionsIn(request))
      return {}
    }),
  }
}
