// Reads an organization page by page, each page in one round trip together with the clock: whoever finds its count of commits
// unchanged has read one state.
import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, directory, type Statement } from '../../../platform/db/client.ts'
import {
  CHANGE_INDEX,
  changes,
  clocks,
  ENTITY_INDEX,
  entities,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import { publishes } from '../../../platform/db/schema/loads.ts'
import { memberships, orgs, users } from '../../../platform/db/schema/organizations.ts'
import { bare, columns, indexedBy, list, type RowOf, statement, withinBytes } from '../../../platform/db/sql.ts'
import type { OrganizationTable } from '../../../platform/db/tables.ts'
import type { Env } from '../../../platform/env.ts'
import { jsonBytes } from '../../../platform/json-size.ts'
import { filesStatement } from '../../history/history-files-store.ts'
import { matchingIn } from '../../history/records.ts'
import type { ChangeRow, RecordsQuery } from '../../history/store.ts'
import type { Place } from '../cursor.ts'
import { type Archived, type ArchivedName, archived, archivedColumns } from './archived-tables.ts'

export const PAGE_ROWS = 1000
const PAGE_BYTES = 2 * 1024 * 1024
/** Of each entity type, where all of them are read at once. */
const FOLLOW_BYTES = 256 * 1024
/**
 * What the rows of a page may come to as text, where values are quoted once more. A restore takes more than that, and more than any single
 * row can come to: a database holds 2 MB of it, and each byte becomes six at the most.
 */
const PAGE_TEXT_BYTES = 6 * 1024 * 1024

type Row = Record<string, unknown>
type ReadRow = Row & { bytes: number }

export interface Page {
  rows: Row[]
  /** Where the next one goes on; none: there is nothing behind this page. */
  place: Place | null
}

interface Walk extends Archived {
  name: ArchivedName
  orgId: string
  after: Place | null
  maxBytes?: number
}

export function walk({ name, table, order, index = sql``, size, where, orgId, after, maxBytes = PAGE_BYTES }: Walk) {
  const behind = after ? sql` AND (${list(order)}) > (${list(after.map(value => sql`${value}`))})` : sql``
  const rows = sql`SELECT ${table}.rowid AS seq, ${size} AS size FROM ${table} ${index}
    WHERE ${table.orgId} = ${orgId}${where ? sql` AND ${where}` : sql``}${behind}
    ORDER BY ${list(order)} LIMIT ${PAGE_ROWS}`
  const places = order.map((column, at) => sql`${column} AS ${sql.identifier(`place${at}`)}`)
  return statement(sql<ReadRow>`SELECT ${columnsOf(name, table)}, ${list(places)}, b.bytes
    FROM ${withinBytes(rows, maxBytes)} b CROSS JOIN ${table} ON ${table}.rowid = b.seq${joined(name)}`)
}

/** A membership is worth nothing without the person. */
const joined = (name: ArchivedName) =>
  name === 'members' ? sql` JOIN ${users} ON ${users.id} = ${memberships.userId}` : sql``
const columnsOf = (name: ArchivedName, table: OrganizationTable) => {
  const own = columns(table, archivedColumns(name) as never[])
  return name === 'members' ? sql`${own}, ${users.email} AS email, ${users.createdOn} AS "userCreatedOn"` : own
}

/** Whether a page has room for one more row; one that is larger than a page has one of its own. */
function counter() {
  let bytes = 0
  return (row: Row) => {
    const more = jsonBytes(row)
    const hasRoom = bytes === 0 || bytes + more <= PAGE_TEXT_BYTES
    if (hasRoom) bytes += more
    return hasRoom
  }
}

function pageOf(results: readonly ReadRow[], { order, after, maxBytes = PAGE_BYTES }: Walk, hasRoom = counter()): Page {
  const first = results.findIndex(row => !hasRoom(row))
  const told = first < 0 ? results : results.slice(0, first)
  const last = told.at(-1)
  const isCut = first >= 0 || results.length === PAGE_ROWS || (last?.bytes ?? 0) >= maxBytes
  const reached = last ? order.map((_, at) => last[`place${at}`] as string | number) : after
  return { rows: told.map(rowIn), place: isCut ? reached : null }
}

function rowIn({ bytes, ...row }: ReadRow): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !/^place\d$/.test(name)))
}

export type ClockRow = RowOf<typeof clocks>

const clockOf = (orgId: string) =>
  statement(sql<ClockRow>`SELECT ${columns(clocks)} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`)

const countOf = (orgId: string, kinds: readonly string[]) => sql<number>`(SELECT count(*)
  FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)} WHERE ${entities.orgId} = ${orgId} AND ${inArray(entities.kind, [...kinds])})`

const highestOf = (table: OrganizationTable) =>
  statement(sql<{ seq: number }>`SELECT coalesce(max(rowid), 0) AS seq FROM ${table}`)

/**
 * Where everything stands when a backup begins. A release that did not count entities may have written while this one was being
 * deployed, or after it was gone back to: an archive that told of another number than it holds could not be brought back.
 */
export async function readBeginning(db: Database, orgId: string, counted: readonly string[]) {
  const [clock, count, changed, unrecorded, published] = await db.batch([
    clockOf(orgId),
    statement(sql<{ count: number }>`SELECT ${countOf(orgId, counted)} AS count`),
    highestOf(changes),
    highestOf(unrecordedChanges),
    highestOf(publishes),
  ])
  if (clock.results[0]?.entities !== count.results[0]?.count) {
    await db.run(
      statement(
        sql`UPDATE ${clocks} SET ${bare(clocks.entities)} = ${countOf(orgId, counted)} WHERE ${clocks.orgId} = ${orgId}`,
      ),
    )
  }
  const seqIn = ({ results }: { results: { seq: number }[] }) => results[0]?.seq ?? 0
  return {
    clock: clock.results[0],
    changes: seqIn(changed),
    unrecorded: seqIn(unrecorded),
    publishes: seqIn(published),
  }
}

async function readPage(db: Database, asked: Walk) {
  const [rows, clock] = await db.batch([walk(asked), clockOf(asked.orgId)])
  return { ...pageOf(rows.results, asked), clock: clock.results[0] }
}

export function readKind(db: Database, orgId: string, kind: string, after: Place | null) {
  const where = sql`${entities.kind} = ${kind}`
  return readPage(db, { ...archived('entities'), name: 'entities', orgId, after, where })
}

/** `upTo`: what came later is read by the passes that follow. */
export function readTable(db: Database, name: ArchivedName, orgId: string, after: Place | null, upTo?: number) {
  const table = archived(name)
  const where = upTo === undefined ? table.where : sql`${table.table}.rowid <= ${upTo}`
  return readPage(db, { ...table, name, orgId, after, ...(where && { where }) })
}

/** What a page of change records comes to first: those that are in files, a file at a time (N58). */
export async function readChanges(env: Env, db: Database, orgId: string, after: Place | null) {
  const walked: Walk = { ...archived('changes'), name: 'changes', orgId, after }
  const afterSeq = Number(after?.[0] ?? 0)
  const query: RecordsQuery = { ...ALL_RECORDS, orgId, afterSeq }
  const [rows, clock, files] = await db.batch([walk(walked), clockOf(orgId), filesStatement(query, 1)])
  const [file] = files.results
  const page = file ? filedPage(await matchingIn(env, query, file)) : pageOf(rows.results, walked)
  return { ...page, clock: clock.results[0] }
}

/** As large as a page of a table; what is in the table, or in the next file, comes behind it in any case. */
function filedPage(records: readonly ChangeRow[]): Page {
  const hasRoom = counter()
  const rows: Row[] = []
  let last = 0
  for (const { orgId: _, ...row } of records.slice(0, PAGE_ROWS)) {
    if (!hasRoom(row)) break
    rows.push(row)
    last = row.seq
  }
  return { rows, place: [last] }
}

const ALL_RECORDS = { entityTypes: [], entity: undefined, createdOn: undefined, descending: false, limit: 1 } as const

export type Deleted = { seq: number; kind: string; id: string }

/** Entities that were deleted since, and have not come back. */
function deletions(table: typeof changes | typeof unrecordedChanges, index: SQL, orgId: string, afterSeq: number) {
  return statement(sql<Deleted>`SELECT ${table.seq} AS seq, ${table.entityType} AS kind, ${table.entityId} AS id
    FROM ${table} ${index} WHERE ${table.orgId} = ${orgId} AND ${table.seq} > ${afterSeq} AND ${table.changeType} = 'delete'
      AND NOT EXISTS (SELECT 1 FROM ${entities} WHERE ${entities.id} = ${table.entityId} AND ${entities.orgId} = ${orgId})
    ORDER BY ${table.seq} LIMIT ${PAGE_ROWS}`)
}

export interface FollowFrom {
  kinds: Record<string, Place>
  seqs: Record<string, number>
}

/** What has been written since the last pass, all of it in one round trip. */
export async function readFollowing(db: Database, orgId: string, { kinds, seqs }: FollowFrom) {
  const byTime = {
    ...archived('entities'),
    order: [sql`${entities.updatedOn}`, sql`${entities}.rowid`],
    index: indexedBy(ENTITY_INDEX.updatedOn),
    maxBytes: FOLLOW_BYTES,
  }
  const byPlace = (name: ArchivedName, index?: SQL) => {
    const table = archived(name)
    return {
      ...table,
      name,
      orgId,
      order: [sql`${table.table}.rowid`],
      index: index ?? table.index ?? sql``,
      after: [seqs[name] ?? 0],
    }
  }
  // Few are new, of whichever organization: they stand at the end of the table.
  const newest = sql`NOT INDEXED`
  const names = Object.keys(kinds)
  const walks: Walk[] = [
    ...names.map(
      (kind): Walk => ({
        ...byTime,
        name: 'entities',
        orgId,
        after: kinds[kind] ?? null,
        where: sql`${entities.kind} = ${kind}`,
      }),
    ),
    byPlace('changes'),
    byPlace('unrecorded', newest),
    byPlace('publishes', newest),
  ]
  const statements: Statement<unknown>[] = [
    clockOf(orgId),
    deletions(changes, indexedBy(CHANGE_INDEX.org), orgId, seqs.deleted ?? 0),
    deletions(unrecordedChanges, newest, orgId, seqs.deletedUnrecorded ?? 0),
    ...walks.map(walk),
  ]
  const [clock, deleted, deletedUnrecorded, ...rest] = await db.batch(statements)
  const hasRoom = counter()
  const pages = walks.map((one, at) => pageOf((rest[at]?.results ?? []) as ReadRow[], one, hasRoom))
  return {
    clock: clock?.results[0] as ClockRow | undefined,
    deleted: (deleted?.results ?? []) as Deleted[],
    deletedUnrecorded: (deletedUnrecorded?.results ?? []) as Deleted[],
    kinds: names.map((kind, at) => ({ kind, page: pages[at] ?? { rows: [], place: null } })),
    tables: pages.slice(names.length),
  }
}

export async function readOrg(env: Env, orgId: string) {
  const read = sql<RowOf<typeof orgs>>`SELECT ${columns(orgs)} FROM ${orgs} WHERE ${orgs.id} = ${orgId}`
  return directory(env).first(statement(read))
}
