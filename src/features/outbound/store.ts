// Endpoints and deliveries in the tables. Answers rows, decides nothing.
import type { Database, Statement } from '../../platform/db/client.ts'
import { COMMIT_SLICE_MAX_BYTES } from '../../platform/limits.ts'
import { listenStatements } from '../history/outbox-store.ts'

export interface EndpointRow {
  org_id: string
  name: string
  url: string
  events: string
  include_loads: number
  auth_kind: 'header' | 'hmac' | 'allowlist'
  header_name: string | null
  sealed_secret: string | null
  base_url: string
  created_on: number
  updated_on: number
}

export interface DeliveryRow {
  seq: number
  id: string
  org_id: string
  endpoint_name: string
  trigger_key: string
  payload: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  due_on: number
  ends_on: number
  response_status: number | null
  error: string | null
  created_on: number
  ended_on: number | null
}

const rowsOf = <Row>(result: D1Result<Record<string, unknown>> | undefined) =>
  (result?.results ?? []) as unknown as Row[]

export async function selectEndpoints(db: Database, orgId: string): Promise<EndpointRow[]> {
  const [result] = await db.batch([endpointsStatement(orgId)])
  return rowsOf<EndpointRow>(result)
}

export function endpointsStatement(orgId: string): Statement {
  return { sql: 'SELECT * FROM endpoints WHERE org_id = ?1 ORDER BY name', params: [orgId] }
}

export async function findEndpoint(db: Database, orgId: string, name: string): Promise<EndpointRow | undefined> {
  const [result] = await db.batch([
    { sql: 'SELECT * FROM endpoints WHERE org_id = ?1 AND name = ?2', params: [orgId, name] },
  ])
  return rowsOf<EndpointRow>(result)[0]
}

/** No change that comes after an endpoint gets an earlier time than it has. */
function clockStatement(orgId: string, now: number): Statement {
  return {
    sql: 'INSERT INTO clocks (org_id, time) VALUES (?1, ?2) ON CONFLICT (org_id) DO UPDATE SET time = max(time, excluded.time)',
    params: [orgId, now],
  }
}

/** Whether anybody listens afterwards. */
export async function upsertEndpoint(db: Database, row: EndpointRow): Promise<boolean> {
  const results = await db.batch([
    clockStatement(row.org_id, row.updated_on),
    {
      sql: `INSERT INTO endpoints (org_id, name, url, events, include_loads, auth_kind, header_name, sealed_secret, base_url, created_on, updated_on)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT (org_id, name) DO UPDATE SET url = excluded.url, events = excluded.events, include_loads = excluded.include_loads,
          auth_kind = excluded.auth_kind, header_name = excluded.header_name, sealed_secret = excluded.sealed_secret,
          base_url = excluded.base_url, updated_on = excluded.updated_on`,
      params: [
        row.org_id,
        row.name,
        row.url,
        row.events,
        row.include_loads,
        row.auth_kind,
        row.header_name,
        row.sealed_secret,
        row.base_url,
        row.created_on,
        row.updated_on,
      ],
    },
    ...listenStatements(row.org_id),
  ])
  return results.at(-1)?.results[0]?.heardSeq != null
}

export async function removeEndpoint(db: Database, orgId: string, name: string): Promise<boolean> {
  const [removed] = await db.batch([
    { sql: 'DELETE FROM endpoints WHERE org_id = ?1 AND name = ?2 RETURNING name', params: [orgId, name] },
    ...listenStatements(orgId),
  ])
  return rowsOf(removed).length === 1
}

export type NewDelivery = Pick<DeliveryRow, 'id' | 'endpoint_name' | 'trigger_key' | 'payload'>

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
    bytes += row.payload.length + 200
  }
  return slices.map(slice => ({
    sql: `INSERT INTO deliveries (id, org_id, endpoint_name, trigger_key, payload, status, attempts, due_on, ends_on, created_on)
      SELECT value ->> '$.id', ?2, value ->> '$.endpoint_name', value ->> '$.trigger_key', value ->> '$.payload', 'pending', 0, ?3, ?4, ?3
      FROM json_each(?1)`,
    params: [JSON.stringify(slice), orgId, now, endsOn],
  }))
}

/** Takes a delivery that is due, so that nobody else tries it before `leaseEnd`; with the endpoint it goes to, if any. */
export async function claimDelivery(db: Database, orgId: string, id: string, now: number, leaseEnd: number) {
  const [claimed, endpoint] = await db.batch([
    {
      sql: `UPDATE deliveries SET attempts = attempts + 1, due_on = ?4
        WHERE id = ?2 AND org_id = ?1 AND status = 'pending' AND due_on <= ?3 RETURNING *`,
      params: [orgId, id, now, leaseEnd],
    },
    {
      sql: `SELECT e.* FROM deliveries d JOIN endpoints e ON e.org_id = d.org_id AND e.name = d.endpoint_name
        WHERE d.id = ?2 AND d.org_id = ?1`,
      params: [orgId, id],
    },
  ])
  const delivery = rowsOf<DeliveryRow>(claimed)[0]
  return delivery && { delivery, endpoint: rowsOf<EndpointRow>(endpoint)[0] }
}

export interface DeliveryResult {
  status: DeliveryRow['status']
  dueOn: number
  responseStatus: number | null
  error: string | null
  endedOn: number | null
}

/** Only the try that still holds the delivery may say how it went. */
export async function recordDelivery(db: Database, row: DeliveryRow, result: DeliveryResult): Promise<void> {
  await db.batch([
    {
      sql: `UPDATE deliveries SET status = ?3, due_on = ?4, response_status = ?5, error = ?6, ended_on = ?7
        WHERE id = ?1 AND attempts = ?2 AND status = 'pending'`,
      params: [row.id, row.attempts, result.status, result.dueOn, result.responseStatus, result.error, result.endedOn],
    },
  ])
}

export interface DeliveriesPage {
  status?: string | undefined
  beforeSeq?: number | undefined
  limit: number
}

/** Newest first. */
export async function selectDeliveries(db: Database, orgId: string, name: string, page: DeliveriesPage) {
  const [result] = await db.batch([
    {
      sql: `SELECT * FROM deliveries INDEXED BY deliveries_endpoint WHERE org_id = ?1 AND endpoint_name = ?2
        AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR seq < ?4) ORDER BY seq DESC LIMIT ?5`,
      params: [orgId, name, page.status ?? null, page.beforeSeq ?? null, page.limit],
    },
  ])
  return rowsOf<DeliveryRow>(result)
}

export async function reopenDelivery(
  db: Database,
  orgId: string,
  name: string,
  id: string,
  now: number,
  endsOn: number,
) {
  const [result] = await db.batch([
    {
      sql: `UPDATE deliveries SET status = 'pending', attempts = 0, due_on = ?4, ends_on = ?5, ended_on = NULL, error = NULL
        WHERE id = ?3 AND org_id = ?1 AND endpoint_name = ?2 RETURNING *`,
      params: [orgId, name, id, now, endsOn],
    },
  ])
  return rowsOf<DeliveryRow>(result)[0]
}

export function dueDeliveriesStatement(orgId: string, dueBefore: number, limit: number): Statement {
  return {
    sql: `SELECT id FROM deliveries INDEXED BY deliveries_due WHERE org_id = ?1 AND status = 'pending' AND due_on < ?2 LIMIT ?3`,
    params: [orgId, dueBefore, limit],
  }
}
