// Reads lists page by page, along the indexes of properties where there are any (N49). They come and go: where they are not those
// that a page was planned with, it is planned again. With any leading index, a page begins behind the last entity of the page before.
import type { Context } from '../../platform/context.ts'
import type { Kind } from '../../platform/kind.ts'
import { type IndexCheck, indexCheck, knownIndexes } from '../indexes/known.ts'
import { type Asked, type Criteria, mayUseIndexes, orderedByProperty, type Plan, planOf } from './criteria.ts'
import type { ListQuery, Position } from './list-sql.ts'
import type { Relation } from './relations.ts'
import type { SearchWalk } from './search-sql.ts'
import { type Count, readCount, readPage } from './store.ts'

type Scope = Pick<Context, 'db' | 'org'>

/** The indexes of an entity type do not change this often between two looks. */
const TRIES = 5

interface Planned {
  plan: Plan
  check?: IndexCheck
}

/** Throws where the criteria or the order are at fault. */
async function planner(
  { db, org }: Scope,
  kind: Kind,
  criteria: Criteria,
  asked: Omit<Asked, 'indexes'>,
): Promise<() => Promise<Planned>> {
  if (!mayUseIndexes(kind, criteria, asked.order)) {
    const plan = planOf(kind, criteria, asked)
    return async () => ({ plan })
  }
  const planned = async (): Promise<Planned> => {
    const indexes = await knownIndexes(db, org.id, kind.name, orderedByProperty(asked.order))
    return {
      plan: planOf(kind, criteria, { ...asked, indexes }),
      check: indexCheck(org.id, kind.name, indexes),
    }
  }
  await planned()
  return planned
}

function reading<T>({ org }: Scope, kind: Kind, plans: () => Promise<Planned>, read: Read<T>) {
  return async (asked: Asking): Promise<T> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const { plan, check } = await plans()
      const answer = await read({ orgId: org.id, kind, plan, ...asked }, check)
      if (answer !== undefined) return answer
    }
    throw new Error('the indexes never stand still')
  }
}

/** The query of a list. */
type Asking = Pick<ListQuery, 'after' | 'limit' | 'search'>

type Read<T> = (query: ListQuery, check: IndexCheck | undefined) => Promise<T | undefined>

const always = (plan: Plan) => async () => ({ plan })

function pages(scope: Scope, kind: Kind, plans: () => Promise<Planned>) {
  return (after: Position | undefined, limit: number, relations: readonly Relation[] = [], search?: SearchWalk) => {
    const read = reading(scope, kind, plans, (query, check) => readPage(scope.db, query, relations, check))
    return read({ after, limit, search })
  }
}

/** Of a plan that uses no index of a property. */
export const pagesOf = (scope: Scope, kind: Kind, plan: Plan) => pages(scope, kind, always(plan))

export async function listReader(scope: Scope, kind: Kind, criteria: Criteria, asked: Omit<Asked, 'indexes'> = {}) {
  return pages(scope, kind, await planner(scope, kind, criteria, asked))
}

export type ListReader = Awaited<ReturnType<typeof listReader>>

function counts(scope: Scope, kind: Kind, plans: () => Promise<Planned>) {
  const read = reading(scope, kind, plans, (query, check) => readCount(scope.db, query, check))
  return (after: Position | undefined, limit: number, search?: SearchWalk): Promise<Count> =>
    read({ after, limit, search })
}

export const countsOf = (scope: Scope, kind: Kind, plan: Plan) => counts(scope, kind, always(plan))

export async function countReader(scope: Scope, kind: Kind, criteria: Criteria) {
  return counts(scope, kind, await planner(scope, kind, criteria, {}))
}
