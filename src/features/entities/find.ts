// Lists of entities: by criteria in an order, or by words (N50). One D1 round trip each.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Entity } from '../../platform/db/row.ts'
import { invalid } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import type { Sought } from '../../platform/search/words.ts'
import type { ListQuery } from './contract.ts'
import { testedPlan } from './criteria.ts'
import { listReader, pagesOf } from './list-reader.ts'
import { parseRelations } from './relations.ts'
import { searchWalk } from './search-sql.ts'
import type { Page } from './store.ts'

export interface EntityPage {
  results: Entity[]
  nextPageKey: string | null
  isPartial?: true
}

/** The value of the order field and the commit order of the last entity of a page. */
const PagePosition = z.tuple([z.union([z.string(), z.number(), z.null()]), z.int()])

export async function listEntities(context: Context, kind: Kind, query: ListQuery): Promise<EntityPage> {
  if (query.q && !query.order) return searchEntities(context, kind, query.q, query)
  const { limit, nextPageKey, criteria = {}, order, q } = query
  const readNext = await listReader(context, kind, criteria, { order, sought: q })
  const relations = parseRelations(kind, query.relations, context.principal?.entityTypes)
  const belongsTo = JSON.stringify([context.org.id, kind.name, criteria, order, ...(q ? [q] : [])])
  const key = nextPageKey === undefined ? undefined : await readKey(nextPageKey, belongsTo, 'nextPageKey', PagePosition)
  const after = key && { value: key[0], seq: key[1] }
  return answerOf(await readNext(after, limit, relations), belongsTo)
}

export async function answerOf({ entities, next, isPartial }: Page, belongsTo: string): Promise<EntityPage> {
  return {
    results: entities,
    nextPageKey: next ? await writeKey([next.value, next.seq], belongsTo) : null,
    ...(isPartial && { isPartial: true }),
  }
}

/** In the order of what was found: whole keys, then words (N50). */
async function searchEntities(context: Context, kind: Kind, q: Sought, query: ListQuery): Promise<EntityPage> {
  const { limit, nextPageKey, criteria = {} } = query
  const plan = testedPlan(kind, criteria)
  const relations = parseRelations(kind, query.relations, context.principal?.entityTypes)
  const belongsTo = JSON.stringify([context.org.id, kind.name, criteria, q])
  const found = await placeIn(context, [kind.name], q, nextPageKey, belongsTo)
  const readNext = pagesOf(context, kind, plan)
  return answerOf(await readNext(found.after, limit, relations, found.search), belongsTo)
}

/** Where the page begins among what was found. */
export async function placeIn(
  context: Context,
  kinds: string[],
  q: Sought,
  nextPageKey: string | undefined,
  belongsTo: string,
) {
  const key = nextPageKey === undefined ? undefined : await readKey(nextPageKey, belongsTo, 'nextPageKey', PagePosition)
  const after = key && { value: key[0], seq: key[1] }
  const search = searchWalk(context.org.id, kinds, q, after)
  if (!search) throw invalid([{ path: '/nextPageKey', message: 'This key does not belong to this request.' }])
  // Without a write since the index was introduced, the index has yet to be built.
  context.committed()
  return { after, search }
}
