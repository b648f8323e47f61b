// An entity as it lies in the table, and as callers see it.

export interface EntityRow {
  seq: number
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

export function entityOf(row: EntityRow): Entity {
  const { typePath, name = null, federatedId = null, ...own } = JSON.parse(row.data) as Record<string, unknown>
  return {
    id: row.id,
    orgId: row.org_id,
    typePath,
    name,
    federatedId,
    createdOn: timeText(row.created_on),
    updatedOn: timeText(row.updated_on),
    createdById: row.created_by_id,
    updatedById: row.updated_by_id,
    version: row.version,
    ...own,
  }
}

/** ISO 8601 in UTC with milliseconds (N3). */
export function timeText(time: number): string {
  return new Date(time).toISOString()
}
