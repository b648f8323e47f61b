// Finds the files that hold old change records (N58), in the order in which a walk through the history comes to them.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { HISTORY_FILE_INDEX, historyFileEntities, historyFiles } from '../../platform/db/schema/history-files.ts'
import {
  all,
  columns,
  from,
  type Given,
  indexedBy,
  named,
  type Param,
  prepared,
  preparedBy,
  type Statement,
} from '../../platform/db/sql.ts'
import type { HistoryFile } from './history-file.ts'
import type { RecordsQuery } from './store.ts'

const f = named(historyFiles, 'f')
const g = named(historyFiles, 'g')
const x = named(historyFileEntities, 'x')
const y = named(historyFileEntities, 'y')

/** The place of the file that a record is in. */
export const fileWith = (orgId: SQLWrapper, seq: SQLiteColumn) =>
  sql`(SELECT min(${g.lastSeq}) FROM ${from(g)} WHERE ${g.orgId} = ${orgId} AND ${g.lastSeq} >= ${seq})`

type FilesValues = Record<string, Param>

const filesKey = ({ entity, entityTypes, createdOn, descending, afterSeq }: RecordsQuery) =>
  [entity && 'entity', entityTypes.length > 0, createdOn && 'time', descending, afterSeq !== undefined].join()

/** Places behind the last page; going down, the first place at or above it may lead to a file that reaches below it. */
function behind(
  { descending, afterSeq }: RecordsQuery,
  given: Given<FilesValues>,
  place: SQLiteColumn,
  next: SQL,
): SQL[] {
  if (afterSeq === undefined) return []
  if (!descending) return [sql`${place} > ${given.afterSeq}`]
  return [sql`${place} <= coalesce((${next}), ${given.afterSeq})`, sql`${f.firstSeq} < ${given.afterSeq}`]
}

const isOf = (table: typeof x, { orgId, type, id }: Given<FilesValues>) =>
  sql`${table.entityId} = ${id} AND ${table.orgId} = ${orgId} AND ${table.entityType} = ${type}`

const selectFiles = preparedBy<RecordsQuery, FilesValues, HistoryFile>(filesKey, (query, given) => {
  const { entity, entityTypes, createdOn, descending } = query
  const way = sql.raw(descending ? 'DESC' : 'ASC')
  const within = createdOn ? [sql`${f.lastOn} >= ${given.first}`, sql`${f.firstOn} <= ${given.last}`] : []
  if (entity) {
    const next = sql`SELECT min(${y.seq}) FROM ${from(y)} ${indexedBy(HISTORY_FILE_INDEX.entity)}
      WHERE ${isOf(y, given)} AND ${y.seq} >= ${given.afterSeq}`
    return sql<HistoryFile>`SELECT ${columns(f)} FROM ${from(x)} ${indexedBy(HISTORY_FILE_INDEX.entity)}
      CROSS JOIN ${from(f)} ON ${f.orgId} = ${given.orgId} AND ${f.lastSeq} = ${fileWith(given.orgId as SQLWrapper, x.seq)}
      WHERE ${all([isOf(x, given), ...behind(query, given, x.seq, next), ...within])}
      ORDER BY ${x.seq} ${way} LIMIT ${given.limit}`
  }
  const isWanted = sql`EXISTS (SELECT 1 FROM json_each(${f.entityTypes}) t
    WHERE t.value IN (SELECT value FROM json_each(${given.types})))`
  const next = sql`SELECT min(${g.lastSeq}) FROM ${from(g)} WHERE ${g.orgId} = ${given.orgId} AND ${g.lastSeq} >= ${given.afterSeq}`
  const conditions = [
    sql`${f.orgId} = ${given.orgId}`,
    ...behind(query, given, f.lastSeq, next),
    ...within,
    ...(entityTypes.length ? [isWanted] : []),
  ]
  return sql<HistoryFile>`SELECT ${columns(f)} FROM ${from(f)} WHERE ${all(conditions)}
    ORDER BY ${f.lastSeq} ${way} LIMIT ${given.limit}`
})

/** Files that may hold what a query asks for, at most `limit`. */
export function filesStatement(query: RecordsQuery, limit: number): Statement<HistoryFile> {
  const { orgId, entityTypes, entity, createdOn, afterSeq } = query
  return selectFiles(query, {
    orgId,
    limit,
    afterSeq: afterSeq ?? null,
    first: createdOn?.[0] ?? null,
    last: createdOn?.[1] ?? null,
    type: entity?.type ?? null,
    id: entity?.id ?? null,
    types: JSON.stringify(entityTypes),
  })
}

const selectLedTo = prepared<{ orgs: string; objects: string }, { objectId: string }>(
  ({ orgs, objects }) => sql`SELECT ${columns(f, ['objectId'])} FROM ${from(f)}
    WHERE ${f.orgId} IN (SELECT value FROM json_each(${orgs})) AND ${f.objectId} IN (SELECT value FROM json_each(${objects}))`,
)

/** Those of the objects that an index row leads to. */
export const ledToStatement = (objects: readonly { orgId: string; objectId: string }[]) =>
  selectLedTo({
    orgs: JSON.stringify([...new Set(objects.map(({ orgId }) => orgId))]),
    objects: JSON.stringify(objects.map(({ objectId }) => objectId)),
  })
