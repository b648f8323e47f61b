// Where a page goes on: rows behind a place in an order of several columns, each with its own direction.
import { and, eq, gt, lt, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

export interface OrderedBy {
  column: SQLiteColumn
  descending?: boolean
}

/** Undefined: from the beginning. */
export function behind(order: readonly OrderedBy[], place: readonly (string | number)[] | undefined): SQL | undefined {
  if (!place) return undefined
  const ways = order.map(({ column, descending }, at) => {
    const isSameUpTo = order.slice(0, at).map((earlier, index) => eq(earlier.column, place[index]))
    return and(...isSameUpTo, descending ? lt(column, place[at]) : gt(column, place[at]))
  })
  return or(...ways)
}
