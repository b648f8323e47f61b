// The indexes that lists may use. The isolate remembers them, and takes an entity type that it has not seen to have none; every list
// that could use one reads them in its own round trip, and begins anew where they are not those that it was planned with.
import type { Database } from '../../platform/db/client.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { INDEXES_CACHE_MAX_ORGS } from '../../platform/limits.ts'
import { type KnownIndex, readyIndexes } from './store.ts'

export type { KnownIndex } from './store.ts'

const remembered = new Map<string, readonly KnownIndex[]>()

const keyOf = (orgId: string, kind: string) => `${orgId} ${kind}`

/** Where the one that is `needed` is not known, there may be one since. */
export async function knownIndexes(
  db: Database,
  orgId: string,
  kind: string,
  needed: string | undefined,
): Promise<readonly KnownIndex[]> {
  const known = remembered.get(keyOf(orgId, kind)) ?? []
  if (needed === undefined || known.some(({ property }) => property === needed)) return known
  return remember(orgId, kind, await db.all(readyIndexes(orgId, kind)))
}

function remember(orgId: string, kind: string, indexes: readonly KnownIndex[]): readonly KnownIndex[] {
  if (remembered.size >= INDEXES_CACHE_MAX_ORGS) remembered.clear()
  remembered.set(keyOf(orgId, kind), indexes)
  return indexes
}

/** A statement that goes along with a list, and whether its answer is what was known. */
export function indexCheck(orgId: string, kind: string, known: readonly KnownIndex[]) {
  return {
    statement: readyIndexes(orgId, kind) as Statement<KnownIndex>,
    holds(found: readonly KnownIndex[]): boolean {
      remember(orgId, kind, found)
      const read = (indexes: readonly KnownIndex[]) => indexes.map(({ id, lists }) => `${id} ${lists > 0}`).join()
      return read(found) === read(known)
    },
  }
}

export type IndexCheck = ReturnType<typeof indexCheck>
