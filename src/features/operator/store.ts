// Organizations in the directory, their export and their removal. Answers rows, decides nothing.
import { and, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Env } from '../../env.ts'
import { databaseFor, directory } from '../../platform/db/client.ts'
import { changes, entities } from '../../platform/db/schema/entities.ts'
import { endpoints } from '../../platform/db/schema/events.ts'
import { credentials, memberships, orgs, users } from '../../platform/db/schema/organizations.ts'
import { columns, statement, valuesOf } from '../../platform/db/sql.ts'
import { ORGANIZATION_TABLES } from '../../platform/db/tables.ts'
import type { OrgRow } from '../organizations/store.ts'

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

/** What an export may hold: never a digest, a hash or a sealed secret. */
const EXPORTED = {
  entities: {
    table: entities,
    fields: columns(entities, ['id', 'kind', 'version', 'updatedOn', 'createdById', 'updatedById', 'data']),
  },
  changes: {
    table: changes,
    fields: columns(changes, [
      'id',
      'entityType',
      'entityId',
      'changeType',
      'createdById',
      'createdByType',
      'version',
      'detail',
    ]),
  },
  members: {
    table: memberships,
    fields: sql`${columns(memberships, ['userId', 'role'])}, ${columns(users, ['email'])}`,
    join: sql`JOIN ${users} ON ${users.id} = ${memberships.userId}`,
  },
  credentials: {
    table: credentials,
    fields: columns(credentials, [
      'id',
      'kind',
      'userId',
      'name',
      'start',
      'scope',
      'tier',
      'createdById',
      'lastUsedOn',
      'expiresOn',
      'revokedOn',
    ]),
  },
  endpoints: {
    table: endpoints,
    fields: columns(endpoints, ['name', 'url', 'events', 'includeLoads', 'authKind', 'headerName', 'updatedOn']),
  },
}

export interface ExportPart {
  table: keyof typeof EXPORTED
  /** Entities are read type by type: each lies in one index. */
  kind?: string
}

export type ExportedRow = { seq: number; createdOn: number } & Record<string, unknown>

export function exportPage(
  env: Env,
  orgId: string,
  { table: name, kind }: ExportPart,
  [time, seq]: [number, number],
  limit: number,
): Promise<ExportedRow[]> {
  const { table, fields, join = sql`` }: { table: ExportedTable; fields: SQL; join?: SQL } = EXPORTED[name]
  const rowId = sql`${table}.rowid`
  const ofKind = kind === undefined ? sql`` : sql` AND ${entities.kind} = ${kind}`
  return databaseFor(env, orgId).all(
    statement(sql<ExportedRow>`SELECT ${rowId} AS seq, ${table.createdOn} AS "createdOn", ${fields} FROM ${table} ${join}
      WHERE ${table.orgId} = ${orgId}${ofKind} AND (${table.createdOn}, ${rowId}) > (${time}, ${seq})
      ORDER BY ${table.createdOn}, ${rowId} LIMIT ${limit}`),
  )
}

type ExportedTable = SQLiteTable & { orgId: SQLiteColumn; createdOn: SQLiteColumn }
