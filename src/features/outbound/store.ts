// Endpoints and deliveries in the tables. Answers rows, decides nothing.
import { and, asc, desc, eq, lt, notLike, or, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../platform/db/client.ts'
import { clockOf, tick } from '../../platform/db/commit/clock.ts'
import { CHANGE_INDEX, changes } from '../../platform/db/schema/entities.ts'
import { DELIVERY_INDEX, deliveries, endpoints } from '../../platform/db/schema/events.ts'
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
  selection,
  statement,
  withinBytes,
} from '../../platform/db/sql.ts'
import { COMMIT_SLICE_MAX_BYTES, PAGE_MAX_BYTES } from '../../platform/limits.ts'
import { listenStatement } from '../history/outbox-store.ts'

export type EndpointRow = RowOf<typeof endpoints>
export type DeliveryRow = RowOf<typeof deliveries>
/** An endpoint as it is written: booleans are booleans. */
export type NewEndpoint = Omit<typeof endpoints.$inferSelect, 'loadsAfterSeq' | 'createdOn'>

const isEndpoint = (orgId: string, name: string) => and(eq(endpoints.orgId, orgId), eq(endpoints.name, name))

export function endpointsStatement(orgId: string): Statement<EndpointRow> {
  return statement(
    build.select(selection(endpoints)).from(endpoints).where(eq(endpoints.orgId, orgId)).orderBy(asc(endpoints.name)),
  )
}

export function selectEndpoints(db: Database, orgId: string): Promise<EndpointRow[]> {
  return db.all(endpointsStatement(orgId))
}

export function findEndpoint(db: Database, orgId: string, name: string): Promise<EndpointRow | undefined> {
  return db.first(statement(build.select(selection(endpoints)).from(endpoints).where(isEndpoint(orgId, name))))
}

interface Configured {
  createdOn: number
  updatedOn: number
  /** Whether anybody listens afterwards. */
  isListenedTo: boolean
}

/** The secrets are unchanged since they were read: setting or sealing one of them anew seals the first anew. */
const isAsRead = ({ orgId, name, sealedSecret }: EndpointRow) =>
  and(isEndpoint(orgId, name), sql`${endpoints.sealedSecret} IS ${sealedSecret}`)

/**
 * A new endpoint has the time of the organization's clock: no change that comes after it gets an earlier one. Undefined where somebody
 * has set its secret since `known` was read, has removed it, or made one: then nothing is written.
 */
export async function writeEndpoint(
  db: Database,
  row: NewEndpoint,
  known: EndpointRow | undefined,
): Promise<Configured | undefined> {
  const { orgId, name: _, ...changed } = row
  const newest = sql<number>`(SELECT coalesce(max(${changes.seq}), 0) FROM ${changes} ${indexedBy(CHANGE_INDEX.org)}
    WHERE ${changes.orgId} = ${orgId})`
  const loadsAfterSeq = sql`CASE WHEN ${endpoints.includeLoads} THEN ${endpoints.loadsAfterSeq} ELSE ${newest} END`
  const returned = selection(endpoints, ['createdOn', 'updatedOn'])
  // Both by the clock of the organization, which may be ahead of this Worker's.
  const updatedOn = clockOf(orgId)
  const inserted = () =>
    build.insert(endpoints).values({ ...row, createdOn: updatedOn, updatedOn, loadsAfterSeq: newest })
  const write = known
    ? statement(
        build
          .update(endpoints)
          .set({ ...changed, updatedOn, loadsAfterSeq })
          .where(isAsRead(known))
          .returning(returned),
      )
    : statement(inserted().onConflictDoNothing().returning(returned))
  const [, configured, listening] = await db.withinEpoch(async () => {
    const { epoch } = await db.place()
    return db.batch([tick({ orgId, more: 0, epoch }), write, listenStatement(orgId)])
  })
  const [stored] = configured.results
  return stored && { ...stored, isListenedTo: listening.results[0]?.dispatchedSeq != null }
}

export const ENDPOINT_GONE = 'The endpoint is no longer configured.'

/** Waiting deliveries and tasks fail with the endpoint: a later endpoint of the same name must not get them. */
export async function removeEndpoint(db: Database, orgId: string, name: string, now: number): Promise<void> {
  const isWaiting = and(
    eq(deliveries.orgId, orgId),
    eq(deliveries.endpointName, name),
    eq(deliveries.status, 'pending'),
  )
  const given = { status: 'failed', error: ENDPOINT_GONE, dueOn: now, endedOn: now } as const
  await db.batch([
    statement(build.delete(endpoints).where(isEndpoint(orgId, name))),
    statement(build.update(deliveries).set(given).where(isWaiting)),
    listenStatement(orgId),
  ])
}

const isSealedBefore = (sealedNow: string) =>
  or(notLike(endpoints.sealedSecret, `${sealedNow}%`), notLike(endpoints.sealedOldSecret, `${sealedNow}%`))

/** Of all organizations, those behind the one given. */
export function endpointsSealedBefore(
  db: Database,
  sealedNow: string,
  after: EndpointRow | undefined,
  limit: number,
): Promise<EndpointRow[]> {
  const isBehind = sql`(${endpoints.orgId}, ${endpoints.name}) > (${after?.orgId ?? ''}, ${after?.name ?? ''})`
  const select = build
    .select(selection(endpoints))
    .from(endpoints)
    .where(and(isSealedBefore(sealedNow), isBehind))
  return db.all(statement(select.orderBy(endpoints.orgId, endpoints.name).limit(limit)))
}

/** Unless another one was set meanwhile. */
export async function replaceSecrets(
  db: Database,
  known: EndpointRow,
  secrets: Pick<EndpointRow, 'sealedSecret' | 'sealedOldSecret'>,
): Promise<void> {
  await db.batch([statement(build.update(endpoints).set(secrets).where(isAsRead(known)))])
}

export type NewDelivery = Pick<DeliveryRow, 'id' | 'endpointName' | 'triggerKey' | 'payload' | 'depth'>

type InsertValues = { rows: string; orgId: string; now: number; endsOn: number }

const insert = prepared<InsertValues>(
  ({ rows, orgId, now, endsOn }) => sql`${insertInto(deliveries, [
    'id',
    'orgId',
    'endpointName',
    'triggerKey',
    'payload',
    'status',
    'attempts',
    'dueOn',
    'endsOn',
    'createdOn',
    'depth',
  ])}
    SELECT value ->> '$.id', ${orgId}, value ->> '$.endpointName', value ->> '$.triggerKey', value ->> '$.payload',
      'pending', 0, ${now}, ${endsOn}, ${now}, value ->> '$.depth' FROM json_each(${rows})`,
)

/** A bound value stays well below what D1 takes. */
export function insertDeliveries(orgId: string, rows: NewDelivery[], now: number, endsOn: number): Statement[] {
  const slices: NewDelivery[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (bytes + row.payload.length > COMMIT_SLICE_MAX_BYTES / 2) {
      slices.push([])
      bytes = 0
    }
    slices.at(-1)?.push(row)
    bytes += row.payload.length
  }
  return slices.map(slice => insert({ rows: JSON.stringify(slice), orgId, now, endsOn }))
}

type ClaimValues = { orgId: string; id: string; now: number; leaseEnd: number; endsOn: number }

const claim = prepared<ClaimValues, DeliveryRow>(
  ({ orgId, id, now, leaseEnd, endsOn }) => sql`UPDATE ${deliveries}
    SET ${bare(deliveries.attempts)} = iif(${deliveries.error} IS NULL, 1, ${deliveries.attempts} + 1),
      ${bare(deliveries.dueOn)} = ${leaseEnd}, ${bare(deliveries.endsOn)} = iif(${deliveries.error} IS NULL, ${endsOn}, ${deliveries.endsOn})
    WHERE ${deliveries.orgId} = ${orgId} AND ${deliveries.id} = ${id} AND ${deliveries.status} = 'pending'
      AND ${deliveries.dueOn} <= ${now} RETURNING ${columns(deliveries)}`,
)

const endpointOf = prepared<{ orgId: string; id: string }, EndpointRow>(
  ({ orgId, id }) => sql`SELECT ${columns(endpoints)} FROM ${deliveries} JOIN ${endpoints}
      ON ${endpoints.orgId} = ${deliveries.orgId} AND ${endpoints.name} = ${deliveries.endpointName}
    WHERE ${deliveries.orgId} = ${orgId} AND ${deliveries.id} = ${id}`,
)

/**
 * Takes a due delivery, so that no other worker tries it before `leaseEnd`; with the endpoint it goes to, if any. Tries count,
 * and the time for them runs, from the first one that comes to its end: one that dies with its Worker is no fault of the endpoint.
 */
export async function claimDelivery(db: Database, values: ClaimValues) {
  const [claimed, endpoint] = await db.batch([claim(values), endpointOf(values)])
  const [delivery] = claimed.results
  return delivery && { delivery, endpoint: endpoint.results[0] }
}

export type DeliveryResult = Pick<DeliveryRow, 'status' | 'dueOn' | 'responseStatus' | 'error' | 'endedOn'>

/** Only the try that still holds the delivery may say how it went. One that was sent again counts from the start: its lease tells. */
export async function recordDelivery(db: Database, row: DeliveryRow, result: DeliveryResult): Promise<void> {
  const isHeld = and(
    eq(deliveries.orgId, row.orgId),
    eq(deliveries.id, row.id),
    eq(deliveries.attempts, row.attempts),
    eq(deliveries.dueOn, row.dueOn),
    eq(deliveries.status, 'pending'),
  )
  await db.batch([statement(build.update(deliveries).set(result).where(isHeld))])
}

export interface DeliveriesPage {
  status?: DeliveryRow['status'] | undefined
  beforeSeq?: number | undefined
  limit: number
}

/** With the bytes of the page so far. */
export type ListedDelivery = DeliveryRow & { bytes: number }

const d = named(deliveries, 'd')

/** Newest first, as far as their bytes go. */
export function selectDeliveries(db: Database, orgId: string, name: string, page: DeliveriesPage) {
  const isAsked = and(
    eq(deliveries.orgId, orgId),
    eq(deliveries.endpointName, name),
    page.status && eq(deliveries.status, page.status),
    page.beforeSeq === undefined ? undefined : lt(deliveries.seq, page.beforeSeq),
  )
  const index = page.status ? DELIVERY_INDEX.status : DELIVERY_INDEX.endpoint
  const sizes = sql`SELECT ${deliveries.seq} AS seq, octet_length(${deliveries.payload}) AS size
    FROM ${deliveries} ${indexedBy(index)} WHERE ${isAsked} ORDER BY ${desc(deliveries.seq)} LIMIT ${page.limit}`
  return db.all(
    statement(
      sql<ListedDelivery>`SELECT ${columns(d)}, b.bytes FROM ${withinBytes(sizes, PAGE_MAX_BYTES)} b
        CROSS JOIN ${from(d)} ON ${d.seq} = b.seq AND ${d.orgId} = ${orgId}`,
    ),
  )
}

export function reopenDelivery(db: Database, orgId: string, name: string, id: string, now: number, endsOn: number) {
  const reopened = build
    .update(deliveries)
    .set({ status: 'pending', attempts: 0, dueOn: now, endsOn, endedOn: null, error: null })
    .where(and(eq(deliveries.orgId, orgId), eq(deliveries.endpointName, name), eq(deliveries.id, id)))
    .returning(selection(deliveries))
  return db.first(statement(reopened))
}

export const dueDeliveries = prepared<{ orgId: string; dueBefore: number; limit: number }, { id: string }>(
  ({ orgId, dueBefore, limit }) => sql`SELECT ${columns(deliveries, ['id'])}
    FROM ${deliveries} ${indexedBy(DELIVERY_INDEX.due)}
    WHERE ${deliveries.orgId} = ${orgId} AND ${deliveries.status} = 'pending' AND ${deliveries.dueOn} < ${dueBefore}
    LIMIT ${limit}`,
)

const removeSome = prepared<{ before: number; limit: number }>(
  ({ before, limit }) => sql`DELETE FROM ${deliveries} WHERE ${deliveries.seq} IN (
    SELECT ${deliveries.seq} FROM ${deliveries} WHERE ${deliveries.createdOn} < ${before} LIMIT ${limit})`,
)

/** Of all organizations; how many it was. */
export async function removeDeliveries(db: Database, before: number, limit: number): Promise<number> {
  const [removed] = await db.batch([removeSome({ before, limit })])
  return removed.meta.changes
}
