// Organizations in the directory, their export and their removal. Answers rows, decides nothing.
import { and, eq, exists, gt, isNull, lt, ne, not, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Env } from '../../env.ts'
import {
  allDatabases,
  type Database,
  databaseAt,
  databaseFor,
  directory,
  inEachDatabase,
} from '../../platform/db/client.ts'
import { clocks, entities } from '../../platform/db/schema/entities.ts'
import { endpoints } from '../../platform/db/schema/events.ts'
import { credentials, memberships, moves, orgs, tombstones, users } from '../../platform/db/schema/organizations.ts'
import { audit, identityProviders, invitations } from '../../platform/db/schema/people.ts'
import {
  bare,
  build,
  columns,
  insertInto,
  type RowOf,
  type Statement,
  selection,
  statement,
  valuesOf,
} from '../../platform/db/sql.ts'
import { ORGANIZATION_TABLES } from '../../platform/db/tables.ts'
import type { Action, AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { NewOrg, OrgRow } from '../organizations/store.ts'

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
  fields: Partial<NewOrg>,
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

/** One that an earlier try has left counts from now on. */
const tombstone = (id: string, now: number) =>
  statement(
    build
      .insert(tombstones)
      .values({ id, deletedOn: now })
      .onConflictDoUpdate({ target: tombstones.id, set: { deletedOn: now } }),
  )

/** From here on nobody gets in; the tombstone has what is left behind swept. In the directory. */
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

/** Acts that change nothing that an archive holds, or that the clock of the entities tells of. */
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

/** Whether somebody has joined it, was invited, got a key or lost one since, or a setting was changed: no clock of its entities tells of these. */
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

/** Whoever deletes an organization suspends it first. */
const isSuspension = sql`(${audit.action} = 'organization_changed' AND ${audit.detail} IN ('{"suspended":true}', '{"suspended":false}'))`

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

/** Whoever deleted these has died on the way. */
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

/** Whoever sweeps may come late: what was brought back from an archive since is not to be touched (N63). */
const isBuried = (orgId: string) => sql`EXISTS (SELECT 1 FROM ${tombstones} WHERE ${tombstones.id} = ${orgId})`

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
