// Finding entities, looking at one, and at what has changed.
import * as z from 'zod'
import type { Context } from '../../../platform/context.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { PROPERTY_NAME_MAX_LENGTH } from '../../../platform/limits.ts'
import { entityEndpoints, ListQuery } from '../../entities/contract.ts'
import { Order } from '../../entities/criteria.ts'
import { OPERATORS } from '../../entities/operators.ts'
import { getEntity, listEntities } from '../../entities/service.ts'
import { changeHistory, HistoryQuery } from '../../history/contract.ts'
import { queryHistory } from '../../history/service.ts'
import { search } from '../../search/contract.ts'
import { searchAll } from '../../search/service.ts'
import { CONTENT_MAX_BYTES, cut, fittingCount } from '../answer-text.ts'
import { fittingPage } from '../pages.ts'
import { asQuery, EntityTypeName, kindFor, PageKeyText, PageSize, type Tool, tool } from '../tool.ts'

const CHANGES_SHOWN = 5
const CHANGES_SHOWN_MAX = 20

/** Without what is the same for all, and common fields that are not set. */
export function shownEntity(entity: unknown, properties?: readonly string[]): unknown {
  const { orgId, ...all } = entity as Record<string, unknown>
  const entries = Object.entries(all).filter(
    ([name, value]) => value !== null && (!properties || name === 'id' || properties.includes(name)),
  )
  return Object.fromEntries(entries)
}

const shownChange = (change: unknown): unknown => shownEntity(change)

const readable = (context: Context, name: string) => kindFor(context, name, kind => entityEndpoints(kind).list)

const find = tool(
  {
    name: 'find_entities',
    about: `Finds by words (q), by criteria, or both; without entityType q looks through all types. A criterion is a value, a list (any of), null (absent) or {operator: value} with ${OPERATORS.join(', ')}; "or": [criteria] beside them.`,
    writes: false,
    input: z.strictObject({
      entityType: EntityTypeName.optional(),
      q: z.string().optional().describe('Words or beginnings of words, or a key.'),
      criteria: z.record(z.string(), z.unknown()).optional().describe('e.g. {"season": "SS27", "price": {"lt": 50}}'),
      order: Order.optional(),
      properties: z
        .array(z.string().max(PROPERTY_NAME_MAX_LENGTH))
        .max(100)
        .optional()
        .describe('Only these, to keep answers short.'),
      limit: PageSize,
      nextPageKey: PageKeyText,
    }),
  },
  async (context, { entityType, properties, limit, q, criteria, order, nextPageKey }) => {
    const shown = (entity: unknown) => shownEntity(entity, properties && ['entityType', ...properties])
    if (entityType !== undefined) {
      const kind = readable(context, entityType)
      const query = asQuery(ListQuery, { q, criteria, order, nextPageKey })
      return fittingPage(limit, most => listEntities(context, kind, { ...query, limit: most }), shown)
    }
    if (criteria ?? order) throw invalid([{ path: '/entityType', message: 'Criteria and order need an entityType.' }])
    const query = asQuery(search.query, { q, nextPageKey })
    return fittingPage(limit, most => searchAll(context, { ...query, limit: most }), shown)
  },
)

const get = tool(
  {
    name: 'get_entity',
    about: 'One entity by id or federatedId, with its latest changes: who, when, old and new values.',
    writes: false,
    input: z.strictObject({
      entityType: EntityTypeName,
      id: z.string().max(64).optional(),
      federatedId: z.string().max(512).optional(),
      relations: z.string().max(1000).optional().describe('Entities to add beside their ids, e.g. itemFamily'),
      changes: z.int().min(0).max(CHANGES_SHOWN_MAX).default(CHANGES_SHOWN),
    }),
  },
  async (context, { entityType, id, federatedId, relations, changes }) => {
    const kind = readable(context, entityType)
    if (id !== undefined && federatedId !== undefined) {
      throw invalid([{ path: '/federatedId', message: 'Give an id or a federatedId, not both.' }])
    }
    const found = id ?? (await idOf(context, entityType, federatedId))
    const entity = shownEntity(await getEntity(context, kind, found, relations))
    if (!kind.recorded || changes === 0) return { entity: cut(entity) }
    const query = asQuery(HistoryQuery, { criteria: { entityReference: `${kind.name}:${found}` }, limit: changes })
    const page = await queryHistory(context, query)
    const cutEntity = cut(entity, CONTENT_MAX_BYTES / 2)
    const records = page.results.map(record => cut(shownChange(record), CONTENT_MAX_BYTES / 2))
    const count = fittingCount(records, CONTENT_MAX_BYTES / 2)
    const hasMore = page.nextPageKey !== null || count < records.length
    return { entity: cutEntity, changes: records.slice(0, count), ...(hasMore && { more: 'See change_history.' }) }
  },
)

async function idOf(context: Context, entityType: string, federatedId: string | undefined): Promise<string> {
  if (federatedId === undefined) throw invalid([{ path: '/id', message: 'Give an id or a federatedId.' }])
  const kind = readable(context, entityType)
  // In a list no key is read as a range.
  const query = asQuery(ListQuery, { criteria: { federatedId: [federatedId] }, limit: 2 })
  const { results } = await listEntities(context, kind, query)
  const [one, another] = results
  if (!one) throw notFound(`${entityType} with this federatedId`)
  if (!another) return one.id
  const ids = results.map(({ id, typePath }) => `${id} (${typePath})`).join(', ')
  throw invalid([{ path: '/federatedId', message: `Several type paths have it; give one of these ids: ${ids}.` }])
}

const history = tool(
  {
    name: 'change_history',
    about:
      'What was changed, when and by whom, newest first. With after (a syncKey; empty: from the beginning) oldest first, exactly what came since.',
    writes: false,
    operation: changeHistory,
    input: z.strictObject({
      entityType: EntityTypeName.optional(),
      entityReference: z.string().max(200).optional().describe('<entityType>:<id>'),
      createdOn: z.string().max(200).optional().describe('BETWEEN 2026-01-01 and 2026-01-31'),
      after: z.string().max(4096).optional(),
      limit: PageSize,
      nextPageKey: PageKeyText,
    }),
  },
  async (context, { entityReference, createdOn, entityType, after, limit, nextPageKey }) => {
    const criteria = Object.fromEntries(
      Object.entries({ entityType, entityReference, createdOn }).filter(([, value]) => value !== undefined),
    )
    const query = asQuery(HistoryQuery, { criteria, after, nextPageKey })
    return fittingPage(limit, most => queryHistory(context, { ...query, limit: most }), shownChange)
  },
)

export const readTools: Tool[] = [find, get, history]
