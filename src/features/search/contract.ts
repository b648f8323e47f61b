// The operation of search over all entity types.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { Limit, PageKey, pageOf } from '../../platform/paging/page-query.ts'
import { SearchText } from '../entities/contract.ts'

const FoundEntity = named('FoundEntity', z.looseObject({ ...commonFields, entityType: z.string() }), {
  ...commonExample,
  entityType: 'item',
  typePath: 'item:shirt',
  name: 'Linen shirt',
  federatedId: 'LS-1',
})

/** Over all entity types (N50). */
export const search = {
  tag: 'search',
  access: 'organization',
  forLimitedKeys: true,
  id: 'search',
  method: 'GET',
  path: '/search',
  summary: 'Search entities of all types',
  description:
    'Whole keys (federatedId, identifier) come first, then words and beginnings of words, type by type. What is written is found within five seconds.',
  query: z.strictObject({
    q: SearchText.describe('Words or beginnings of words that all must be found; case and accents do not matter.'),
    entityType: z.string().max(64).optional().describe('One entity type, for example `item`.'),
    limit: Limit,
    nextPageKey: PageKey,
  }),
  answer: pageOf(FoundEntity),
  status: 200,
} as const satisfies Operation
export type SearchQuery = z.output<typeof search.query>
