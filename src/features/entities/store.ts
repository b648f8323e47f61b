// Reads entities. Every function is one round trip, relations included.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import type { Properties } from '../../platform/db/commit/write.ts'
import { type Entity, entityOf, rowColumns, type StoredRow } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { from, type Given, indexedBy, named, prepared, preparedBy } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'
import type { IndexCheck, KnownIndex } from '../indexes/known.ts'
import {
  boundedSql,
  type CountRow,
  countSql,
  isScanned,
  type ListQuery,
  type ListValues,
  listKey,
  listValues,
  type Position,
  pageSql,
} from './list-sql.ts'
import {
  Attachment,
  foundIn,
  type RelatedRow,
  type Relation,
  type RelationsValues,
  relatedSql,
  relationsKey,
  relationsValue,
} from './relations.ts'

type PageRow = StoredRow & {
  k: Position['value']
  bytes: number
  /** Of a scanned page: it looked no further, and whether this row fits. */
  isEnd?: 0 | 1
  fits?: 0 | 1
}
type OneValues = { id: string; orgId: string; kind: string }

const oneSql = ({ id, orgId, kind }: Given<OneValues>): SQL<StoredRow> => sql`SELECT ${rowColumns()} FROM ${entities}
  WHERE ${entities.id} = ${id} AND ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}`

const readOne = prepared<OneValues, StoredRow>(oneSql)

const readRelatedToOne = preparedBy<readonly Relation[], OneValues & RelationsValues, RelatedRow>(
  relationsKey,
  (relations, given) => relatedSql(relations, oneSql(given), given),
)

export async function readEntity(
  db: Database,
  orgId: string,
  kind: Kind,
  id: string,
  relations: readonly Relation[],
): Promise<Entity | undefined> {
  const values = { id, orgId, kind: kind.name }
  const related = relations.length
    ? [readRelatedToOne(relations, { ...values, relations: relationsValue(relations) })]
    : []
  const [one, others] = await db.batch([readOne(values), ...related])
  const attachment = new Attachment(relations, foundIn(others?.results ?? []))
  const [row] = one.results
  return row && attachment.attach(entityOf(row))
}

/** What is stored of an entity, for those who go on from there. */
export async function readState(
  db: Database,
  orgId: string,
  kind: Kind,
  id: string,
): Promise<{ version: number; data: Properties } | undefined> {
  const row = await db.first(readOne({ id, orgId, kind: kind.name }))
  return row && { version: row.version, data: JSON.parse(row.data) as Properties }
}

export interface Page {
  entities: Entity[]
  /** The entity type of each. */
  kinds: string[]
  /** Where the next page begins; undefined at the end. */
  next: Position | undefined
  /** It ended before it was full, although more may fit (N71). */
  isPartial: boolean
}

const boundedPage = (query: ListQuery, given: Given<ListValues>) =>
  boundedSql(pageSql(query, given), given, sql`${given.pageBytes}`, isScanned(query)) as SQL<PageRow>

const readRows = preparedBy<ListQuery, ListValues, PageRow>(listKey, boundedPage)
const readRelatedToPage = preparedBy<
  { query: ListQuery; relations: readonly Relation[] },
  ListValues & RelationsValues,
  RelatedRow
>(
  ({ query, relations }) => `${listKey(query)} ${relationsKey(relations)}`,
  ({ query, relations }, given) => {
    const page = boundedPage(query, given)
    return relatedSql(relations, isScanned(query) ? sql`SELECT * FROM (${page}) WHERE fits` : page, given)
  },
)

/** Undefined where the indexes that it was planned with are no longer those that there are. */
export async function readPage(
  db: Database,
  query: ListQuery,
  relations: readonly Relation[],
  check?: IndexCheck,
): Promise<Page | undefined> {
  const values = { ...listValues(query), limit: query.limit + 1 }
  const related = relations.length
    ? [readRelatedToPage({ query, relations }, { ...values, orgId: query.orgId, relations: relationsValue(relations) })]
    : []
  const [first, ...others] = await db.batch([readRows(query, values), ...related, ...(check ? [check.statement] : [])])
  if (check && !check.holds(others.pop()?.results as unknown as KnownIndex[])) return undefined
  const rows = first.results.filter(row => row.fits !== 0)
  const attachment = new Attachment(relations, foundIn((others[0]?.results ?? []) as RelatedRow[]))
  const cut = first.results.at(-1)
  const isCut = cut && (cut.bytes >= PAGE_MAX_BYTES || cut.isEnd)
  const last = rows.length > query.limit ? rows[query.limit - 1] : isCut ? cut : undefined
  return {
    entities: rows.slice(0, query.limit).map(row => attachment.attach(entityOf(row))),
    kinds: rows.slice(0, query.limit).map(row => row.kind),
    next: last && { value: last.k, seq: last.seq },
    isPartial: last !== undefined && rows.length < query.limit,
  }
}

const count = preparedBy<ListQuery, ListValues, CountRow>(listKey, countSql)

/** How many there are, as far as one look goes; `next` is where another would go on. */
export interface Count {
  count: number
  next: Position | undefined
}

export async function readCount(db: Database, query: ListQuery, check?: IndexCheck): Promise<Count | undefined> {
  const [counted, indexes] = await db.batch([count(query, listValues(query)), ...(check ? [check.statement] : [])])
  if (check && !check.holds(indexes?.results as unknown as KnownIndex[])) return undefined
  const [row] = counted.results
  const next = row?.endSeq == null ? undefined : { value: row.endK, seq: row.endSeq }
  return { count: row?.count ?? 0, next }
}

const e = named(entities, 'e')

const findByFederatedId = prepared<{ keys: string; orgId: string }, { id: string; scope: string; federatedId: string }>(
  ({
    keys,
    orgId,
  }) => sql`SELECT ${e.id} AS id, k.value ->> 0 AS scope, k.value ->> 1 AS "federatedId" FROM json_each(${keys}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.federated)}
      ON ${e.orgId} = ${orgId} AND ${e.federatedScope} = k.value ->> 0 AND ${e.federatedId} = k.value ->> 1`,
)

/** Ids of entities by `scope\nfederatedId`. */
export async function findFederated(
  db: Database,
  orgId: string,
  keys: readonly (readonly [scope: string, federatedId: string])[],
): Promise<Map<string, string>> {
  const rows = await db.all(findByFederatedId({ keys: JSON.stringify(keys), orgId }))
  return new Map(rows.map(({ scope, federatedId, id }) => [`${scope}\n${federatedId}`, id]))
}

type MovedRow = { id: string; version: number; data: string | null }

const moved = prepared<{ orgId: string; moves: string }, MovedRow>(
  ({ orgId, moves }) => sql`SELECT ${entities.id} AS id, ${entities.version} AS version,
      iif(sum(octet_length(${entities.data})) OVER (ORDER BY m.key) <= ${sql.raw(String(PAGE_MAX_BYTES))}, ${entities.data}, NULL) AS data
    FROM json_each(${moves}) m CROSS JOIN ${entities} ${indexedBy(ENTITY_INDEX.id)} ON ${entities.id} = m.value ->> 0
    WHERE ${entities.orgId} = ${orgId} AND ${entities.typePath} <> m.value ->> 1`,
)

/** Those of the entities whose type path is another one than given; without data beyond what an answer may hold. */
export function readMoved(
  db: Database,
  orgId: string,
  moves: readonly (readonly [id: string, typePath: unknown])[],
): Promise<MovedRow[]> {
  return db.all(moved({ orgId, moves: JSON.stringify(moves) }))
}
