// Organizations in the directory, their export and their removal. Answers rows, decides nothing.
import { and, eq, gt, isNull, ne, not, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { allDatabases, type Database, directory } from '../../platform/db/client.ts'
import { entities } from '../../platform/db/schema/entities.ts'
import { endpoints } from '../../platform/db/schema/events.ts'
import { credentials, memberships, orgs, tombstones, users } from '../../platform/db/schema/organizations.ts'
import { audit, identityProviders, invitations } from '../../platform/db/schema/people.ts'
import { build, columns, type RowOf, type Statement, selection, statement, valuesOf } from '../../platform/db/sql.ts'
import { ORGANIZATION_TABLES } from '../../platform/db/tables.ts'
import type { Env } from '../../platform/env.ts'
import type { Action, AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { NewOrg, OrgRow } from '../organizations/store.ts'
import { isBuried } from './deletion-store.ts'

type NewAdmin = typeof users.$inferInsert & { passwordHash: string }

/** False where the slug is taken. The admin joins in the same transaction; a repeat finds them there. */
export async function insertOrg(env: Env, org: NewOrg, admin: NewAdmin | undefined, event: AuditRow): Promise<boolean> {
  const [inserted] = await directory(env).batch([
    statement(build.insert(orgs).values(org).onConflictDoNothing()),
    auditIfChanged(event),
    ...(admin ? joining(org, admin) : []),
  ])
  return inserted.meta.changes === 1
}

function joining({ id, createdOn }: NewOrg, { passwordHash, ...user }: NewAdmin): Statement[] {
  const membership = { orgId: id, role: 'admin', passwordHash, createdOn } as const
  const asAdmin = build
    .select({ ...valuesOf(memberships, membership), userId: users.id })
    .from(orgs)
    .innerJoin(users, eq(users.email, user.email))
    .where(eq(orgs.id, id))
  return [
    statement(build.insert(users).values(user).onConflictDoNothing()),
    statement(build.insert(memberships).select(asAdmin).onConflictDoNothing()),
  ]
}

export function selectOrgs(env: Env, afterSlug: string | undefined, limit: number): Promise<OrgRow[]> {
  const select = build
    .select(selection(orgs))
    .from(orgs)
    .where(and(isNull(orgs.deletedOn), afterSlug === undefined ? undefined : gt(orgs.slug, afterSlug)))
    .orderBy(orgs.slug)
    .limit(limit)
  return directory(env).all(statement(select))
}

export async function changeOrg(
  env: Env,
  slug: string,
  fields: { [Field in keyof NewOrg]?: NewOrg[Field] | undefined },
  event?: AuditRow,
): Promise<OrgRow | undefined> {
  const change = build
    .update(orgs)
    .set(fields)
    .where(and(eq(orgs.slug, slug), isNull(orgs.deletedOn)))
    .returning(selection(orgs))
  const [changed] = await directory(env).batch([statement(change), ...(event ? [auditIfChanged(event)] : [])])
  return changed.results[0]
}

/** Acts that change nothing in an archive, or that the clock of the entities shows. */
const HARMLESS: Action[] = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'organization_exported',
  'backup_downloaded',
  'organization_move_begun',
  'organization_moved',
  'organization_move_cancelled',
  'organization_move_failed',
  'delivery_resent',
  'file_uploaded',
  'file_deleted',
]

/** Whether members, invitations, keys or settings changed since: the clock of the entities does not show these. */
export async function isChangedSince(env: Env, id: string, exportedOn: number): Promise<boolean> {
  const since = (table: typeof memberships | typeof invitations | typeof credentials | typeof audit, more?: SQL) =>
    sql`SELECT 1 FROM ${table} WHERE ${and(eq(table.orgId, id), gt(table.createdOn, exportedOn), more)}`
  const found = await directory(env).first(
    statement(sql<{ isSo: 0 | 1 }>`SELECT EXISTS (${since(memberships)}) OR EXISTS (${since(invitations)})
      OR EXISTS (${since(credentials, ne(credentials.kind, 'session'))})
      OR EXISTS (${since(audit, and(notInArray(audit.action, HARMLESS), not(isSuspension)))}) AS "isSo"`),
  )
  return found?.isSo === 1
}

/** An organization is suspended before it is deleted. */
const isSuspension = sql`(${audit.action} = 'organization_changed' AND ${audit.detail} IN ('{"suspended":true}', '{"suspended":false}'))`

/** A deletion that came to nothing may have left its tombstone. */
const buried = (which: SQL) => {
  const living = build
    .select({ id: orgs.id })
    .from(orgs)
    .where(and(eq(orgs.id, tombstones.id), isNull(orgs.deletedOn)))
  return build
    .select(selection(tombstones))
    .from(tombstones)
    .where(and(which, notExists(living)))
}

/** Those after the one given, as many as are swept at once. */
export function buriedOrgs(env: Env, afterId: string, limit: number): Promise<RowOf<typeof tombstones>[]> {
  const select = buried(gt(tombstones.id, afterId))
  return directory(env).all(statement(select.orderBy(tombstones.id).limit(limit)))
}

/** The directory's last: as long as it is there, this is done again. */
export async function removeTombstone(env: Env, id: string): Promise<void> {
  const remove = statement(build.delete(tombstones).where(eq(tombstones.id, id)))
  for (const db of allDatabases(env).reverse()) await db.batch([remove])
}

/** Of all organizations, by the beginning that names the key. */
export async function sealsOf(env: Env): Promise<{ seal: string; secrets: number }[]> {
  const of = (table: SQLiteTable, column: SQLiteColumn) =>
    statement(
      sql<{ seal: string; secrets: number }>`SELECT substr(${column}, 1, 12) AS seal, count(*) AS secrets FROM ${table}
        WHERE ${column} IS NOT NULL GROUP BY 1`,
    )
  const found = await Promise.all([
    ...allDatabases(env).flatMap(db => [
      db.all(of(endpoints, endpoints.sealedSecret)),
      db.all(of(endpoints, endpoints.sealedOldSecret)),
    ]),
    directory(env).all(of(identityProviders, identityProviders.clientSecret)),
  ])
  return found.flat()
}

export async function idsOf(db: Database, orgId: string, kind: string, afterSeq: number, limit: number) {
  const read = sql<{ id: string; seq: number }>`SELECT ${columns(entities, ['id', 'seq'])} FROM ${entities}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.seq} > ${afterSeq}
    ORDER BY ${entities.seq} LIMIT ${limit}`
  return db.all(statement(read))
}

export async function hasTombstone(env: Env, orgId: string): Promise<boolean> {
  return (await directory(env).first(statement(buried(eq(tombstones.id, orgId))))) !== undefined
}

/** Removes up to `rows` rows of each table of a database; how many it was. */
export async function removeSome(db: Database, orgId: string, rows: number): Promise<number> {
  const results = await db.batch(
    ORGANIZATION_TABLES.map(table =>
      statement(sql`DELETE FROM ${table} WHERE rowid IN (
        SELECT rowid FROM ${table} WHERE ${table.orgId} = ${orgId} AND ${isBuried(orgId)} LIMIT ${rows})`),
    ),
  )
  return results.reduce((sum, result) => sum + result.meta.changes, 0)
}

export async function removeOrg(env: Env, orgId: string): Promise<void> {
  const remove = build.delete(orgs).where(and(eq(orgs.id, orgId), isBuried(orgId)))
  await directory(env).run(statement(remove))
}
