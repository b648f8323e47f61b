// Statements of property indexes (N49): which there are, which there should be, and how they are filled and emptied.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { currentValues, propertyIndexes, propertyValues, VALUE_INDEX } from '../../platform/db/schema/property-index.ts'
import {
  bare,
  columns,
  from,
  indexedBy,
  insertInto,
  named,
  prepared,
  type RowOf,
  type Statement,
  withinBytes,
} from '../../platform/db/sql.ts'
import { BACKGROUND_COMMIT_MAX_BYTES, BACKGROUND_COMMIT_MAX_ENTITIES } from '../../platform/limits.ts'

type IndexRow = RowOf<typeof propertyIndexes>

/** As far as lists need to know it. */
export type KnownIndex = Pick<IndexRow, 'id' | 'kind' | 'property' | 'lists'>

const p = propertyIndexes

const readReady = prepared<{ orgId: string; kind: string }, KnownIndex>(
  ({ orgId, kind }) => sql`SELECT ${columns(p, ['id', 'kind', 'property', 'lists'])} FROM ${p}
    WHERE ${p.orgId} = ${orgId} AND ${p.kind} = ${kind} AND ${p.state} = 'ready' ORDER BY ${p.id}`,
)

/** Those that hold all entities of the type. */
export const readyIndexes = (orgId: string, kind: string): Statement<KnownIndex> => readReady({ orgId, kind })

export type IndexProgress = Pick<IndexRow, 'property' | 'state' | 'done' | 'total'>

const readProgress = prepared<{ orgId: string; kind: string }, IndexProgress>(
  ({ orgId, kind }) => sql`SELECT ${columns(p, ['property', 'state', 'done', 'total'])} FROM ${p}
    WHERE ${p.orgId} = ${orgId} AND ${p.kind} = ${kind} AND ${p.state} <> 'dropping' ORDER BY ${p.property}`,
)

export const indexProgress = (db: Database, orgId: string, kind: string): Promise<IndexProgress[]> =>
  db.all(readProgress({ orgId, kind }))

const readUnfinished = prepared<{ orgId: string }, IndexRow>(
  ({ orgId }) => sql`SELECT ${columns(p)} FROM ${p} WHERE ${p.orgId} = ${orgId} AND ${p.state} <> 'ready'
    ORDER BY ${p.id} LIMIT 1`,
)

export const unfinishedIndex = (db: Database, orgId: string): Promise<IndexRow | undefined> =>
  db.first(readUnfinished({ orgId }))

const e = named(entities, 'e')

type Place = { orgId: string; kind: string; time: number; seq: number }

const isBehind = ({ orgId, kind, time, seq }: { [K in keyof Place]: Parameters<typeof sql>[1] }) => sql`
  ${e.orgId} = ${orgId} AND ${e.kind} = ${kind} AND ${e.createdOn} >= ${time} AND (${e.createdOn} > ${time} OR ${e.seq} > ${seq})`

type PassEnd = { time: number; seq: number; bytes: number; entities: number }

const readPassEnd = prepared<Place, PassEnd>(given => {
  const rows = sql`SELECT ${e.createdOn} AS time, ${e.seq} AS seq, octet_length(${e.data}) AS size
    FROM ${from(e)} ${indexedBy(ENTITY_INDEX.createdOn)} WHERE ${isBehind(given)}
    ORDER BY ${e.createdOn}, ${e.seq} LIMIT ${sql.raw(String(BACKGROUND_COMMIT_MAX_ENTITIES))}`
  return sql`SELECT time, seq, bytes, count(*) OVER () AS entities FROM ${withinBytes(rows, BACKGROUND_COMMIT_MAX_BYTES)}
    ORDER BY bytes DESC LIMIT 1`
})

const readTotal = prepared<{ orgId: string; kind: string }, { total: number }>(
  ({ orgId, kind }) => sql`SELECT count(*) AS total FROM ${from(e)} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${e.orgId} = ${orgId} AND ${e.kind} = ${kind}`,
)

const VALUE_NAMES = ['seq', 'indexId', 'value', 'folded', 'isList'] as const

type Pass = Place & { id: number; endTime: number; endSeq: number }

const fillPass = prepared<Pass>(given => {
  const v = currentValues
  return sql`${insertInto(propertyValues, VALUE_NAMES)}
    SELECT ${v.seq}, ${v.indexId}, ${v.value}, ${v.folded}, ${v.isList} FROM ${v}
    WHERE ${v.indexId} = ${given.id} AND ${v.seq} IN (
      SELECT ${e.seq} FROM ${from(e)} ${indexedBy(ENTITY_INDEX.createdOn)} WHERE ${isBehind(given)}
        AND (${e.createdOn} < ${given.endTime} OR (${e.createdOn} = ${given.endTime} AND ${e.seq} <= ${given.endSeq})))
    ON CONFLICT DO NOTHING`
})

type Filled = Place & { id: number; state: string; endTime: number; endSeq: number; more: number; total: number }

// Of two that fill at once, one counts.
const notePass = prepared<Filled>(
  ({ id, orgId, state, time, seq, endTime, endSeq, more, total }) => sql`UPDATE ${p} SET ${bare(p.state)} = ${state},
      ${bare(p.filledTime)} = ${endTime}, ${bare(p.filledSeq)} = ${endSeq}, ${bare(p.done)} = ${p.done} + ${more}, ${bare(p.total)} = ${total}
    WHERE ${p.id} = ${id} AND ${p.orgId} = ${orgId} AND ${p.state} = 'filling' AND ${p.filledTime} = ${time} AND ${p.filledSeq} = ${seq}`,
)

/** Takes in the next entities, up to the bound; what is written meanwhile is written there by the triggers. */
export async function fillNext(db: Database, { id, orgId, kind, filledTime, filledSeq, total }: IndexRow) {
  const place = { orgId, kind, time: filledTime, seq: filledSeq }
  const end = (await db.first(readPassEnd(place))) ?? { time: filledTime, seq: filledSeq, bytes: 0, entities: 0 }
  // Counted once: among a million entities that takes longer than a pass.
  const counted = total ?? (await db.first(readTotal({ orgId, kind })))?.total
  const isLast = end.entities < BACKGROUND_COMMIT_MAX_ENTITIES && end.bytes < BACKGROUND_COMMIT_MAX_BYTES
  const pass = { ...place, id, endTime: end.time, endSeq: end.seq }
  await db.batch([
    fillPass(pass),
    notePass({
      ...pass,
      state: isLast ? 'ready' : 'filling',
      more: end.entities,
      total: counted ?? 0,
    }),
  ])
}

const emptyPass = prepared<{ id: number }>(
  ({ id }) => sql`DELETE FROM ${propertyValues} WHERE (${propertyValues.seq}, ${propertyValues.indexId}) IN (
    SELECT ${propertyValues.seq}, ${propertyValues.indexId} FROM ${propertyValues} ${indexedBy(VALUE_INDEX.value)}
    WHERE ${propertyValues.indexId} = ${id} LIMIT ${sql.raw(String(BACKGROUND_COMMIT_MAX_ENTITIES))})`,
)

const dropEmpty = prepared<{ id: number; orgId: string }>(
  ({ id, orgId }) => sql`DELETE FROM ${p} WHERE ${p.id} = ${id} AND ${p.orgId} = ${orgId} AND ${p.state} = 'dropping'
    AND NOT EXISTS (SELECT 1 FROM ${propertyValues} WHERE ${propertyValues.indexId} = ${p.id})`,
)

export async function emptyNext(db: Database, { id, orgId }: IndexRow): Promise<void> {
  await db.batch([emptyPass({ id }), dropEmpty({ id, orgId })])
}

const readOwners = prepared<Record<string, never>, { orgId: string }>(
  () => sql`SELECT DISTINCT ${columns(p, ['orgId'])} FROM ${p} WHERE ${p.state} <> 'ready' LIMIT 1000`,
)

/** Organizations with an unfinished index, whose wake-up may be lost. */
export async function organizationsToIndex(db: Database): Promise<string[]> {
  return (await db.all(readOwners({}))).map(({ orgId }) => orgId)
}
