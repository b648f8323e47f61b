// Organizations in the directory, their export and their removal. Answers rows, decides nothing.
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { databaseFor, directory } from '../../platform/db/client.ts'
import { memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { statement, valuesOf } from '../../platform/db/sql.ts'
import { ORGANIZATION_TABLES } from '../../platform/db/tables.ts'

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
    ORGANIZATION_TABLES.map(table =>
      statement(sql`DELETE FROM ${table} WHERE rowid IN (
        SELECT rowid FROM ${table} WHERE ${table.orgId} = ${orgId} LIMIT ${rows})`),
    ),
  )
  return results.reduce((sum, result) => sum + result.meta.changes, 0)
}

export async function removeOrg(env: Env, orgId: string): Promise<void> {
  await directory(env).delete(orgs).where(eq(orgs.id, orgId))
}

/** What may leave the house: never a digest, a hash or a sealed secret. */
const EXPORTED = {
  entities: {
    from: 'entities t',
    columns: 't.id, t.kind, t.version, t.updated_on, t.created_by_id, t.updated_by_id, t.data',
  },
  changes: {
    from: 'changes t',
    columns: 't.id, t.entity_type, t.entity_id, t.change_type, t.created_by_id, t.created_by_type, t.version, t.detail',
  },
  members: { from: 'memberships t JOIN users u ON u.id = t.user_id', columns: 't.user_id, u.email, t.role' },
  credentials: {
    from: 'credentials t',
    columns: `t.id, t.kind, t.user_id, t.name, t.start, t.scope, t.tier, t.created_by_id, t.last_used_on, t.expires_on,
      t.revoked_on`,
  },
  endpoints: {
    from: 'endpoints t',
    columns: 't.name, t.url, t.events, t.include_loads, t.auth_kind, t.header_name, t.updated_on',
  },
}

export interface ExportPart {
  table: keyof typeof EXPORTED
  /** Entities are read type by type: each lies in one index. */
  kind?: string
}

export function exportPage(
  env: Env,
  orgId: string,
  { table, kind }: ExportPart,
  after: [number, number],
  limit: number,
) {
  const { from, columns } = EXPORTED[table]
  const ofKind = kind === undefined ? '?2 IS NULL' : 't.kind = ?2'
  return databaseFor(env, orgId).all({
    sql: `SELECT t.rowid AS seq, t.created_on, ${columns} FROM ${from}
      WHERE t.org_id = ?1 AND ${ofKind} AND (t.created_on, t.rowid) > (?3, ?4) ORDER BY t.created_on, t.rowid LIMIT ?5`,
    params: [orgId, kind ?? null, after[0], after[1], limit],
  })
}
