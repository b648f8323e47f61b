// Verbs of search: entities of all types by words (N50). One D1 round trip.
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { limitedKey } from '../../platform/key-limits.ts'
import { allKinds, findKind, kindNamed } from '../../platform/kind.ts'
import { didYouMean } from '../../platform/nearest.ts'
import { testedPlan } from '../entities/criteria.ts'
import { answerOf, placeIn } from '../entities/find.ts'
import { pagesOf } from '../entities/list-reader.ts'
import type { SearchQuery } from './contract.ts'

/** Entities of several types, each with the name of its own. */
export async function searchAll(context: Context, { q, entityType, limit, nextPageKey }: SearchQuery) {
  const allowed = context.principal.entityTypes
  if (entityType !== undefined && !findKind(entityType)) {
    throw invalid([
      { path: '/entityType', message: `There is no such entity type.${didYouMean(entityType, kindNames())}` },
    ])
  }
  if (entityType !== undefined && allowed && !allowed.includes(entityType)) throw limitedKey(allowed)
  const kinds = entityType === undefined ? kindNames().filter(name => !allowed || allowed.includes(name)) : [entityType]
  const belongsTo = JSON.stringify([context.org.id, 'search', kinds, q])
  const found = await placeIn(context, kinds, q, nextPageKey, belongsTo)
  const kind = kindNamed(kinds[0] ?? '')
  const plan = testedPlan(kind, {})
  const page = await pagesOf(context, kind, plan)(found.after, limit, [], found.search)
  const answer = await answerOf(page, belongsTo)
  return { ...answer, results: answer.results.map((entity, at) => ({ ...entity, entityType: page.kinds[at] })) }
}

const kindNames = () => allKinds().map(({ name }) => name)
