// An entity as it lies in the table, and as callers see it.

export interface EntityRow {
  id: string
  org_id: string
  kind: string
  version: number
  created_on: number
  updated_on: number
  created_by_id: string
  updated_by_id: string
  data: string
}

export const ROW_COLUMNS = 'seq, id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data'

export type Entity = { id: string; version: number } & Record<string, unknown>

/** The common fields first, in one order; those that stand in the data keep their places. */
export function entityOf(row: EntityRow): Entity {
  const createdOn = timeText(row.created_on)
  return {
    id: row.id,
    orgId: row.org_id,
    typePath: null,
    name: null,
    federatedId: null,
    createdOn,
    updatedOn: row.updated_on === row.created_on ? createdOn : timeText(row.updated_on),
    createdById: row.created_by_id,
    updatedById: row.updated_by_id,
    version: row.version,
    ...(JSON.parse(row.data) as Record<string, unknown>),
  }
}

/** ISO 8601 in UTC with milliseconds (N3). */
export function timeText(time: number): string {
  return new Date(time).toISOString()
}
