// Restores under way, and the organizations that they bring back: in the directory from the first moment on, let in at the last.
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { directory, inEachDatabase, type Statement } from '../../../platform/db/client.ts'
import { FIRST_PLACE, forgetPlace } from '../../../platform/db/placement.ts'
import { reserve } from '../../../platform/db/positions.ts'
import type { StoredRow } from '../../../platform/db/row.ts'
import { rowColumns } from '../../../platform/db/row.ts'
import { clocks, ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { fileParts, fileUploads } from '../../../platform/db/schema/files.ts'
import { historyFileEntities } from '../../../platform/db/schema/history-files.ts'
import { memberships, orgs, restores, tombstones, users } from '../../../platform/db/schema/organizations.ts'
import {
  build,
  from,
  indexedBy,
  insertInto,
  named,
  type RowOf,
  selection,
  statement,
} from '../../../platform/db/sql.ts'
import type { Env } from '../../../platform/env.ts'
import type { AuditRow } from '../../audit/entry.ts'
import { auditIfChanged, unchainBehindGaps } from '../../audit/store.ts'
import { burialOf } from '../../operator/deletion-store.ts'
import type { NewOrg, OrgRow } from '../../organizations/store.ts'
import { type ArchivedName, archived, ORDERED } from './archived-tables.ts'

export type RestoreRow = RowOf<typeof restores>

/** Begins the message of a transaction that comes out of turn. */
export const OUT_OF_TURN = 'restore: out of turn'

export async function findRestore(env: Env, id: string): Promise<RestoreRow | undefined> {
  const select = build.select(selection(restores)).from(restores).where(eq(restores.id, id))
  return directory(env).first(statement(select))
}

export async function restoreOf(env: Env, orgId: string): Promise<RestoreRow | undefined> {
  const select = build.select(selection(restores)).from(restores).where(eq(restores.orgId, orgId))
  return directory(env).first(statement(select))
}

export async function orgWith(env: Env, id: string): Promise<OrgRow | undefined> {
  return directory(env).first(statement(build.select(selection(orgs)).from(orgs).where(eq(orgs.id, id))))
}

/** The highest place that is taken in each table with an order of its own, by whichever organization. */
export async function highestPlaces(env: Env): Promise<Record<string, number>> {
  const tables = [...ORDERED.map(name => archived(name).table), historyFileEntities]
  const results = await directory(env).batch(
    tables.map(table => statement(sql<{ seq: number }>`SELECT coalesce(max(rowid), 0) AS seq FROM ${table}`)),
  )
  const highest = (at: number) => results[at]?.results[0]?.seq ?? 0
  const places = Object.fromEntries(ORDERED.map((name, at) => [name, highest(at)]))
  // Records that are in files have their places, too (N58).
  return { ...places, changes: Math.max(places.changes ?? 0, highest(ORDERED.length)) }
}

/** From here on nothing sweeps what comes under the organization's id; nobody gets in. */
export async function beginRestore(
  env: Env,
  row: RestoreRow,
  places: readonly (readonly [name: ArchivedName, place: number])[],
): Promise<void> {
  const { orgId, slug, createdOn } = row
  const org: NewOrg = {
    id: orgId,
    slug: `restoring:${orgId}`,
    name: slug,
    tier: 'standard',
    createdOn,
    suspendedOn: createdOn,
    exportedOn: null,
    deletedOn: createdOn,
    historyRetentionDays: null,
    historyArchiveDays: null,
    ...FIRST_PLACE,
    moving: false,
  }
  // It comes back into the directory's database: what belongs to the directory and what does not is taken in one transaction.
  forgetPlace(orgId)
  const unbury = statement(build.delete(tombstones).where(eq(tombstones.id, orgId)))
  await directory(env).batch([
    statement(build.insert(orgs).values(org)),
    statement(build.insert(restores).values(row)),
    unbury,
    ...places.flatMap(([name, place]) => reserve(archived(name).table, orgId, place)),
  ])
  await inEachDatabase(env, async db => {
    await db.batch([unbury])
  })
}

/** Nobody else has made a step since the row was read. */
const isTurn = ({ id, nextPart, state, slug, notes }: RestoreRow) =>
  statement(sql`SELECT json_extract('{}', ${sql.raw(`'${OUT_OF_TURN}'`)}) WHERE NOT EXISTS (SELECT 1 FROM ${restores}
    WHERE ${restores.id} = ${id} AND ${restores.nextPart} = ${nextPart} AND ${restores.state} = ${state}
    AND ${restores.slug} = ${slug} AND ${restores.notes} = ${notes})`)

export type Moved = Partial<Pick<RestoreRow, 'nextPart' | 'digest' | 'notes' | 'state' | 'slug'>> & {
  touchedOn: number
}

/** Statements and the step of the restore that they belong to, in one transaction; each step is made once. */
export async function step(env: Env, row: RestoreRow, moved: Moved, statements: readonly Statement[]): Promise<void> {
  const move = statement(build.update(restores).set(moved).where(eq(restores.id, row.id)))
  await directory(env).batch([isTurn(row), ...statements, move])
}

export interface RestoredMember {
  userId: string
  email: string
  userCreatedOn: number
  role: string
  passwordHash: string | null
  createdOn: number
}

const m = named(users, 'm')

/** People are known by their email; who is here already keeps the id that they have here. */
export function restoreMembers(orgId: string, members: readonly RestoredMember[]): Statement[] {
  const rows = JSON.stringify(members)
  const of = (name: keyof RestoredMember) => sql.raw(`r.value ->> '${name}'`)
  return [
    statement(sql`${insertInto(users, ['id', 'email', 'createdOn'])}
      SELECT ${of('userId')}, ${of('email')}, ${of('userCreatedOn')} FROM json_each(${rows}) r
      WHERE NOT EXISTS (SELECT 1 FROM ${from(m)} WHERE ${m.email} = ${of('email')})`),
    statement(sql`${insertInto(memberships, ['orgId', 'userId', 'role', 'passwordHash', 'createdOn'])}
      SELECT ${orgId}, ${m.id}, ${of('role')}, ${of('passwordHash')}, ${of('createdOn')}
      FROM json_each(${rows}) r CROSS JOIN ${from(m)} ON ${m.email} = ${of('email')}`),
  ]
}

export async function idsByEmail(env: Env, emails: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at < emails.length; at += 50) {
    const some = emails.slice(at, at + 50)
    const select = build.select(selection(users)).from(users).where(inArray(users.email, some))
    for (const { id, email } of await directory(env).all(statement(select))) found.set(email, id)
  }
  return found
}

/** How many entities there are, by type. */
export async function countEntities(env: Env, orgId: string): Promise<Record<string, number>> {
  const read = sql<{ kind: string; count: number }>`SELECT ${entities.kind} AS kind, count(*) AS count
    FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)} WHERE ${entities.orgId} = ${orgId} GROUP BY ${entities.kind}`
  const rows = await directory(env).all(statement(read))
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

/** Number of the part that stands for a whole content, until the restore is complete. */
export const WHOLE = 0

const p = named(fileParts, 'p')

export async function filesWithoutContent(env: Env, orgId: string, kind: string, limit: number): Promise<string[]> {
  const read = sql<{ id: string }>`SELECT ${entities.id} AS id FROM ${entities} ${indexedBy(ENTITY_INDEX.status)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.status} = 'ready'
      AND NOT EXISTS (SELECT 1 FROM ${from(p)} WHERE ${p.fileId} = ${entities.id} AND ${p.partNumber} = ${WHOLE}
        AND ${p.orgId} = ${orgId} AND ${p.size} = ${entities.data} ->> '$.size') LIMIT ${limit}`
  return (await directory(env).all(statement(read))).map(({ id }) => id)
}

export const setClock = (clock: RowOf<typeof clocks>): Statement =>
  statement(build.insert(clocks).values(clock).onConflictDoNothing())

export async function rowsOf(env: Env, orgId: string, kind: string, status: string, afterSeq: number, limit: number) {
  const read = sql<StoredRow>`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.status)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind} AND ${entities.status} = ${status}
      AND ${entities.seq} > ${afterSeq} ORDER BY ${entities.seq} LIMIT ${limit}`
  return directory(env).all(statement(read))
}

export async function entityRow(env: Env, orgId: string, kind: string, id: string): Promise<StoredRow | undefined> {
  const read = sql<StoredRow>`SELECT ${rowColumns()} FROM ${entities} WHERE ${entities.id} = ${id}
    AND ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}`
  return directory(env).first(statement(read))
}

/** The organization is there. Fails where its slug has been taken meanwhile. */
export function letIn(orgId: string, org: Partial<NewOrg>, event: AuditRow): Statement[] {
  return [
    statement(
      build
        .update(orgs)
        .set({ ...org, deletedOn: null })
        .where(eq(orgs.id, orgId)),
    ),
    auditIfChanged(event),
    statement(build.delete(fileParts).where(eq(fileParts.orgId, orgId))),
    statement(build.delete(fileUploads).where(eq(fileUploads.orgId, orgId))),
    statement(unchainBehindGaps(orgId)),
  ]
}

/** What has come so far is buried with it, unless somebody went on in the meantime. */
export async function giveUpRestore(env: Env, row: RestoreRow, now: number): Promise<void> {
  const remove = statement(build.delete(restores).where(eq(restores.id, row.id)))
  await directory(env).batch([isTurn(row), ...burialOf(row.orgId, now), remove])
}

/** Those that nobody has gone on with since. */
export function staleRestores(env: Env, before: number, limit: number): Promise<RestoreRow[]> {
  const select = build
    .select(selection(restores))
    .from(restores)
    .where(and(lt(restores.touchedOn, before), ne(restores.state, 'complete')))
    .limit(limit)
  return directory(env).all(statement(select))
}
