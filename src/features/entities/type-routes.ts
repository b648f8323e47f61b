// Types on reading: inheritance resolved, as JSON Schema where that is asked for (N53), and the root type path of each
// entity type. Writing them is generic.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Entity } from '../../platform/db/row.ts'
import { digestOf } from '../../platform/digest.ts'
import { invalid } from '../../platform/errors.ts'
import { named } from '../../platform/http/components.ts'
import { etagOf, isFresh } from '../../platform/http/etag.ts'
import type { JsonSchema } from '../../platform/http/openapi/schemas.ts'
import { type Answer, type Route, route } from '../../platform/http/operation.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { allKinds } from '../../platform/kind.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'
import { EntityType, PROPERTY_TYPES, ResolvedType } from '../types/contract.ts'
import { TYPE } from '../types/kind.ts'
import { freshTypes, pathAt, resolvedType, typeAt, typesStamp } from '../types/service.ts'
import { TypeTable } from '../types/table.ts'
import { entityEndpoints, ListQuery } from './contract.ts'
import { VARIANTS, type Variant } from './json-schema.ts'
import { countRoute } from './routes.ts'
import { type EntityPage, listEntities } from './service.ts'
import { checkPlan, checkTypes } from './type-check.ts'
import { schemaOfAll, schemaOfType } from './type-schemas.ts'

const endpoints = entityEndpoints(TYPE)
const SCHEMA_TYPE = 'application/schema+json'

const SchemaDocument = named('JsonSchema', z.looseObject({ title: z.string().optional() }), {
  title: 'Shirt',
  type: 'object',
  properties: { typePath: { const: 'item:shirt' }, price: { title: 'Price', type: 'number' } },
  required: ['typePath', 'price'],
})

const entityTypes = () =>
  allKinds().map(({ name, path, about }) => ({ entityType: name, rootTypePath: name, path, about }))

const asSchema = {
  format: z
    .enum(['json', 'json-schema'])
    .optional()
    .describe('`json-schema`: what entities of the type are, as JSON Schema 2020-12.'),
  variant: z
    .enum(VARIANTS)
    .optional()
    .describe('With `json-schema`: what a create takes (the usual one), what an update takes, or what is read.'),
}

const listTypes = {
  ...endpoints.list,
  forLimitedKeys: true as const,
  query: ListQuery.extend(asSchema),
  answer: named('TypeList', endpoints.list.answer.extend({ entityTypes: z.array(EntityType) })),
  otherAnswers: { [SCHEMA_TYPE]: SchemaDocument },
  conditions: ['If-None-Match'] as const,
}

const getType = {
  ...endpoints.get,
  query: z.strictObject(asSchema),
  forLimitedKeys: true as const,
  answer: ResolvedType,
  otherAnswers: { [SCHEMA_TYPE]: SchemaDocument },
  summary: 'Get one: type, by its type path or id, with what it inherits',
}

type Asked = z.output<typeof getType.query>

export const typeRoutes: Route[] = [
  route(listTypes, async (context, { query, request }) => {
    const { format: _, variant, ...rest } = query
    if (isSchema(query)) {
      const others = Object.entries(rest).filter(([name, value]) => name !== 'limit' && value !== undefined)
      const message = 'All types are answered as JSON Schema: this does not go with format=json-schema.'
      if (others.length) throw invalid(others.map(([name]) => ({ path: `/${name}`, message })))
      return allSchemas(context, request, variant)
    }
    return { body: { ...(await resolvedPage(context, rest)), entityTypes: entityTypes() } }
  }),
  countRoute(TYPE),
  route(checkTypes, async (context, { body }) => ({ body: await checkPlan(context, body) })),
  route(getType, async (context, { params, query, request }) => {
    const address = params.typePath ?? ''
    if (isSchema(query)) return oneSchema(context, request, address, query.variant)
    const type = await typeAt(context, address)
    // What it inherits changes without its version (N67), and so do its indexes.
    const beside = await digestOf(JSON.stringify([type.properties, type.indexes]))
    const etag = etagOf(type.version ?? 0, beside.slice(0, 16))
    return isFresh(request, etag) ? { status: 304, headers: { ETag: etag } } : { body: type, headers: { ETag: etag } }
  }),
]

function isSchema({ format, variant }: Asked): boolean {
  if (format === 'json-schema') return true
  if (variant) throw invalid([{ path: '/variant', message: 'It goes with format=json-schema.' }])
  return false
}

async function allSchemas(context: Context, request: Request, variant: Variant | undefined): Promise<Answer> {
  const { baseUrl } = context
  if (request.headers.has('If-None-Match')) {
    const etag = await schemaEtag(await typesStamp(context), variant, baseUrl)
    if (isFresh(request, etag)) return { status: 304, headers: { ETag: etag } }
  }
  const types = await freshTypes(context)
  return schemaAnswer(schemaOfAll(types, { variant, baseUrl }), await schemaEtag(types.stamp, variant, baseUrl))
}

async function oneSchema(
  context: Context,
  request: Request,
  address: string,
  variant: Variant | undefined,
): Promise<Answer> {
  const { baseUrl } = context
  const { typePath, types } = await pathAt(context, address)
  const etag = await schemaEtag(types.stamp, variant, baseUrl)
  if (isFresh(request, etag)) return { status: 304, headers: { ETag: etag } }
  return schemaAnswer(schemaOfType(types, typePath, { variant, baseUrl }), etag)
}

/** By the last change of a type, and by what the service itself says of its entity types. */
async function schemaEtag(stamp: number, variant: Variant | undefined, baseUrl: string): Promise<string> {
  return etagOf(stamp, `${variant ?? 'usual'}-${await ownMark(baseUrl)}`)
}

const schemaAnswer = (body: JsonSchema, etag: string): Answer => ({
  body,
  headers: { ETag: etag, 'Content-Type': SCHEMA_TYPE },
})

const marks = new Map<string, Promise<string>>()

/** Another release may say it otherwise, and the addresses in it are those that the caller wrote. */
function ownMark(baseUrl: string): Promise<string> {
  const known = marks.get(baseUrl)
  if (known) return known
  const properties = PROPERTY_TYPES.map(propertyType => ({ slug: propertyType, propertyType }))
  const sample = new TypeTable(0, [{ typePath: 'item', label: null, properties }])
  const said = [undefined, ...VARIANTS].map(variant => schemaOfAll(sample, { variant, baseUrl }))
  const mark = digestOf(JSON.stringify(said)).then(digest => digest.slice(0, 16))
  if (marks.size < 10) marks.set(baseUrl, mark)
  return mark
}

/** What types inherit may be far more than what they hold: the page ends where it is too much. */
async function resolvedPage(context: Context, query: z.output<typeof ListQuery>): Promise<EntityPage> {
  const [page, types] = [await listEntities(context, TYPE, query), await freshTypes(context)]
  const results: Entity[] = []
  let bytes = 0
  for (const type of page.results) {
    const whole = { ...type, ...resolvedType(types, String(type.typePath)) }
    bytes += jsonBytes(whole)
    if (bytes > PAGE_MAX_BYTES && results.length > 0) {
      return { ...(await resolvedPage(context, { ...query, limit: results.length })), isPartial: true }
    }
    results.push(whole)
  }
  return { ...page, results }
}
