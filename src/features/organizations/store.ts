// Organizations in the directory. Answers rows, decides nothing.
import { and, eq, isNull, notInArray } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import type { Org } from '../../platform/context.ts'
import { directory } from '../../platform/db/client.ts'
import { databasesOf, type Place } from '../../platform/db/placement.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'

export type OrgRow = typeof orgs.$inferSelect

export async function findActiveOrg(env: Env, id: string): Promise<(Org & Place) | undefined> {
  const [found] = await directory(env)
    .select({ id: orgs.id, slug: orgs.slug, database: orgs.database, epoch: orgs.epoch, moving: orgs.moving })
    .from(orgs)
    .where(and(eq(orgs.id, id), isNull(orgs.suspendedOn), isNull(orgs.deletedOn)))
  return found
}

export async function findOrg(env: Env, slug: string): Promise<OrgRow | undefined> {
  const [found] = await directory(env)
    .select()
    .from(orgs)
    .where(and(eq(orgs.slug, slug), isNull(orgs.deletedOn)))
  return found
}

/** Databases that organizations are in, though this deployment does not bind them: it knows nothing of what they hold. */
export async function unboundDatabases(env: Env): Promise<string[]> {
  const found = await directory(env)
    .selectDistinct({ database: orgs.database })
    .from(orgs)
    .where(notInArray(orgs.database, [...databasesOf(env).keys()]))
  return found.map(({ database }) => database)
}
