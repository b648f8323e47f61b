// What a revert reads (N52): the records to take back, newest first, and of each of their entities all records since and
// what is stored. Memory stays bounded, whatever the entities hold.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { clockOf } from '../../../platform/db/commit/clock.ts'
import type { Properties } from '../../../platform/db/commit/write.ts'
import { HISTORY_PAGE_FILES } from '../../../platform/db/limits.ts'
import {
  CHANGE_INDEX,
  changes,
  clocks,
  ENTITY_INDEX,
  entities,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import { publishes } from '../../../platform/db/schema/loads.ts'
import { columns, from, type Given, indexedBy, named, prepared, unionOf } from '../../../platform/db/sql.ts'
import type { Env } from '../../../platform/env.ts'
import type { HistoryFile } from '../../history/history-file.ts'
import { filesStatement } from '../../history/history-files-store.ts'
import { matchingIn } from '../../history/records.ts'
import type { RecordsQuery } from '../../history/store.ts'
import type { Present } from '../entity-plan.ts'
import type { Recorded, Selection, Source } from '../selection.ts'
import { everything, filedRecords, filedSizes, filesOfEntities, type OfEntities } from './files.ts'

const c = named(changes, 'c')
const u = named(unrecordedChanges, 'u')
const e = named(entities, 'e')

type Edges = Record<'first' | 'last' | 'earlier' | 'floor' | 'time', number | null>

const edge = (orgId: unknown, condition: SQL, way: SQL) => sql`(SELECT ${c.seq} FROM ${from(c)}
  ${indexedBy(CHANGE_INDEX.createdOn)} WHERE ${c.orgId} = ${orgId} AND ${c.createdOn} ${condition}
  ORDER BY ${c.createdOn} ${way}, ${c.seq} ${way} LIMIT 1)`

const selectEdges = prepared<{ orgId: string; since: number; until: number }, Edges>(
  ({ orgId, since, until }) => sql`SELECT ${edge(orgId, sql`>= ${since}`, sql`ASC`)} AS first,
    ${edge(orgId, sql`<= ${until}`, sql`DESC`)} AS last,
    ${edge(orgId, sql`< ${since}`, sql`DESC`)} AS earlier,
    (SELECT ${clocks.historyFloor} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}) AS floor, ${clockOf(orgId)} AS time`,
)

/** The range of commit order that a range of times stands for, and whether some of its records may have been swept. */
export async function edgesOf(env: Env, db: Database, orgId: string, since: number, until: number) {
  const ascending = everything(orgId, { createdOn: [since, until] })
  const descending = everything(orgId, { createdOn: [since, until], descending: true })
  const [found, firstFile, lastFile, earlierFile] = await db.batch([
    selectEdges({ orgId, since, until }),
    filesStatement(ascending, 1),
    filesStatement(descending, 1),
    filesStatement(everything(orgId, { createdOn: [0, since - 1] }), 1),
  ])
  const firstIn = async (query: RecordsQuery, [file]: HistoryFile[]) =>
    file ? (await matchingIn(env, query, file))[0]?.seq : undefined
  const edges = found.results[0]
  const lastSeq = edges?.last ?? (await firstIn(descending, lastFile.results)) ?? -1
  return {
    // Where nothing is so young, the range is empty.
    firstSeq: (await firstIn(ascending, firstFile.results)) ?? edges?.first ?? lastSeq + 1,
    lastSeq,
    /** When the newest commit was. */
    time: edges?.time ?? 0,
    hasSwept: Boolean(edges?.floor) && edges?.earlier == null && earlierFile.results.length === 0,
  }
}

export type Met = Omit<Recorded, 'detail' | 'version' | 'changeType'>

const MET = ['seq', 'entityType', 'entityId', 'createdOn', 'createdById', 'createdByType'] as const

type WindowValues = { orgId: string; before: number; first: number; limit: number }

const changesWindow = prepared<WindowValues, Omit<Met, 'source'>>(
  ({
    orgId,
    before,
    first,
    limit,
  }) => sql`SELECT ${columns(changes, MET)} FROM ${changes} ${indexedBy(CHANGE_INDEX.org)}
    WHERE ${changes.orgId} = ${orgId} AND ${changes.seq} < ${before} AND ${changes.seq} >= ${first}
    ORDER BY ${changes.seq} DESC LIMIT ${limit}`,
)

const asideWindow = prepared<Omit<WindowValues, 'first'> & { maker: string }, Omit<Met, 'source'>>(
  ({ orgId, before, maker, limit }) => sql`SELECT ${columns(unrecordedChanges, MET)}
    FROM ${unrecordedChanges} ${indexedBy(UNRECORDED_INDEX.maker)}
    WHERE ${unrecordedChanges.orgId} = ${orgId} AND ${unrecordedChanges.createdById} = ${maker}
      AND ${unrecordedChanges.seq} < ${before} ORDER BY ${unrecordedChanges.seq} DESC LIMIT ${limit}`,
)

export interface Window {
  met: Met[]
  /** Nothing lies behind them. */
  isLast: boolean
}

/** Records before a place, newest first, whoever made them. What was kept aside is found by its maker. */
export async function recordsBefore(
  env: Env,
  db: Database,
  orgId: string,
  { firstSeq, createdById }: Selection,
  source: Source,
  before: number,
  limit: number,
): Promise<Window> {
  if (source === 'aside') {
    const rows = createdById === null ? [] : await db.all(asideWindow({ orgId, before, maker: createdById, limit }))
    return { met: rows.map(row => ({ ...row, source })), isLast: rows.length < limit }
  }
  const query = everything(orgId, { descending: true, afterSeq: before })
  const [recorded, files] = await db.batch([
    changesWindow({ orgId, before, first: firstSeq, limit }),
    filesStatement(query, HISTORY_PAGE_FILES + 1),
  ])
  const rows: Omit<Met, 'source'>[] = recorded.results
  const within = files.results.filter(({ lastSeq }) => lastSeq >= firstSeq)
  for (const file of within.slice(0, HISTORY_PAGE_FILES)) {
    if (rows.length < limit) rows.push(...(await matchingIn(env, query, file)).filter(({ seq }) => seq >= firstSeq))
  }
  const isLast = rows.length < limit && within.length <= HISTORY_PAGE_FILES
  return { met: rows.slice(0, limit).map(row => ({ ...row, source })), isLast }
}

export type EntityKey = readonly [type: string, id: string]

const isOf = (table: typeof c | typeof u, { orgId }: Given<OfEntities>) =>
  sql`${table.orgId} = ${orgId} AND ${table.entityType} = k.value ->> 0 AND ${table.entityId} = k.value ->> 1`

const changesOf = (given: Given<OfEntities>, fields: SQL) => sql`SELECT ${fields} FROM json_each(${given.keys}) k
  CROSS JOIN ${from(c)} ${indexedBy(CHANGE_INDEX.entity)} ON ${isOf(c, given)} AND ${c.seq} >= ${given.first}`

const asideOf = (given: Given<OfEntities>, fields: SQL) => sql`SELECT ${fields} FROM json_each(${given.keys}) k
  CROSS JOIN ${from(u)} ${indexedBy(UNRECORDED_INDEX.entity)} ON ${isOf(u, given)} AND ${u.createdOn} >= ${given.since}`

/** A create says nothing that is not known without it. */
const detailOf = (table: typeof c | typeof u) => sql`CASE WHEN ${table.changeType} <> 'create' THEN ${table.detail} END`

const sizeFields = (table: typeof c | typeof u) =>
  sql`k.key AS at, k.value ->> 1 AS id, coalesce(octet_length(${detailOf(table)}), 0) + 200 AS bytes`

const selectSizes = prepared<OfEntities, { at: number; records: number; bytes: number; stored: number | null }>(
  given => sql`SELECT s.at, s.records, s.bytes, octet_length(${e.data}) AS stored FROM (
      SELECT at, id, count(*) AS records, sum(bytes) AS bytes
      FROM (${unionOf([changesOf(given, sizeFields(c)), asideOf(given, sizeFields(u))])}) GROUP BY at, id) s
    LEFT JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = s.id AND ${e.orgId} = ${given.orgId}`,
)

const valuesOf = (orgId: string, { firstSeq, since }: Selection, keys: readonly EntityKey[]): OfEntities => ({
  orgId,
  keys: JSON.stringify(keys),
  first: firstSeq,
  since,
})

export interface Size {
  records: number
  bytes: number
  /** The files that some of them are in. */
  files: readonly number[]
}

/** How much there is to read of each entity, in the order of the keys. */
export async function sizesOf(
  db: Database,
  orgId: string,
  selection: Selection,
  keys: readonly EntityKey[],
): Promise<Size[]> {
  const values = valuesOf(orgId, selection, keys)
  const [inTables, inFiles] = await db.batch([selectSizes(values), filedSizes(values)])
  const filed = new Map(
    inFiles.results.map(({ at, files, ...size }) => [at, { ...size, files: JSON.parse(files) as number[] }]),
  )
  const found = new Map(inTables.results.map(({ at, ...size }) => [at, size]))
  return keys.map((_, at) => {
    const [own, older] = [found.get(at), filed.get(at)]
    return {
      records: (own?.records ?? 0) + (older?.records ?? 0),
      bytes: (own?.bytes ?? 0) + (own?.stored ?? 0) + (older?.bytes ?? 0),
      files: older?.files ?? [],
    }
  })
}

const FIELDS = [
  'seq',
  'entityType',
  'entityId',
  'changeType',
  'createdOn',
  'createdById',
  'createdByType',
  'version',
] as const

const changesToTakeBack = prepared<OfEntities, Omit<Recorded, 'source'>>(
  given => changesOf(given, sql`${columns(c, FIELDS)}, ${detailOf(c)} AS detail`) as SQL<Omit<Recorded, 'source'>>,
)
const asideToTakeBack = prepared<OfEntities, Omit<Recorded, 'source'>>(
  given => asideOf(given, sql`${columns(u, FIELDS)}, ${detailOf(u)} AS detail`) as SQL<Omit<Recorded, 'source'>>,
)
const selectPresent = prepared<OfEntities, { id: string; kind: string; version: number; data: string }>(
  given => sql`SELECT ${columns(e, ['id', 'kind', 'version', 'data'])} FROM json_each(${given.keys}) k
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = k.value ->> 1 AND ${e.orgId} = ${given.orgId}
      AND ${e.kind} = k.value ->> 0`,
)

export interface History {
  /** Oldest first. */
  records: Recorded[]
  present: Present | undefined
}

/** By the id of the entity. */
export async function historiesOf(
  env: Env,
  db: Database,
  orgId: string,
  selection: Selection,
  keys: readonly EntityKey[],
): Promise<Map<string, History>> {
  const values = valuesOf(orgId, selection, keys)
  const [recorded, aside, present, files] = await db.batch([
    changesToTakeBack(values),
    asideToTakeBack(values),
    selectPresent(values),
    filesOfEntities(values),
  ])
  const histories = new Map(keys.map(([, id]): [string, History] => [id, { records: [], present: undefined }]))
  for (const row of recorded.results) histories.get(row.entityId)?.records.push({ ...row, source: 'changes' })
  for (const row of aside.results) histories.get(row.entityId)?.records.push({ ...row, source: 'aside' })
  for await (const row of filedRecords(env, orgId, files.results, histories, selection.firstSeq)) {
    histories.get(row.entityId)?.records.push(row)
  }
  for (const { records } of histories.values()) records.sort((a, b) => a.version - b.version)
  for (const { id, version, data } of present.results) {
    const history = histories.get(id)
    if (history) history.present = { version, data: JSON.parse(data) as Properties }
  }
  return histories
}

const selectReverts = prepared<{ orgId: string; ids: string }, { id: string; selection: string }>(
  ({ orgId, ids }) => sql`SELECT ${columns(e, ['id'])}, ${e.data} -> '$.selection' AS selection
    FROM json_each(${ids}) k CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = k.value
    WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'revert-process'`,
)

/** What those of the makers that are reverts have taken back. */
export async function selectionsOf(db: Database, orgId: string, makers: readonly string[]) {
  const rows = await db.all(selectReverts({ orgId, ids: JSON.stringify(makers) }))
  return new Map(rows.map(({ id, selection }) => [id, JSON.parse(selection) as Selection]))
}

const selectPublished = prepared<{ orgId: string; ids: string }, { assortmentId: string }>(
  ({ orgId, ids }) => sql`SELECT DISTINCT ${columns(publishes, ['assortmentId'])} FROM json_each(${ids}) k
    CROSS JOIN ${publishes} ON ${publishes.id} = k.value WHERE ${publishes.orgId} = ${orgId}`,
)

/** The assortments of these publishes. */
export async function publishedAssortments(db: Database, orgId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.all(selectPublished({ orgId, ids: JSON.stringify(ids) }))
  return rows.map(({ assortmentId }) => assortmentId)
}
