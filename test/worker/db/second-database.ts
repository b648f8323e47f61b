// Looks into the databases behind the service's back.
import { env } from '../api.ts'

export const second = (env as unknown as { DATA_01: D1Database }).DATA_01

export async function countIn(database: D1Database, table: string, orgId: string): Promise<number> {
  return (
    (await database.prepare(`SELECT count(*) AS n FROM ${table} WHERE org_id = ?`).bind(orgId).first<number>('n')) ?? 0
  )
}

/** Those that hold rows of organizations. */
export async function tablesIn(database: D1Database): Promise<string[]> {
  const found = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%'")
    .all<{ name: string }>()
  return found.results.map(({ name }) => name)
}
