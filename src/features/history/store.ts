// Reads change records along commit order. A range of times becomes a range of commit order first, because times never run
// backwards in it (N23); then every access path is one index walked from where the last page ended.
import { eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { databaseFor, directory } from '../../platform/db/client.ts'
import { CHANGE_INDEX, changes, clocks } from '../../platform/db/schema/entities.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import {
  build,
  columns,
  from,
  type Given,
  indexedBy,
  named,
  type Param,
  prepared,
  preparedBy,
  type RowOf,
  type Statement,
  selection,
  statement,
  unionOf,
  withinBytes,
} from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'

const c = named(changes, 'c')

export type ChangeRow = RowOf<typeof changes>

/** With the bytes of the page so far. */
type BoundedRow = ChangeRow & { bytes: number }

export interface RecordsQuery {
  orgId: string
  /** Empty: all of them. */
  entityTypes: readonly string[]
  entity: { type: string; id: string } | undefined
  createdOn: readonly [from: number, to: number] | undefined
  descending: boolean
  afterSeq: number | undefined
  limit: number
}

export const newestRecord = prepared<{ orgId: string }, { seq: number }>(
  ({ orgId }) => sql`SELECT ${columns(changes, ['seq'])} FROM ${changes} ${indexedBy(CHANGE_INDEX.org)}
    WHERE ${changes.orgId} = ${orgId} ORDER BY ${changes.seq} DESC LIMIT 1`,
)

/** How far records have been swept, and how far they are in files. */
export const clockStatement = prepared<{ orgId: string }, Pick<RowOf<typeof clocks>, 'historyFloor' | 'filedSeq'>>(
  ({ orgId }) =>
    sql`SELECT ${columns(clocks, ['historyFloor', 'filedSeq'])} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`,
)

type RecordsValues = Record<string, Param>

function recordsValues({ orgId, entityTypes, entity, createdOn, afterSeq, limit }: RecordsQuery): RecordsValues {
  return {
    orgId,
    limit,
    afterSeq: afterSeq ?? null,
    first: createdOn?.[0] ?? null,
    last: createdOn?.[1] ?? null,
    type: entity?.type ?? null,
    id: entity?.id ?? null,
    ...Object.fromEntries(entityTypes.map((type, at) => [`type${at}`, type])),
  }
}

/** Queries of one key have the same text. */
function recordsKey({ entityTypes, entity, createdOn, descending, afterSeq }: RecordsQuery): string {
  return [entityTypes.length, entity && 'entity', createdOn && 'time', descending, afterSeq !== undefined].join()
}

/** Records as far as their bytes go. */
function recordsSql(query: RecordsQuery, given: Given<RecordsValues>): SQL<BoundedRow> {
  return sql`SELECT ${columns(c)}, b.bytes FROM ${withinBytes(walkSql(query, given), PAGE_MAX_BYTES)} b
    CROSS JOIN ${from(c)} ON ${c.seq} = b.seq AND ${c.orgId} = ${given.orgId}`
}

/** Where the records stand, and how large they are, in order. */
function walkSql(query: RecordsQuery, given: Given<RecordsValues>): SQL {
  const { entityTypes, entity, descending } = query
  const way = sql.raw(descending ? 'DESC' : 'ASC')
  const within = seqRange(query, given)
  const walk = (
    index: string,
    condition: SQL,
  ) => sql`SELECT ${changes.seq} AS seq, octet_length(${changes.detail}) AS size
    FROM ${changes} ${indexedBy(index)} WHERE ${changes.orgId} = ${given.orgId}${condition}${within}
    ORDER BY ${changes.seq} ${way} LIMIT ${given.limit}`
  if (entity) {
    const isOf = sql` AND ${changes.entityType} = ${given.type} AND ${changes.entityId} = ${given.id}`
    return walk(CHANGE_INDEX.entity, isOf)
  }
  const [only, ...more] = entityTypes.map((_, at) =>
    walk(CHANGE_INDEX.entityType, sql` AND ${changes.entityType} = ${given[`type${at}`]}`),
  )
  if (only === undefined) return walk(CHANGE_INDEX.org, sql``)
  if (more.length === 0) return only
  const merged = unionOf([only, ...more].map(one => sql`SELECT * FROM (${one})`))
  return sql`SELECT * FROM (${merged}) ORDER BY seq ${way} LIMIT ${given.limit}`
}

function seqRange({ createdOn, descending, afterSeq }: RecordsQuery, given: Given<RecordsValues>): SQL {
  const behind =
    afterSeq === undefined ? sql`` : sql` AND ${changes.seq} ${sql.raw(descending ? '<' : '>')} ${given.afterSeq}`
  if (!createdOn) return behind
  const edge = (condition: SQL, way: SQL) => sql`(SELECT ${c.seq} FROM ${from(c)} ${indexedBy(CHANGE_INDEX.createdOn)}
    WHERE ${c.orgId} = ${given.orgId} AND ${c.createdOn} ${condition} ORDER BY ${c.createdOn} ${way}, ${c.seq} ${way} LIMIT 1)`
  const first = edge(sql`>= ${given.first}`, sql`ASC`)
  const last = edge(sql`<= ${given.last}`, sql`DESC`)
  return sql`${behind} AND ${changes.seq} >= ${first} AND ${changes.seq} <= ${last}`
}

const selectRecords = preparedBy<RecordsQuery, RecordsValues, BoundedRow>(recordsKey, recordsSql)

export function recordsStatement(query: RecordsQuery): Statement<BoundedRow> {
  return selectRecords(query, recordsValues(query))
}

export async function orgsWithRetention(env: Env): Promise<{ id: string; days: number }[]> {
  const select = build
    .select(selection(orgs, ['id', 'historyRetentionDays']))
    .from(orgs)
    .where(isNotNull(orgs.historyRetentionDays))
  const rows = await directory(env).all(statement(select))
  return rows.map(({ id, historyRetentionDays }) => ({ id, days: historyRetentionDays ?? 0 }))
}

/** Null: for ever. */
export async function retentionDays(env: Env, orgId: string): Promise<number | null> {
  const select = build
    .select(selection(orgs, ['historyRetentionDays']))
    .from(orgs)
    .where(eq(orgs.id, orgId))
  return (await directory(env).first(statement(select)))?.historyRetentionDays ?? null
}

/** Takes records out of the table. Which change of a type was the last one stays known. */
export function removal(orgId: string, which: SQL): [Statement, Statement] {
  const newestType = sql`SELECT max(${changes.seq}) FROM ${changes}
    WHERE ${changes.orgId} = ${orgId} AND ${changes.entityType} = 'type' AND ${which}`
  const typesSeq = sql`max(${clocks.typesSeq}, coalesce((${newestType}), 0))`
  return [
    statement(build.update(clocks).set({ typesSeq }).where(eq(clocks.orgId, orgId))),
    statement(sql`DELETE FROM ${changes} WHERE ${changes.orgId} = ${orgId} AND ${which}`),
  ]
}

/** Removes the oldest records before a time, at most `limit`, and raises the floor over them. What listeners have yet to hear of stays. */
export async function removeRecords(env: Env, orgId: string, before: number, limit: number): Promise<number> {
  const oldest = sql`SELECT ${c.seq} FROM ${from(c)} ${indexedBy(CHANGE_INDEX.createdOn)}
    WHERE ${c.orgId} = ${orgId} AND ${c.createdOn} < ${before} AND ${c.seq} <= coalesce((SELECT ${clocks.dispatchedSeq}
      FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}), ${c.seq}) ORDER BY ${c.createdOn}, ${c.seq} LIMIT ${limit}`
  const historyFloor = sql`max(${clocks.historyFloor}, coalesce((SELECT max(seq) FROM (${oldest})), 0))`
  const [, , removed] = await databaseFor(env, orgId).batch([
    statement(build.update(clocks).set({ historyFloor }).where(eq(clocks.orgId, orgId))),
    ...removal(orgId, sql`${changes.seq} IN (${oldest})`),
  ])
  return removed.meta.changes
}
