// The transactions that move change records into a file, and that remove a file (N58).
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Database, databaseFor, directory, type Statement } from '../../platform/db/client.ts'
import { insertRows } from '../../platform/db/commit/restored-rows.ts'
import { HISTORY_ORGS_AN_HOUR } from '../../platform/db/limits.ts'
import { CHANGE_INDEX, changes, clocks } from '../../platform/db/schema/entities.ts'
import { HISTORY_FILE_INDEX, historyFileEntities, historyFiles } from '../../platform/db/schema/history-files.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import {
  build,
  columns,
  from,
  indexedBy,
  named,
  type Param,
  prepared,
  type RowOf,
  selection,
  statement,
} from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import { textBytes } from '../../platform/json-size.ts'
import type { HistoryFile, WrittenFile } from './history-file.ts'
import { type ChangeRow, removal } from './store.ts'

const c = named(changes, 'c')

/** In another order each time: all of them have their turn, however many there are. */
export async function orgsWithFiles(env: Env): Promise<{ id: string; days: number }[]> {
  const select = build
    .select(selection(orgs, ['id', 'historyArchiveDays']))
    .from(orgs)
    .where(and(isNotNull(orgs.historyArchiveDays), isNull(orgs.deletedOn)))
    .orderBy(sql`random()`)
    .limit(HISTORY_ORGS_AN_HOUR)
  const rows = await directory(env).all(statement(select))
  return rows.map(({ id, historyArchiveDays }) => ({ id, days: historyArchiveDays ?? 0 }))
}

interface Due extends Pick<RowOf<typeof clocks>, 'filedSeq' | 'dispatchedSeq'> {
  oldestOn: number | null
  /** Of the last record that a full file would have. */
  fullOn: number | null
  /** Of the newest record that is one too many. */
  surplusOn: number | null
}

const createdOnAt = (orgId: Parameters<typeof sql>[1], way: 'ASC' | 'DESC', offset: Parameters<typeof sql>[1]) =>
  sql`(SELECT ${c.createdOn} FROM ${from(c)} ${indexedBy(CHANGE_INDEX.org)} WHERE ${c.orgId} = ${orgId}
    ORDER BY ${c.seq} ${sql.raw(way)} LIMIT 1 OFFSET ${offset})`

/** Counting all records takes long: most organizations cannot have as many, by the places that lie between. */
export const dueStatement = prepared<{ orgId: string; records: number; rows: number }, Due>(
  ({ orgId, records, rows }) => sql`SELECT ${columns(clocks, ['filedSeq', 'dispatchedSeq'])},
      ${createdOnAt(orgId, 'ASC', sql`0`)} AS "oldestOn", ${createdOnAt(orgId, 'ASC', sql`${records} - 1`)} AS "fullOn",
      CASE WHEN (SELECT max(${c.seq}) FROM ${from(c)} ${indexedBy(CHANGE_INDEX.org)} WHERE ${c.orgId} = ${orgId})
        - ${clocks.filedSeq} > ${rows} THEN ${createdOnAt(orgId, 'DESC', rows)} END AS "surplusOn"
    FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`,
)

/** Begins the message of a transaction whose records are not there any more as they were read. */
const OVERTAKEN = 'history file: overtaken'

export const isOvertaken = (error: unknown) => error instanceof Error && error.message.includes(OVERTAKEN)

interface Moved {
  orgId: string
  from: number
  last: number
  records: number
  firstOn: number
  /** How much later than the first they were made, all together: times may be put right (N23). */
  laterBy: number
}

const areThere = ({ orgId, from: filedSeq, last, records, firstOn, laterBy }: Moved): Statement =>
  statement(sql`SELECT json_extract('{}', ${sql.raw(`'${OVERTAKEN}'`)}) WHERE NOT EXISTS (SELECT 1 FROM ${clocks}
      WHERE ${clocks.orgId} = ${orgId} AND ${clocks.filedSeq} = ${filedSeq}
        AND coalesce(${clocks.dispatchedSeq}, ${last}) >= ${last})
    OR (${records}, ${laterBy}) <> (SELECT count(*), sum(${c.createdOn} - ${firstOn})
      FROM ${from(c)} ${indexedBy(CHANGE_INDEX.org)} WHERE ${c.orgId} = ${orgId} AND ${c.seq} > ${filedSeq} AND ${c.seq} <= ${last})`)

/** Records of the organization up to a file's last become the file. All of it, or nothing. */
export async function putIntoFile(
  db: Database,
  orgId: string,
  filedSeq: number,
  records: readonly ChangeRow[],
  written: WrittenFile,
): Promise<void> {
  const [first, last] = [records[0], records.at(-1)]
  if (!first || !last) return
  const file: HistoryFile = {
    ...written,
    orgId,
    firstSeq: first.seq,
    lastSeq: last.seq,
    firstOn: first.createdOn,
    lastOn: last.createdOn,
    records: records.length,
    entityTypes: JSON.stringify([...new Set(records.map(({ entityType }) => entityType))].sort()),
  }
  const laterBy = records.reduce((sum, { createdOn }) => sum + createdOn - first.createdOn, 0)
  const entities = entitiesOf(records)
  const names = Object.keys(entities[0] ?? {})
  await db.batch([
    areThere({ orgId, from: filedSeq, last: last.seq, records: records.length, firstOn: first.createdOn, laterBy }),
    statement(build.insert(historyFiles).values(file)),
    ...insertRows({ table: historyFileEntities, names, rows: entities.map(row => Object.values(row) as Param[]) }),
    ...removal(orgId, sql`${changes.seq} > ${filedSeq} AND ${changes.seq} <= ${last.seq}`),
    statement(build.update(clocks).set({ filedSeq: last.seq }).where(eq(clocks.orgId, orgId))),
  ])
}

type FileEntity = RowOf<typeof historyFileEntities>

/** One row for each entity. */
export function entitiesOf(records: readonly ChangeRow[]): FileEntity[] {
  const found = new Map<string, FileEntity>()
  for (const { seq, orgId, entityType, entityId, changeType, createdOn, createdById, detail } of records) {
    const key = `${entityType}:${entityId}`
    const before = found.get(key)
    const isCreate = changeType === 'create'
    found.set(key, {
      seq,
      orgId,
      entityType,
      entityId,
      records: (before?.records ?? 0) + 1,
      detailBytes: (before?.detailBytes ?? 0) + (isCreate ? 0 : textBytes(detail)),
      changedOn: createdOn,
      changedById: createdById,
      madeOn: isCreate ? createdOn : (before?.madeOn ?? null),
      madeById: isCreate ? createdById : (before?.madeById ?? null),
    })
  }
  return [...found.values()]
}

const f = named(historyFiles, 'f')

const oldestFile = prepared<{ orgId: string }, HistoryFile>(
  ({ orgId }) => sql`SELECT ${columns(f)} FROM ${from(f)} WHERE ${f.orgId} = ${orgId} ORDER BY ${f.lastSeq} LIMIT 1`,
)

/** Removes the organization's oldest file where all of its records are from before a time, and raises the floor over it. */
export async function removeOldestFile(env: Env, orgId: string, before: number): Promise<HistoryFile | undefined> {
  const db = databaseFor(env, orgId)
  const file = await db.first(oldestFile({ orgId }))
  if (!file || file.lastOn >= before) return undefined
  const { lastSeq } = file
  await db.batch([
    statement(
      build
        .update(clocks)
        .set({ historyFloor: sql`max(${clocks.historyFloor}, ${lastSeq})` })
        .where(eq(clocks.orgId, orgId)),
    ),
    statement(sql`DELETE FROM ${historyFileEntities} ${indexedBy(HISTORY_FILE_INDEX.org)}
      WHERE ${historyFileEntities.orgId} = ${orgId} AND ${historyFileEntities.seq} <= ${lastSeq}`),
    statement(build.delete(historyFiles).where(and(eq(historyFiles.orgId, orgId), eq(historyFiles.lastSeq, lastSeq)))),
  ])
  return file
}
