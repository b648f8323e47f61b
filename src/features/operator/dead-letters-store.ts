// Wake-ups that were given up, until they are sent again or their time is over.
import { eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { directory } from '../../platform/db/client.ts'
import { deadLetters } from '../../platform/db/schema/events.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { build, selection, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'

export type DeadLetter = typeof deadLetters.$inferSelect

/** In the directory: the database of its organization may be what is in trouble. One that comes twice is kept once. */
export async function keepDeadLetter(env: Env, row: Omit<DeadLetter, 'seq'>): Promise<void> {
  await directory(env).run(statement(build.insert(deadLetters).values(row).onConflictDoNothing()))
}

/** Oldest first, with the organization's slug where it still exists. */
export function selectDeadLetters(env: Env, after: number | undefined, limit: number) {
  const select = build
    .select({ ...selection(deadLetters), orgSlug: sql<string | null>`${orgs.slug}`.as('orgSlug') })
    .from(deadLetters)
    .leftJoin(orgs, eq(orgs.id, deadLetters.orgId))
    .where(after === undefined ? undefined : gt(deadLetters.seq, after))
    .orderBy(deadLetters.seq)
    .limit(limit)
  return directory(env).all(statement(select))
}

export async function findDeadLetter(env: Env, id: string): Promise<DeadLetter | undefined> {
  const select = build.select(selection(deadLetters)).from(deadLetters).where(eq(deadLetters.id, id))
  return directory(env).first(statement(select))
}

export async function removeDeadLetter(env: Env, id: string): Promise<void> {
  await directory(env).run(statement(build.delete(deadLetters).where(eq(deadLetters.id, id))))
}

export async function removeDeadLettersBefore(env: Env, before: number, limit: number): Promise<void> {
  const old = build
    .select({ seq: deadLetters.seq })
    .from(deadLetters)
    .where(lt(deadLetters.createdOn, before))
    .limit(limit)
  await directory(env).run(statement(build.delete(deadLetters).where(inArray(deadLetters.seq, old))))
}
