// Which changes the history shows, and how the same are asked for elsewhere. Pure.
import { shellWord } from './quoted.ts'
import type { Way } from './way.ts'

/** As they stand in the address. */
export interface HistoryFilters {
  type?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

export function historyCriteria({ type, from, until }: HistoryFilters) {
  return {
    ...(type && { entityType: type }),
    ...((from || until) && { createdOn: `BETWEEN ${from || '2000-01-01'} and ${until || '2999-12-31'}` }),
  }
}

export function historyWay(filters: HistoryFilters, limit: number): Way {
  const { type, from, until } = filters
  const criteria = historyCriteria(filters)
  const isFiltered = Object.keys(criteria).length > 0
  const key = JSON.stringify(criteria)
  const flags = [
    type && `--entity-type ${shellWord(type)}`,
    from && `--since ${shellWord(from)}`,
    until && `--until ${shellWord(until)}`,
  ].filter(Boolean)
  return {
    path: `/change-history?limit=${limit}${isFiltered ? `&criteria=${encodeURIComponent(key)}` : ''}`,
    typescript: `const { results, syncKey } = await client.changes.list({ criteria: ${key}, limit: ${limit} })`,
    command: ['changes', `--limit ${limit}`, ...flags].join(' '),
  }
}
