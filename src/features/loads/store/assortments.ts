// Workspaces, assortments and their projects, as a configuration names them.
import type { Database } from '../../../platform/db/client.ts'

export interface AssortmentRow {
  id: string
  identifier: string | null
  projectId: string | null
}

const ASSORTMENTS = `SELECT a.id, a.identifier, w.project_id FROM entities a
  LEFT JOIN entities w ON w.id = a.workspace_id AND w.org_id = a.org_id AND w.kind = 'workspace'`

export async function findAssortments(
  db: Database,
  orgId: string,
  { ids = [], identifiers = [] }: { ids?: readonly string[]; identifiers?: readonly string[] },
): Promise<AssortmentRow[]> {
  const results = await db.batch([
    {
      sql: `${ASSORTMENTS} WHERE a.id IN (SELECT value FROM json_each(?2)) AND a.org_id = ?1 AND a.kind = 'assortment'`,
      params: [orgId, JSON.stringify(ids)],
    },
    {
      sql: `${ASSORTMENTS} WHERE a.org_id = ?1 AND a.kind = 'assortment' AND a.identifier IN (SELECT value FROM json_each(?2))`,
      params: [orgId, JSON.stringify(identifiers)],
    },
  ])
  return results.flatMap(({ results: rows }) =>
    rows.map(row => ({
      id: String(row.id),
      identifier: row.identifier === null ? null : String(row.identifier),
      projectId: row.project_id === null ? null : String(row.project_id),
    })),
  )
}

/** Undefined: no such workspace. Null: it belongs to no project. */
export async function projectOfWorkspace(
  db: Database,
  orgId: string,
  identifier: string,
): Promise<string | null | undefined> {
  const [row] = await db.all({
    sql: `SELECT project_id FROM entities WHERE org_id = ?1 AND kind = 'workspace' AND identifier = ?2`,
    params: [orgId, identifier],
  })
  return row && (row.project_id === null ? null : String(row.project_id))
}
