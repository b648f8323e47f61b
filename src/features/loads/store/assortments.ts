// Workspaces, assortments and their projects, as a configuration names them.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { entities } from '../../../platform/db/schema/entities.ts'
import { columns, from, named, prepared } from '../../../platform/db/sql.ts'

export interface AssortmentRow {
  id: string
  identifier: string | null
  projectId: string | null
}

const a = named(entities, 'a')
const w = named(entities, 'w')

const ASSORTMENTS = sql`SELECT ${columns(a, ['id', 'identifier'])}, ${columns(w, ['projectId'])} FROM ${from(a)}
  LEFT JOIN ${from(w)} ON ${w.id} = ${a.workspaceId} AND ${w.orgId} = ${a.orgId} AND ${w.kind} = 'workspace'`

const byIds = prepared<{ orgId: string; ids: string }, AssortmentRow>(
  ({ orgId, ids }) => sql`${ASSORTMENTS}
    WHERE ${a.id} IN (SELECT value FROM json_each(${ids})) AND ${a.orgId} = ${orgId} AND ${a.kind} = 'assortment'`,
)

const byIdentifiers = prepared<{ orgId: string; identifiers: string }, AssortmentRow>(
  ({ orgId, identifiers }) => sql`${ASSORTMENTS} WHERE ${a.orgId} = ${orgId} AND ${a.kind} = 'assortment'
    AND ${a.identifier} IN (SELECT value FROM json_each(${identifiers}))`,
)

export async function findAssortments(
  db: Database,
  orgId: string,
  { ids = [], identifiers = [] }: { ids?: readonly string[]; identifiers?: readonly string[] },
): Promise<AssortmentRow[]> {
  const results = await db.batch([
    byIds({ orgId, ids: JSON.stringify(ids) }),
    byIdentifiers({ orgId, identifiers: JSON.stringify(identifiers) }),
  ])
  return results.flatMap(({ results: rows }) => rows)
}

const workspaceProject = prepared<{ orgId: string; identifier: string }, { projectId: string | null }>(
  ({ orgId, identifier }) => sql`SELECT ${columns(w, ['projectId'])} FROM ${from(w)}
    WHERE ${w.orgId} = ${orgId} AND ${w.kind} = 'workspace' AND ${w.identifier} = ${identifier}`,
)

/** Undefined: no such workspace. Null: it belongs to no project. */
export async function projectOfWorkspace(
  db: Database,
  orgId: string,
  identifier: string,
): Promise<string | null | undefined> {
  return (await db.first(workspaceProject({ orgId, identifier })))?.projectId
}
