// Reads on in the outbox where it was last dispatched up to. Seeks by index, and never takes in more than one window of
// records. What the entities of updates looked like is put together here, because only what is small must leave D1.
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../platform/db/client.ts'
import { CHANGE_INDEX, changes, clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { publishedEvents } from '../../platform/db/schema/events.ts'
import { HISTORY_FILE_INDEX, historyFileEntities } from '../../platform/db/schema/history-files.ts'
import { columns, from, type Given, indexedBy, named, prepared, type RowOf } from '../../platform/db/sql.ts'
import {
  EVENT_MAX_BYTES,
  EVENTS_LATER_RECORDS,
  EVENTS_PASS_MAX,
  EVENTS_PASS_MAX_BYTES,
  EVENTS_WINDOW_RECORDS,
} from '../../platform/limits.ts'
import type { BetweenRow, StateRow, UnreadChange } from './change-event.ts'

const c = named(changes, 'c')
const earlier = named(changes, 'earlier')
const before = named(changes, 'before')
const origin = named(changes, 'origin')
const inFiles = named(historyFileEntities, 'in_files')
const filed = named(historyFileEntities, 'filed')
const madeFiled = named(historyFileEntities, 'made_filed')
const e = named(entities, 'e')
const run = named(entities, 'run')
const load = named(entities, 'load')

export interface Interest {
  /** Trigger keys that have listeners. */
  keys: readonly string[]
  includeLoads: boolean
}

export type UnreadPublished = Pick<RowOf<typeof publishedEvents>, 'seq' | 'triggerKey' | 'event' | 'createdOn'> & {
  depth: number
}

export interface Unread {
  /** Undefined: no listeners. */
  dispatchedSeq: number | undefined
  changes: UnreadChange[]
  between: BetweenRow[]
  states: StateRow[]
  published: UnreadPublished[]
  /** The last record of the window that was looked at. */
  windowEnd: number | undefined
  /** There are more changes of the kind asked for in the window than were read. */
  isCut: boolean
  isWindowFull: boolean
}

/** The newest of what has happened, when it was read who listens. */
export interface UpTo {
  changeSeq: number
  publishedSeq: number
}

type Values = { orgId: string; keys: string; upTo: number }
type Place = Given<Values>

const number = (value: number) => sql.raw(String(value))

const isOf = ({ orgId }: Pick<Place, 'orgId'>, table: typeof changes, type: SQL, entity: SQL) =>
  sql`${table.orgId} = ${orgId} AND ${table.entityType} = ${type} AND ${table.entityId} = ${entity}`

const windowSql = (
  { orgId, upTo }: Pick<Place, 'orgId' | 'upTo'>,
  includeLoads: boolean,
) => sql`recent AS MATERIALIZED (
  SELECT ${c.seq} AS at, ${c.entityType} AS type, ${c.entityId} AS entity, ${c.changeType} AS change,
    octet_length(${c.detail}) AS size
  FROM ${from(c)} ${indexedBy(includeLoads ? CHANGE_INDEX.org : CHANGE_INDEX.unloaded)}
  WHERE ${c.orgId} = ${orgId} ${includeLoads ? sql`` : sql`AND ${c.createdByType} <> 'loader'`}
    AND ${c.seq} > (SELECT ${clocks.dispatchedSeq} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId})
    AND ${c.seq} <= ${upTo}
  ORDER BY ${c.seq} LIMIT ${number(EVENTS_WINDOW_RECORDS)})`

const isWanted = ({ keys }: Place) => sql`type || '|' || change IN (SELECT value FROM json_each(${keys}))`

const wantedSql = (given: Place, includeLoads: boolean) => sql`${windowSql(given, includeLoads)},
  wanted AS MATERIALIZED (SELECT * FROM (
      SELECT at, type, entity, change, sum(size) OVER (ORDER BY at) - size AS bytes FROM recent
      WHERE ${isWanted(given)} ORDER BY at LIMIT ${number(EVENTS_PASS_MAX)})
    WHERE bytes < ${number(EVENTS_PASS_MAX_BYTES)})`

/** How deep in a chain of workflows: that of the process, of the process that started the load, or of the call that came back to us. */
const depthOf = ({ orgId }: Pick<Place, 'orgId'>, maker: SQL, called: SQLiteColumn) =>
  sql`max(coalesce(${called}, 0), coalesce((SELECT ${run.data} ->> '$.depth'
  FROM ${from(run)} WHERE ${run.id} = ${maker} AND ${run.orgId} = ${orgId}), 0))`

const starterOf = ({ orgId }: Pick<Place, 'orgId'>, loadId: SQL) => sql`(SELECT ${load.createdById} FROM ${from(load)}
  WHERE ${load.id} = ${loadId} AND ${load.orgId} = ${orgId})`

const changesOf = (includeLoads: boolean) =>
  prepared<Values, UnreadChange>(given => {
    const isOfSame = isOf(given, earlier, sql`${c.entityType}`, sql`${c.entityId}`)
    const newest = (
      condition: SQL,
    ) => sql`(SELECT ${earlier.seq} FROM ${from(earlier)} ${indexedBy(CHANGE_INDEX.entity)}
      WHERE ${isOfSame} AND ${earlier.seq} < ${c.seq} ${condition} ORDER BY ${earlier.seq} DESC LIMIT 1)`
    // What is in files is older than what is not.
    const newestFiled = (
      condition: SQL,
    ) => sql`(SELECT ${inFiles.seq} FROM ${from(inFiles)} ${indexedBy(HISTORY_FILE_INDEX.entity)}
      WHERE ${inFiles.entityId} = ${c.entityId} AND ${inFiles.orgId} = ${given.orgId} AND ${inFiles.entityType} = ${c.entityType}
        ${condition} ORDER BY ${inFiles.seq} DESC LIMIT 1)`
    const maker = sql`CASE ${c.createdByType} WHEN 'workflow' THEN ${c.createdById}
      WHEN 'loader' THEN ${starterOf(given, sql`${c.createdById}`)} END`
    return sql<UnreadChange>`WITH ${wantedSql(given, includeLoads)}
      SELECT ${columns(c)}, ${depthOf(given, maker, c.chainDepth)} AS depth,
        coalesce(${e.createdOn}, ${origin.createdOn}, ${madeFiled.madeOn}) AS "madeOn",
        coalesce(${e.createdById}, ${origin.createdById}, ${madeFiled.madeById}) AS "madeById",
        coalesce(${before.createdOn}, ${filed.changedOn}) AS "beforeOn",
        coalesce(${before.createdById}, ${filed.changedById}) AS "beforeById"
      FROM wanted w CROSS JOIN ${from(c)} ON ${c.seq} = w.at
      LEFT JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)}
        ON ${e.id} = ${c.entityId} AND ${e.orgId} = ${given.orgId} AND ${e.createdOn} <= ${c.createdOn}
      LEFT JOIN ${from(before)} ON ${before.orgId} = ${given.orgId} AND ${before.seq} = ${newest(sql``)}
      LEFT JOIN ${from(origin)} ON ${origin.orgId} = ${given.orgId} AND ${origin.seq} = CASE WHEN ${e.id} IS NULL THEN
        ${newest(sql`AND ${earlier.changeType} = 'create'`)} END
      LEFT JOIN ${from(filed)} ON ${filed.orgId} = ${given.orgId} AND ${filed.seq} = CASE WHEN ${before.seq} IS NULL THEN
        ${newestFiled(sql``)} END
      LEFT JOIN ${from(madeFiled)} ON ${madeFiled.orgId} = ${given.orgId} AND ${madeFiled.seq} = CASE
        WHEN ${e.id} IS NULL AND ${origin.seq} IS NULL THEN ${newestFiled(sql`AND ${inFiles.madeOn} IS NOT NULL`)} END
      ORDER BY ${c.seq}`
  })

/** Records without listeners, of the same entities and between records that have some. */
const betweenOf = (includeLoads: boolean) =>
  prepared<Values, BetweenRow>(
    given => sql`WITH ${wantedSql(given, includeLoads)}, rest AS (
        SELECT ${columns(c, ['seq', 'entityId', 'changeType', 'detail'])} FROM (
          SELECT type, entity, min(at) AS first, max(at) AS last FROM wanted WHERE change = 'update' GROUP BY 1, 2) w
        CROSS JOIN ${from(c)} ${indexedBy(CHANGE_INDEX.entity)}
          ON ${isOf(given, c, sql`w.type`, sql`w.entity`)} AND ${c.seq} > w.first AND ${c.seq} < w.last
        WHERE ${c.seq} NOT IN (SELECT at FROM wanted) LIMIT ${number(EVENTS_WINDOW_RECORDS)})
      SELECT seq, "entityId", "changeType",
        iif(sum(octet_length(detail)) OVER (ORDER BY seq) < ${number(EVENTS_PASS_MAX_BYTES)}
          AND count(*) OVER () < ${number(EVENTS_WINDOW_RECORDS)}, detail, NULL) AS detail
      FROM rest`,
  )

/** Later than everything that is recorded. */
const NOW = number(Number.MAX_SAFE_INTEGER)
/** An event holds every value twice: with more than this it is too large anyway. */
const STATE_MAX_BYTES = EVENT_MAX_BYTES / 2

/** Small values first: names and keys are always among those that are read. */
const sizeSoFar = sql`sum(octet_length(value)) OVER (PARTITION BY at ORDER BY octet_length(value), key)`

/**
 * What each entity of an update held after its last one: for each property, what the first later record found, or else what
 * is stored. A deletion has found all of them.
 */
const statesOf = (includeLoads: boolean) =>
  prepared<Values, StateRow>(
    given => sql`WITH ${wantedSql(given, includeLoads)},
      latest AS MATERIALIZED (SELECT type, entity, max(at) AS at FROM wanted WHERE change = 'update' GROUP BY 1, 2),
      later AS MATERIALIZED (SELECT latest.at, ${c.seq} AS by, ${c.changeType} AS change FROM latest
        CROSS JOIN ${from(c)} ${indexedBy(CHANGE_INDEX.entity)}
          ON ${isOf(given, c, sql`latest.type`, sql`latest.entity`)} AND ${c.seq} > latest.at
        LIMIT ${number(EVENTS_LATER_RECORDS)}),
      gone AS MATERIALIZED (SELECT at, min(by) AS by FROM later WHERE change = 'delete' GROUP BY at),
      touched AS (
        SELECT later.at, later.by, d.key,
          CASE later.change WHEN 'delete' THEN ${c.detail} -> d.fullkey ELSE ${c.detail} -> d.fullkey -> '$.oldValue' END AS value
        FROM later CROSS JOIN ${from(c)} ON ${c.seq} = later.by CROSS JOIN json_each(${c.detail}) d
        WHERE later.change <> 'create'
        UNION ALL SELECT latest.at, ${NOW}, d.key, ${e.data} -> d.fullkey FROM latest
          CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = latest.entity AND ${e.orgId} = ${given.orgId}
          CROSS JOIN json_each(${e.data}) d),
      found AS (SELECT touched.at, key, min(touched.by), value FROM touched LEFT JOIN gone ON gone.at = touched.at
        WHERE touched.by <= coalesce(gone.by, ${NOW}) GROUP BY touched.at, key)
      SELECT at, key, iif((SELECT count(*) FROM later) < ${number(EVENTS_LATER_RECORDS)} AND ${sizeSoFar} <= ${number(STATE_MAX_BYTES)},
        value, NULL) AS value
      FROM found WHERE value <> 'null'`,
  )

const endOf = (includeLoads: boolean) =>
  prepared<Values, { at: number | null; records: number; wanted: number }>(
    given => sql`WITH ${windowSql(given, includeLoads)}
      SELECT max(at) AS at, count(*) AS records, count(*) FILTER (WHERE ${isWanted(given)}) AS wanted FROM recent`,
  )

const readClock = prepared<{ orgId: string }, { dispatchedSeq: number | null }>(
  ({ orgId }) => sql`SELECT ${columns(clocks, ['dispatchedSeq'])} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`,
)

/** Read together with who listens: what comes after it is for those who are listening then. */
export const newestEvents = prepared<{ orgId: string }, UpTo>(
  ({ orgId }) => sql`SELECT
    (SELECT coalesce(max(${changes.seq}), 0) FROM ${changes} ${indexedBy(CHANGE_INDEX.org)}
      WHERE ${changes.orgId} = ${orgId}) AS "changeSeq",
    (SELECT coalesce(max(${publishedEvents.seq}), 0) FROM ${publishedEvents}
      WHERE ${publishedEvents.orgId} = ${orgId}) AS "publishedSeq"`,
)

const readPublished = prepared<{ orgId: string; upTo: number }, UnreadPublished>(given => {
  const maker = sql`${publishedEvents.createdById}`
  return sql<UnreadPublished>`SELECT ${columns(publishedEvents, ['seq', 'triggerKey', 'event', 'createdOn'])},
      ${depthOf(given, sql`coalesce(${starterOf(given, maker)}, ${maker})`, publishedEvents.chainDepth)} AS depth
    FROM ${publishedEvents} WHERE ${publishedEvents.orgId} = ${given.orgId} AND ${publishedEvents.seq} <= ${given.upTo}
    ORDER BY ${publishedEvents.seq} LIMIT ${number(EVENTS_PASS_MAX)}`
})

const readersOf = (includeLoads: boolean) => ({
  end: endOf(includeLoads),
  changes: changesOf(includeLoads),
  between: betweenOf(includeLoads),
  states: statesOf(includeLoads),
})
const WITH_LOADS = readersOf(true)
const WITHOUT_LOADS = readersOf(false)

export async function readUnread(
  db: Database,
  orgId: string,
  { keys, includeLoads }: Interest,
  { changeSeq, publishedSeq }: UpTo,
): Promise<Unread> {
  const read = includeLoads ? WITH_LOADS : WITHOUT_LOADS
  const values = { orgId, keys: JSON.stringify(keys), upTo: changeSeq }
  const [clock, end, wanted, between, states, published] = await db.batch([
    readClock({ orgId }),
    read.end(values),
    read.changes(values),
    read.between(values),
    read.states(values),
    readPublished({ orgId, upTo: publishedSeq }),
  ])
  const [window] = end.results
  return {
    dispatchedSeq: clock.results[0]?.dispatchedSeq ?? undefined,
    changes: wanted.results,
    between: between.results,
    states: states.results,
    published: published.results,
    windowEnd: window?.at ?? undefined,
    isCut: wanted.results.length < (window?.wanted ?? 0),
    isWindowFull: (window?.records ?? 0) >= EVENTS_WINDOW_RECORDS,
  }
}
