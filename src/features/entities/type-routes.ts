// Types on reading: inheritance resolved, and the root type path of each entity type. Writing them is generic.
import * as z from 'zod'
import type { Entity } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { named } from '../../platform/http/components.ts'
import { etagOf, isFresh } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import { allKinds } from '../../platform/kind.ts'
import { EntityType, ResolvedType } from '../types/contract.ts'
import { TYPE } from '../types/kind.ts'
import type { TypeTable } from '../types/table.ts'
import { freshTypes, resolvedType, typeAt } from '../types/types.ts'
import { entityEndpoints } from './contract.ts'
import { listEntities } from './entities.ts'
import { countRoute } from './routes.ts'

const endpoints = entityEndpoints(TYPE)

const entityTypes = () =>
  allKinds().map(({ name, path, about }) => ({ entityType: name, rootTypePath: name, path, about }))

const listTypes = {
  ...endpoints.list,
  forLimitedKeys: true as const,
  answer: named('TypeList', endpoints.list.answer.extend({ entityTypes: z.array(EntityType) })),
}

const { query: _, ...getOne } = endpoints.get

const getType = {
  ...getOne,
  forLimitedKeys: true as const,
  answer: ResolvedType,
  summary: 'Get one: type, by its type path or id, with what it inherits',
}

export const typeRoutes: Route[] = [
  route(listTypes, async (context, { query }) => {
    const [page, types] = [await listEntities(context, TYPE, query), await freshTypes(context)]
    return { body: { ...page, results: page.results.map(type => shown(types, type)), entityTypes: entityTypes() } }
  }),
  countRoute(TYPE),
  route(getType, async (context, { params, request }) => {
    const type = await typeAt(context, params.typePath ?? '')
    // What it inherits changes without its version (N67), and so do its indexes.
    const beside = await digestOf(JSON.stringify([type.properties, type.indexes]))
    const etag = etagOf(type.version ?? 0, beside.slice(0, 16))
    return isFresh(request, etag) ? { status: 304, headers: { ETag: etag } } : { body: type, headers: { ETag: etag } }
  }),
]

function shown(types: TypeTable, type: Partial<Entity>) {
  return { ...type, ...resolvedType(types, String(type.typePath)) }
}
