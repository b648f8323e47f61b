// Entities over HTTP: one set of routes for each row of the table.
import type { Properties } from '../../platform/db/commit/write.ts'
import type { Entity } from '../../platform/db/row.ts'
import { etagOf, isFresh, versionsIn } from '../../platform/http/etag.ts'
import { type Answer, type Route, route } from '../../platform/http/operation.ts'
import type { EntityOperation, Kind } from '../../platform/kind.ts'
import { createBatch, deleteBatch, updateBatch, upsertBatch } from './batch.ts'
import { batchEndpoints, entityEndpoints } from './contract.ts'
import { createEntity, deleteEntity, getEntity, listEntities, updateEntity } from './entities.ts'

// `batch` is no id: its routes stand before those with one.
export function entityRoutes(kinds: readonly Kind[]): Route[] {
  return kinds.flatMap(kind => {
    const routes = routesOf(kind)
    const batches = batchRoutes(kind)
    return [
      ...kind.operations.flatMap(operation => batches[operation] ?? []),
      ...kind.operations.map(operation => routes[operation]),
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

function one(entity: Entity, headers: Record<string, string> = {}): Answer {
  return { body: entity, headers: { ETag: etagOf(entity.version), ...headers } }
}

function routesOf(kind: Kind): Record<EntityOperation, Route> {
  const endpoints = entityEndpoints(kind)
  return {
    list: route(endpoints.list, async (context, { query }) => ({ body: await listEntities(context, kind, query) })),

    create: route(endpoints.create, async (context, { body }) => {
      const entity = await createEntity(context, kind, body as Properties)
      return one(entity, { Location: `/api/${kind.path}/${entity.id}` })
    }),

    get: route(endpoints.get, async (context, { params, query, request }) => {
      const entity = await getEntity(context, kind, params.id ?? '', query.relations)
      // What stands beside an entity changes without its version.
      if (!query.relations && isFresh(request, entity.version)) {
        return { status: 304, headers: { ETag: etagOf(entity.version) } }
      }
      return one(entity)
    }),

    update: route(endpoints.update, async (context, { params, body, request }) =>
      one(await updateEntity(context, kind, params.id ?? '', body as Properties, versionsIn(request))),
    ),

    delete: route(endpoints.delete, async (context, { params, request }) => {
      await deleteEntity(context, kind, params.id ?? '', versionsIn(request))
      return {}
    }),
  }
}
