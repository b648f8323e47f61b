// Entities over HTTP: one set of routes for each row of the table.
import { KINDS } from '../../kinds.ts'
import type { Entity } from '../../platform/db/row.ts'
import type { Properties } from '../../platform/db/write.ts'
import { type Answer, type Route, route } from '../../platform/http/endpoint.ts'
import { etagOf, isFresh, versionsIn } from '../../platform/http/etag.ts'
import type { Kind, Operation } from '../../platform/kind.ts'
import { entityEndpoints } from './contract.ts'
import { createEntity, deleteEntity, getEntity, listEntities, updateEntity } from './entities.ts'

export const entityRoutes: Route[] = KINDS.flatMap(kind => {
  const routes = routesOf(kind)
  return kind.operations.map(operation => routes[operation])
})

function one(entity: Entity, headers: Record<string, string> = {}): Answer {
  return { body: entity, headers: { ETag: etagOf(entity.version), ...headers } }
}

function routesOf(kind: Kind): Record<Operation, Route> {
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
