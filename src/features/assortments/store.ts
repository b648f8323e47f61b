// Publish records, and what they list (N33).
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/client.ts'
import { slices } from '../../platform/db/json-slices.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { loadMembers, publishes } from '../../platform/db/schema/loads.ts'
import {
  bare,
  build,
  columns,
  from,
  indexedBy,
  insertInto,
  named,
  prepared,
  type RowOf,
  type Statement,
  selection,
  statement,
} from '../../platform/db/sql.ts'
import { COMPOSITE_MAX_STEPS } from '../../platform/limits.ts'

const a = named(entities, 'a')
const e = named(entities, 'e')
const i = named(entities, 'i')

export interface PublishFiles {
  adds: string
  updates: string
  deletes: string
  /** The members before. */
  baseline: string
  /** The members after: what the next publish is measured by. */
  members: string
}

export interface Publish {
  id: string
  assortmentId: string
  createdOn: number
  createdById: string
  createdByType: string
  adds: number
  updates: number
  deletes: number
  files: PublishFiles
}

export interface MemberLine {
  /** Where it stands among all: the order of the lines. Files of the first release are without it. */
  seq: number
  id: string
  itemId: string
  itemFederatedId: string | null
  projectItemId: string | null
  version: number
}

type MembersValues = { orgId: string; assortmentId: string; after: number; limit: number }

const selectMembers = prepared<MembersValues, MemberLine>(
  ({ orgId, assortmentId, after, limit }) => sql`
    SELECT ${columns(e, ['seq', 'id', 'itemId', 'projectItemId', 'version'])}, ${i.federatedId} AS "itemFederatedId"
    FROM ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentId)} LEFT JOIN ${from(i)} ON ${i.id} = ${e.itemId} AND ${i.orgId} = ${orgId}
    WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item' AND ${e.assortmentId} = ${assortmentId} AND ${e.seq} > ${after}
    ORDER BY ${e.seq} LIMIT ${limit}`,
)

/** The members of an assortment in pages, oldest first. */
export async function* memberPages(
  db: Database,
  orgId: string,
  assortmentId: string,
  limit = 1000,
): AsyncGenerator<MemberLine[]> {
  for (let after = 0; ; ) {
    const rows = await db.all(selectMembers({ orgId, assortmentId, after, limit }))
    yield rows
    if (rows.length < limit) return
    after = rows.at(-1)?.seq ?? after
  }
}

const countSome = prepared<{ orgId: string; assortmentId: string; limit: number }, { n: number }>(
  ({
    orgId,
    assortmentId,
    limit,
  }) => sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentId)}
    WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item' AND ${e.assortmentId} = ${assortmentId} LIMIT ${limit})`,
)

/** Up to the limit. */
export async function countMembers(db: Database, orgId: string, assortmentId: string, limit: number): Promise<number> {
  return (await db.first(countSome({ orgId, assortmentId, limit })))?.n ?? 0
}

export interface ChangeLine {
  itemId: string
  itemFederatedId: string | null
}

type ChangesValues = {
  orgId: string
  loadId: string
  assortmentId: string
  change: string
  after: string
  limit: number
}

const selectChanges = prepared<ChangesValues, ChangeLine>(
  ({ orgId, loadId, assortmentId, change, after, limit }) => sql`
    SELECT ${columns(loadMembers, ['itemId'])}, ${i.federatedId} AS "itemFederatedId"
    FROM ${loadMembers} LEFT JOIN ${from(i)} ON ${i.id} = ${loadMembers.itemId} AND ${i.orgId} = ${orgId}
    WHERE ${loadMembers.loadId} = ${loadId} AND ${loadMembers.assortmentId} = ${assortmentId} AND ${loadMembers.itemId} > ${after}
      AND ${loadMembers.change} = ${change} ORDER BY ${loadMembers.itemId} LIMIT ${limit}`,
)

export type Change = 'add' | 'update' | 'delete'

const insertChanges = prepared<{ loadId: string; assortmentId: string; changes: string }>(
  ({ loadId, assortmentId, changes }) => sql`${insertInto(loadMembers, ['loadId', 'assortmentId', 'itemId', 'change'])}
    SELECT ${loadId}, ${assortmentId}, value ->> 0, value ->> 1 FROM json_each(${changes}) WHERE true
    ON CONFLICT DO UPDATE SET ${bare(loadMembers.change)} = 'update'`,
)

/** Kept until the publish is done. */
export async function noteChanges(
  db: Database,
  loadId: string,
  assortmentId: string,
  changes: readonly { itemId: string; change: Change }[],
): Promise<void> {
  const rows = changes.map(({ itemId, change }) => [itemId, change])
  const statements = slices(rows).map(text => insertChanges({ loadId, assortmentId, changes: text }))
  if (statements.length > 0) await db.batch(statements)
}

export async function clearChanges(db: Database, loadId: string, assortmentId: string): Promise<void> {
  const isThis = and(eq(loadMembers.loadId, loadId), eq(loadMembers.assortmentId, assortmentId))
  await db.batch([statement(build.delete(loadMembers).where(isThis))])
}

const countByChange = prepared<{ loadId: string; assortmentId: string }, { change: Change; n: number }>(
  ({ loadId, assortmentId }) => sql`SELECT ${columns(loadMembers, ['change'])}, count(*) AS n FROM ${loadMembers}
    WHERE ${loadMembers.loadId} = ${loadId} AND ${loadMembers.assortmentId} = ${assortmentId} GROUP BY ${loadMembers.change}`,
)

export async function countChanges(db: Database, loadId: string, assortmentId: string) {
  const rows = await db.all(countByChange({ loadId, assortmentId }))
  const counts = new Map(rows.map(({ change, n }) => [change, n]))
  return { adds: counts.get('add') ?? 0, updates: counts.get('update') ?? 0, deletes: counts.get('delete') ?? 0 }
}

/** What has changed among the members of an assortment since its last publish, in pages. */
export async function* changePages(
  db: Database,
  { limit = 1000, ...which }: Omit<ChangesValues, 'after' | 'limit'> & { limit?: number },
): AsyncGenerator<ChangeLine[]> {
  for (let after = ''; ; ) {
    const rows = await db.all(selectChanges({ ...which, after, limit }))
    yield rows
    if (rows.length < limit) return
    after = rows.at(-1)?.itemId ?? after
  }
}

/** Begins the message of the failure; the assortment follows. */
export const MEASURES = 'file measures '

/** Fails where the next publish is measured by the file. One step along the index for each assortment: those that are gone publish nothing. */
export const notMeasuring = prepared<{ orgId: string; id: string }>(
  ({ orgId, id }) => sql`SELECT json_extract('{}', ${sql.raw(`'${MEASURES}'`)} || ${e.id})
    FROM ${from(e)} WHERE ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment'
      AND (SELECT ${publishes.files} ->> '$.members' FROM ${publishes}
        WHERE ${publishes.orgId} = ${orgId} AND ${publishes.assortmentId} = ${e.id}
        ORDER BY ${publishes.seq} DESC LIMIT 1) = ${id} LIMIT 1`,
)

/** Begins the message of a write that would make an assortment contain itself. */
export const CYCLE = 'assortment cycle '

/** The message where there are more steps than one check follows. */
export const TOO_MANY_STEPS = 'assortment steps'

/** Steps that the message of a cycle may hold. */
const NAMED_MAX = 200

/**
 * Fails where one of the composites reaches itself: with its place among the writes and the steps taken, nearest first. Fails as
 * well where not all could be followed. Only composites are: what has no members leads nowhere.
 */
export function noCycles(orgId: string, composites: readonly (readonly [index: number, id: string])[]): Statement {
  const isStored = (table: typeof entities) => sql`${table.orgId} = ${orgId} AND ${table.kind} = 'assortment'`
  const below = sql`json_each(${a.data}, '$.memberAssortmentIds') m CROSS JOIN ${from(e)}
    ON ${e.id} = m.value AND ${isStored(e)} AND json_array_length(${e.data}, '$.memberAssortmentIds') > 0`
  const composite = (id: SQL) => sql`CROSS JOIN ${from(a)} ON ${a.id} = ${id} AND ${isStored(a)}, ${below}`
  return statement(sql`WITH RECURSIVE reached(n, start, id) AS (
      SELECT w.value ->> 0, ${a.id}, ${e.id} FROM json_each(${JSON.stringify(composites)}) w ${composite(sql`w.value ->> 1`)}
      UNION SELECT r.n, r.start, ${e.id} FROM reached r ${composite(sql`r.id`)} LIMIT ${COMPOSITE_MAX_STEPS + 1}),
    cycle AS MATERIALIZED (SELECT n, start FROM reached WHERE id = start LIMIT 1),
    steps(via, id) AS (SELECT ${a.id}, ${e.id} FROM cycle c ${composite(sql`c.start`)}
      UNION SELECT ${a.id}, ${e.id} FROM steps s ${composite(sql`s.id`)} LIMIT ${NAMED_MAX})
    SELECT json_extract('{}', ${sql.raw(`'${CYCLE}'`)} || n || ' ' || start || ' ' ||
      (SELECT group_concat(via || '>' || id, ' ') FROM steps)) FROM cycle
    UNION ALL SELECT json_extract('{}', ${sql.raw(`'${TOO_MANY_STEPS}'`)})
      WHERE (SELECT count(*) FROM reached) > ${COMPOSITE_MAX_STEPS}`)
}

/** Begins the message of the failure. */
const PUBLISHED_MEANWHILE = 'published meanwhile'

export const isPublishedMeanwhile = (error: unknown) =>
  error instanceof Error && error.message.includes(PUBLISHED_MEANWHILE)

/** Fails where the newest publish is not the one whose members the lists were compared with: what it told would be told again. */
export function stillNewest({ org }: Pick<Context, 'org'>, assortmentId: string, membersFileId: string): Statement {
  return statement(sql`SELECT json_extract('{}', ${sql.raw(`'${PUBLISHED_MEANWHILE}'`)})
    FROM (SELECT coalesce(${publishes.files} ->> '$.members', '') AS members FROM ${publishes}
      WHERE ${isOf(org.id, assortmentId)} ORDER BY ${publishes.seq} DESC LIMIT 1)
    WHERE members <> ${membersFileId}`)
}

export function insertPublish({ org, actor }: Pick<Context, 'org' | 'actor'>, publish: Publish): Statement {
  const { files, ...rest } = publish
  const by = { orgId: org.id, createdById: actor.id, createdByType: actor.type }
  return statement(build.insert(publishes).values({ ...rest, ...by, files: JSON.stringify(files) }))
}

const isOf = (orgId: string, assortmentId: string) =>
  and(eq(publishes.orgId, orgId), eq(publishes.assortmentId, assortmentId))

export async function readPublish(
  db: Database,
  orgId: string,
  assortmentId: string,
  by: { id: string } | { addsFileId: string },
): Promise<Publish | undefined> {
  const isThis = 'id' in by ? eq(publishes.id, by.id) : eq(sql`${publishes.files} ->> '$.adds'`, by.addsFileId)
  const all = build.select(selection(publishes)).from(publishes)
  const row = await db.first(statement(all.where(and(isOf(orgId, assortmentId), isThis))))
  return row && publishOf(row)
}

export async function lastPublish(db: Database, orgId: string, assortmentId: string): Promise<Publish | undefined> {
  const all = build.select(selection(publishes)).from(publishes).where(isOf(orgId, assortmentId))
  const row = await db.first(statement(all.orderBy(desc(publishes.seq)).limit(1)))
  return row && publishOf(row)
}

export interface PublishPlace {
  seq: number
  publish: Publish
}

interface PublishesQuery {
  orgId: string
  assortmentId: string
  /** Behind this one, newest first. */
  before: number | undefined
  limit: number
}

export function publishesStatement({ orgId, assortmentId, before, limit }: PublishesQuery) {
  const isBehind = before === undefined ? undefined : lt(publishes.seq, before)
  const all = build.select(selection(publishes)).from(publishes)
  const some = all.where(and(isOf(orgId, assortmentId), isBehind))
  return statement(some.orderBy(desc(publishes.seq)).limit(limit))
}

export async function publishesOf(db: Database, query: PublishesQuery): Promise<PublishPlace[]> {
  const rows = await db.all(publishesStatement(query))
  return rows.map(row => ({ seq: row.seq, publish: publishOf(row) }))
}

function publishOf({ seq: _, orgId: __, files, ...publish }: RowOf<typeof publishes>): Publish {
  return { ...publish, files: JSON.parse(files) as PublishFiles }
}
