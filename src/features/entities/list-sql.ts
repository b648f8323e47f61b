// From a list's plan to its SQL. A page walks one index from where the last page ended and reads no further than it
// must; criteria without an index are tested on a bounded number of rows, of a bounded number of bytes (N16, N48). The text
// depends on the shape of the plan alone; the values go beside it. Pure.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { rowColumns } from '../../platform/db/row.ts'
import { entities } from '../../platform/db/schema/entities.ts'
import { searchEntities } from '../../platform/db/schema/search.ts'
import { all, from, named, type Param, withinBytes } from '../../platform/db/sql.ts'
import { COUNT_MAX, PAGE_MAX_BYTES, PAGE_SCAN_MAX_BYTES, PAGE_SCAN_MAX_ROWS } from '../../platform/limits.ts'
import { SEARCH_SCAN_MAX_ROWS } from '../../platform/search/limits.ts'
import { letterForms } from './conditions.ts'
import type { Condition, Plan } from './criteria.ts'
import { conditionKey, conditionSql, conditionValues, filtersIn, numberText } from './filter-sql.ts'
import { indexedValue } from './indexed-values.ts'
import { isFewSql, narrowValues } from './narrow-sql.ts'
import { foundSql, placesSql, searchKey, searchValues } from './search-sql.ts'
import {
  conditionsBeside,
  gatherSql,
  isLongInteger,
  type ListQuery,
  type ListValues,
  narrowedSql,
  orderRange,
  type Places,
  walkSql,
} from './walk-sql.ts'

export type { ListQuery, ListValues, Position } from './walk-sql.ts'

export function listValues({ orgId, kind, plan, after, limit, search }: ListQuery): ListValues {
  return {
    orgId,
    kind: kind.name,
    limit,
    afterValue: isLongInteger(after) ? numberText(after.value) : (after?.value ?? null),
    afterSeq: after?.seq ?? null,
    held: heldValue(plan.walk),
    // Where the walk is held at a value of an index, the order is another column's.
    alongId: plan.walk.index?.id ?? plan.order.index?.id ?? null,
    narrowId: plan.narrow?.index?.id ?? null,
    ...(plan.narrow && narrowValues(plan.narrow.filter)),
    gathered: plan.gather && 'any' in plan.gather.test ? JSON.stringify(plan.gather.test.any) : null,
    pageBytes: PAGE_MAX_BYTES,
    scanBytes: Math.max(1, Math.floor(PAGE_SCAN_MAX_BYTES / Math.max(1, weightOf(plan.filters)))),
    ...conditionValues(plan.filters),
    ...(search && searchValues(search)),
  }
}

function heldValue({ value, index }: Plan['walk']): Param {
  if (value === undefined) return null
  if (index) return numberText(indexedValue(value))
  return typeof value === 'boolean' ? String(value) : value
}

/** How often the data of an entity is read: once by each filter, and for every few forms of letters, or words, again. */
function weightOf(conditions: readonly Condition[]): number {
  const filters = filtersIn(conditions).map(letterForms)
  const words = conditions.flatMap(condition => ('sought' in condition ? [condition.sought.words.length] : []))
  return [...filters, ...words].reduce((sum, parts) => sum + 1 + parts / PARTS_A_READING, 0)
}

const PARTS_A_READING = 4

/** Queries of one key have the same text. */
export function listKey({ plan, after, search }: ListQuery): string {
  const { walk, gather, narrow, order, filters } = plan
  if (search) return [searchKey(search), ...filters.map(conditionKey)].join()
  const begin = after ? (after.value === null ? 'absent' : isLongInteger(after) ? 'integer' : 'value') : ''
  const held = walk.value === undefined ? '' : `held ${typeof walk.value}`
  const way = order.descending ? 'desc' : 'asc'
  return [
    begin,
    walk.column?.column ?? 'index',
    held,
    gather?.column?.column,
    order.column?.column ?? 'index',
    way,
    `narrow ${narrow?.filter.at} range ${orderRange(plan)?.at}`,
    ...filters.map(conditionKey),
  ].join()
}

const e = named(entities, 'e')

const SCAN_MAX = sql.raw(String(PAGE_SCAN_MAX_ROWS))
const SEARCH_SCAN_MAX = sql.raw(String(SEARCH_SCAN_MAX_ROWS))
const s = named(searchEntities, 's')

/**
 * Where the entities of the page stand, how large they are, and `k`, the value of the order column; of a scanned page also `isEnd` and
 * `fits`. What they hold is not read: a page may have room for a few of them only.
 */
export function pageSql(query: ListQuery, given: Places): SQL {
  const { plan } = query
  if (!isScanned(query)) {
    const place = sql`${e.seq}, octet_length(${e.data}) AS size`
    return plan.gather
      ? gatherSql(query, plan.gather, given, place)
      : walkSql(query, given, 'places', sql`${given.limit}`)
  }
  const fits = fitsSql(query, given)
  return sql`SELECT scanned.seq, scanned.size, scanned.k, scanned."isEnd", iif(scanned."isEnd", (${fits}) IS TRUE, 1) AS fits
    FROM ${scannedRows(query, given)}
    WHERE scanned."isEnd" OR (${fits}) LIMIT ${given.limit}`
}

/** Entities that a page looks at, with their words where words lead. */
function scannedRows(query: ListQuery, given: Places): SQL {
  const words = query.search
    ? sql` CROSS JOIN ${from(s)} ON ${s.seq} = scanned.seq AND ${s.orgId} = ${given.orgId}`
    : sql``
  return sql`(${scanSql(query, given)}) scanned CROSS JOIN ${from(e)}
    ON ${e.seq} = scanned.seq AND ${e.orgId} = ${given.orgId}${words}`
}

function fitsSql({ plan, search }: ListQuery, given: Places): SQL {
  const conditions = (search ? plan.filters : conditionsBeside(plan)).map(condition => conditionSql(condition, given))
  if (!search) return all(conditions)
  return all([sql`${e.orgId} = ${given.orgId} AND ${e.kind} = scanned.kind`, foundSql(given), ...conditions])
}

/** Whether a page may end before its rows do, because it has looked at as many as it may. */
export function isScanned({ plan, search }: ListQuery): boolean {
  return search !== undefined || (!plan.gather && conditionsBeside(plan).length > 0)
}

/**
 * The rows that a page may look at. The last of them says `isEnd` where there may be more: it comes back even if it does not
 * fit, for the next page goes on behind it.
 */
function scanSql(query: ListQuery, given: Places): SQL {
  if (query.search) return boundedScan(placesSql(query.search, given), SEARCH_SCAN_MAX, given)
  return boundedScan(placesOf(query, given), SCAN_MAX, given)
}

/** Along the walk, or over the few that an index has. */
function placesOf(query: ListQuery, given: Places): SQL {
  const { narrow } = query.plan
  if (!narrow) return walkSql(query, given, 'places', SCAN_MAX)
  const atMost = (ofFew: number, else_: number) =>
    sql`iif((SELECT "isFew" FROM few), ${sql.raw(String(ofFew))}, ${sql.raw(String(else_))})`
  return sql`WITH few ("isFew") AS MATERIALIZED (${isFewSql(query.plan, narrow.filter, given)})
    SELECT seq, k, size FROM (${walkSql(query, given, 'places', atMost(0, PAGE_SCAN_MAX_ROWS))})
    UNION ALL SELECT seq, k, size FROM (${narrowedSql(query, narrow.filter, given, atMost(PAGE_SCAN_MAX_ROWS, 0))})`
}

function boundedScan(rows: SQL, most: SQL, given: Places): SQL {
  return sql`SELECT *, place = ${most} OR bytes >= ${given.scanBytes} AS "isEnd" FROM (
      SELECT *, row_number() OVER rows_so_far AS place, sum(size) OVER rows_so_far AS bytes FROM (${rows})
      WINDOW rows_so_far AS (ROWS UNBOUNDED PRECEDING))
    WHERE bytes - size < ${given.scanBytes}`
}

/** The entities of these places as far as their bytes go. */
export function boundedSql(places: SQL, { orgId }: Places, maxBytes: number | SQLWrapper, areScanned = false): SQL {
  const kept = areScanned ? sql`, b."isEnd", b.fits` : sql``
  return sql`SELECT ${rowColumns(e)}, b.k, b.bytes${kept} FROM ${withinBytes(places, maxBytes)} b
    CROSS JOIN ${from(e)} ON ${e.seq} = b.seq AND ${e.orgId} = ${orgId}`
}

export type CountRow = { count: number; endSeq: number | null; endK: string | number | null }

const COUNTED = sql.raw(String(COUNT_MAX + 1))

/** How many there are, up to one more than is counted; of a scan, as far as it may look, with where it ended. */
export function countSql(query: ListQuery, given: Places): SQL<CountRow> {
  const { plan } = query
  if (!isScanned(query)) {
    const rows = plan.gather ? gatherSql(query, plan.gather, given, sql`1`) : walkSql(query, given, 'presence', COUNTED)
    return sql`SELECT count(*) AS count, NULL AS "endSeq", NULL AS "endK" FROM (${rows})`
  }
  return sql`SELECT count(*) FILTER (WHERE ${fitsSql(query, given)}) AS count, max(iif(scanned."isEnd", scanned.seq, NULL)) AS "endSeq",
      max(iif(scanned."isEnd", scanned.k, NULL)) AS "endK"
    FROM ${scannedRows(query, given)}`
}
