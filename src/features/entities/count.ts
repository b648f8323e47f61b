// How many entities fit (N50). Along an index that is one look; criteria without one are tested on as many entities as a page
// may look at, several times over, so that others have their turn in between.
import type { Context } from '../../platform/context.ts'
import type { Kind } from '../../platform/kind.ts'
import { COUNT_MAX, COUNT_MAX_SCANS } from '../../platform/limits.ts'
import type { CountQuery } from './contract.ts'
import { testedPlan } from './criteria.ts'
import { countReader, countsOf } from './list-reader.ts'
import type { Position } from './list-sql.ts'
import { searchWalk } from './search-sql.ts'

export async function countEntities(context: Context, kind: Kind, { criteria = {}, q }: CountQuery) {
  const countNext = q ? countsOf(context, kind, testedPlan(kind, criteria)) : await countReader(context, kind, criteria)
  let count = 0
  let after: Position | undefined
  for (let scan = 0; scan < COUNT_MAX_SCANS && count <= COUNT_MAX; scan++) {
    const search = q && searchWalk(context.org.id, [kind.name], q, after)
    const found = await countNext(after, COUNT_MAX + 1, search)
    count += found.count
    after = found.next
    if (!after) break
  }
  return { count: Math.min(count, COUNT_MAX), isExact: count <= COUNT_MAX && !after }
}
