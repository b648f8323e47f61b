// Organizations in the directory, their export and their removal. Answers rows, decides nothing.
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { databaseFor, directory } from '../../platform/db/client.ts'
import { memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { ORGANIZATION_TABLES } from '../../platform/db/tables.ts'
import { valuesOf } from '../../platform/db/values.ts'

export type OrgRow = typeof orgs.$inferSelect
type NewAdmin = typeof users.$inferInsert & { passwordHash: string }

/** False where the slug is taken. The admin joins in the same transaction. */
export async function insertOrg(env: Env, org: OrgRow, admin: NewAdmin | undefined): Promise<boolean> {
  const db = directory(env)
  const insert = db.insert(orgs).values(org).onConflictDoNothing().returning({ id: orgs.id })
  if (!admin) return (await insert).length === 1
  const { passwordHash, ...user } = admin
  const membership = { orgId: org.id, role: 'admin', passwordHash, createdOn: org.createdOn } as const
  const [inserted] = await db.batch([
    insert,
    db.insert(users).values(user).onConflictDoNothing(),
    db.insert(memberships).select(
      db
        .select({ ...valuesOf(memberships, membership), userId: users.id })
        .from(orgs)
        .innerJoin(users, eq(users.email, admin.email))
        .where(eq(orgs.id, org.id)),
    ),
  ])
  return inserted.length === 1
}

export async function findOrg(env: Env, slug: string): Promise<OrgRow | undefined> {
  const [found] = await directory(env)
    .select()
    .from(orgs)
    .where(and(eq(orgs.slug, slug), isNull(orgs.deletedOn)))
  return found
}

export function selectOrgs(env: Env, afterSlug: string | undefined, limit: number): Promise<OrgRow[]> {
  return directory(env)
    .select()
    .from(orgs)
    .where(and(isNull(orgs.deletedOn), afterSlug === undefined ? undefined : gt(orgs.slug, afterSlug)))
    .orderBy(orgs.slug)
    .limit(limit)
}

export async function changeOrg(env: Env, slug: string, fields: Partial<OrgRow>): Promise<OrgRow | undefined> {
  const query = directory(env)
    .update(orgs)
    .set(fields)
    .where(and(eq(orgs.slug, slug), isNull(orgs.deletedOn)))
  const [changed] = await query.returning()
  return changed
}

export async function deletedOrgs(env: Env): Promise<string[]> {
  const rows = await directory(env).select({ id: orgs.id }).from(orgs).where(isNotNull(orgs.deletedOn)).limit(10)
  return rows.map(row => row.id)
}

/** Removes up to `rows` rows of each table; how many it was. */
export async function removeSome(env: Env, orgId: string, rows: number): Promise<number> {
  const results = await databaseFor(env, orgId).batch(
    ORGANIZATION_TABLES.map(table => ({
      sql: `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE org_id = ?1 LIMIT ?2)`,
      params: [orgId, rows],
    })),
  )
  return results.reduce((sum, result) => sum + result.meta.changes, 0)
}

export async function removeOrg(env: Env, orgId: string): Promise<void> {
  await directory(env).delete(orgs).where(eq(orgs.id, orgId))
}

export interface ExportPart {
  table: 'entities' | 'changes'
  /** Entities are read type by type: each lies in one index. */
  kind?: string
}

const EXPORTED_COLUMNS = {
  entities: 'seq, id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data',
  changes: 'seq, id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail',
}

export function exportPage(
  env: Env,
  orgId: string,
  { table, kind }: ExportPart,
  after: [number, number],
  limit: number,
) {
  const ofKind = kind === undefined ? '?2 IS NULL' : 'kind = ?2'
  return databaseFor(env, orgId).all({
    sql: `SELECT ${EXPORTED_COLUMNS[table]} FROM ${table} WHERE org_id = ?1 AND ${ofKind} AND (created_on, seq) > (?3, ?4)
      ORDER BY created_on, seq LIMIT ?5`,
    params: [orgId, kind ?? null, after[0], after[1], limit],
  })
}
