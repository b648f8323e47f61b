// The end of an organization: it is closed, buried, or goes on as it was. Answers rows, decides nothing.
import { and, eq, exists, gt, lt, not, type SQL, sql } from 'drizzle-orm'
import { type Database, databaseAt, databaseFor, directory, inEachDatabase } from '../../platform/db/client.ts'
import { clocks } from '../../platform/db/schema/entities.ts'
import { moves, orgs, tombstones } from '../../platform/db/schema/organizations.ts'
import { bare, build, columns, insertInto, type Statement, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { OrgRow } from '../organizations/store.ts'

/** A sweep may run late: it must not touch what was restored from an archive since (N63). */
export const isBuried = (orgId: string) => sql`EXISTS (SELECT 1 FROM ${tombstones} WHERE ${tombstones.id} = ${orgId})`

/** One that an earlier try has left counts from now on. */
const tombstone = (id: string, now: number) =>
  statement(
    build
      .insert(tombstones)
      .values({ id, deletedOn: now })
      .onConflictDoUpdate({ target: tombstones.id, set: { deletedOn: now } }),
  )

/** From here on no credential is accepted; the tombstone has the rest swept. In the directory. */
export const burialOf = (id: string, now: number): Statement[] => [
  tombstone(id, now),
  statement(
    build
      .update(orgs)
      .set({ deletedOn: now, slug: `deleted:${id}` })
      .where(eq(orgs.id, id)),
  ),
]

/** Commits tell exactly: two clocks have their times. */
type Exported = Pick<OrgRow, 'exportedOn' | 'exportedCommits'>

/**
 * Puts a tombstone beside its rows and stops its writes, in the transaction that looks whether it has written since: what is
 * acknowledged is in the export (N70). False: it has, or it is just moving.
 */
export async function closeOrg(env: Env, id: string, exported: Exported, now: number): Promise<boolean> {
  const clockThat = (stands: SQL) => sql`EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.orgId} = ${id} AND (${stands}))`
  const { exportedOn, exportedCommits } = exported
  const isLater =
    exportedCommits === null ? sql`${clocks.time} > ${exportedOn}` : sql`${clocks.commits} <> ${exportedCommits}`
  const { database } = await databaseFor(env, id).place()
  const [, , closed] = await databaseAt(env, database).batch([
    statement(sql`${insertInto(tombstones, ['id', 'deletedOn'])} SELECT ${id}, ${now}
      WHERE NOT ${clockThat(sql`${isLater} OR (${clocks.state} <> 'open' AND NOT ${isBuried(id)})`)}
      ON CONFLICT (${bare(tombstones.id)}) DO UPDATE SET ${bare(tombstones.deletedOn)} = ${now}`),
    statement(
      build
        .update(clocks)
        .set({ state: 'moving' })
        .where(and(eq(clocks.orgId, id), not(isLater), eq(clocks.state, 'open'), isBuried(id))),
    ),
    statement(sql<{ id: string }>`SELECT ${columns(tombstones, ['id'])} FROM ${tombstones}
      WHERE ${tombstones.id} = ${id} AND NOT ${clockThat(sql`${isLater} OR ${clocks.state} = 'moved'`)}`),
  ])
  return closed.results.length > 0
}

/**
 * Organizations that live although a database has a tombstone of them from before then: their deletion has come to nothing, and they
 * go on as they were. One that is being moved waits; where a move begins meanwhile, its step tells.
 */
async function reopenIn(
  env: Env,
  db: Database,
  which: SQL,
  before: number,
  limit: number,
): Promise<string | undefined> {
  const found = await db.all(
    statement(sql<{
      id: string
      moveStep: number | null
    }>`SELECT ${columns(tombstones, ['id'])}, ${columns(clocks, ['moveStep'])}
      FROM ${tombstones} LEFT JOIN ${clocks} ON ${clocks.orgId} = ${tombstones.id}
      WHERE ${which} AND ${tombstones.deletedOn} < ${before} ORDER BY ${tombstones.id} LIMIT ${limit}`),
  )
  const ids = JSON.stringify(found.map(({ id }) => id))
  const living = await directory(env).all(
    statement(sql<{ id: string }>`SELECT ${columns(orgs, ['id'])} FROM ${orgs}
      WHERE ${orgs.id} IN (SELECT value FROM json_each(${ids})) AND ${orgs.deletedOn} IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${moves} WHERE ${moves.orgId} = ${orgs.id} AND ${moves.endedOn} IS NULL)`),
  )
  for (const { id, moveStep } of found) {
    if (!living.some(org => org.id === id)) continue
    const isOld = and(eq(tombstones.id, id), lt(tombstones.deletedOn, before))
    const isClosed = and(eq(clocks.orgId, id), eq(clocks.state, 'moving'), eq(clocks.moveStep, moveStep ?? 0))
    const still = exists(build.select({ id: tombstones.id }).from(tombstones).where(isOld))
    await db.batch([
      statement(build.update(clocks).set({ state: 'open' }).where(and(isClosed, still))),
      statement(build.delete(tombstones).where(isOld)),
    ])
  }
  return found.length === limit ? found.at(-1)?.id : undefined
}

/** Organizations whose deletion broke off. */
export async function reopenAbandoned(env: Env, before: number, limit: number): Promise<void> {
  await inEachDatabase(env, async db => {
    let after: string | undefined = ''
    while (after !== undefined) after = await reopenIn(env, db, gt(tombstones.id, after), before, limit)
  })
}

async function reopen(env: Env, id: string, deletedOn: number): Promise<void> {
  await inEachDatabase(env, async db => {
    await reopenIn(env, db, eq(tombstones.id, id), deletedOn + 1, 1)
  })
}

/** There is a tombstone in each database, beside the rows that it lets go; that the directory has no such organization any more counts. */
export async function buryOrg(env: Env, id: string, now: number, event: AuditRow): Promise<void> {
  const bury = async (db: Database) => {
    await db.batch([tombstone(id, now)])
  }
  // Where it is not, one that is away holds nothing up.
  await inEachDatabase(env, bury).catch(error => console.error('tombstone of', id, error))
  try {
    await directory(env).batch([...burialOf(id, now), auditIfChanged(event)])
  } catch (error) {
    // What is said to have failed may have taken effect; a later sweep looks again.
    await reopen(env, id, now).catch(again => console.error('tombstone of', id, again))
    throw error
  }
}
