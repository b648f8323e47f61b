// How large the databases are, and how many organizations are in each.
import { count, isNull, sql } from 'drizzle-orm'
import { databaseAt, directory } from '../../platform/db/client.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { build, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'

const anything = statement(sql<{ one: number }>`SELECT 1 AS one`)

/** D1 tells the size of a database with every answer. */
export async function bytesOf(env: Env, name: string): Promise<number> {
  const [answer] = await databaseAt(env, name).batch([anything])
  return answer.meta.size_after
}

export async function organizationsByDatabase(env: Env): Promise<Map<string, number>> {
  const read = build
    .select({ name: sql<string>`${orgs.database}`.as('name'), organizations: count().as('organizations') })
    .from(orgs)
    .where(isNull(orgs.deletedOn))
    .groupBy(orgs.database)
  const rows = await directory(env).all(statement(read))
  return new Map(rows.map(({ name, organizations }) => [name, organizations]))
}
