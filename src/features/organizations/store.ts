// Organizations in the directory. Answers rows, decides nothing.
import { and, eq, isNull, notInArray } from 'drizzle-orm'
import type { Org } from '../../platform/context.ts'
import { directory } from '../../platform/db/client.ts'
import { databasesOf, type Place } from '../../platform/db/placement.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { build, type RowOf, selection, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'

export type OrgRow = RowOf<typeof orgs>
export type NewOrg = typeof orgs.$inferInsert

export async function findActiveOrg(env: Env, id: string): Promise<(Org & Place) | undefined> {
  const select = build
    .select(selection(orgs, ['id', 'slug', 'database', 'epoch', 'moving']))
    .from(orgs)
    .where(and(eq(orgs.id, id), isNull(orgs.suspendedOn), isNull(orgs.deletedOn)))
  return directory(env).first(statement(select))
}

export async function findOrg(env: Env, slug: string): Promise<OrgRow | undefined> {
  const select = build
    .select(selection(orgs))
    .from(orgs)
    .where(and(eq(orgs.slug, slug), isNull(orgs.deletedOn)))
  return directory(env).first(statement(select))
}

/** Databases that organizations are in, though this deployment does not bind them: it knows nothing of what they hold. */
export async function unboundDatabases(env: Env): Promise<string[]> {
  const select = build
    .selectDistinct(selection(orgs, ['database']))
    .from(orgs)
    .where(notInArray(orgs.database, [...databasesOf(env).keys()]))
  const found = await directory(env).all(statement(select))
  return found.map(({ database }) => database)
}
