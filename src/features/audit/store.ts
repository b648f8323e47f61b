// The audit trail in the directory. Rows are added, chained once and swept, never changed.
import { and, asc, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { behind } from '../../platform/db/behind.ts'
import { type Database, directory } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/schema/people.ts'
import {
  bare,
  build,
  from,
  insertInto,
  named,
  type RowOf,
  type Statement,
  selection,
  statement,
} from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from './entry.ts'

export type StoredAudit = RowOf<typeof audit>

/** Part of the batch of the change that it records, right after it: where nothing changed, there is no row. */
export const auditIfChanged = (row: AuditRow): Statement => auditWhere(row, sql`changes() > 0`)

/** Part of a batch: a row where the condition holds. */
export function auditWhere(row: AuditRow, when: SQL): Statement {
  const values = sql`SELECT NULL, ${row.id}, ${row.orgId}, ${row.createdOn}, ${row.action}, ${row.actorType}, ${row.actorId},
    ${row.address}, ${row.subjectId}, ${row.detail}, NULL, NULL, NULL, NULL WHERE ${when}`
  return statement(build.insert(audit).select(values))
}

export const auditLine = (row: AuditRow): Statement => statement(build.insert(audit).values(row))

export async function insertAudit(env: Env, row: AuditRow): Promise<void> {
  await directory(env).run(auditLine(row))
}

const ORDER = [
  { column: audit.createdOn, descending: true },
  { column: audit.seq, descending: true },
]

/** Newest first. */
export function selectAudit(
  env: Env,
  orgId: string,
  after: [createdOn: number, seq: number] | undefined,
  limit: number,
): Promise<StoredAudit[]> {
  const select = build
    .select(selection(audit))
    .from(audit)
    .where(and(eq(audit.orgId, orgId), behind(ORDER, after)))
    .orderBy(desc(audit.createdOn), desc(audit.seq))
    .limit(limit)
  return directory(env).all(statement(select))
}

/** The last line of the chain, and those behind it that are not chained yet, in the order in which they were committed. */
export async function unchained(
  db: Database,
  orgId: string,
  limit: number,
): Promise<{ head: StoredAudit | undefined; rows: StoredAudit[] }> {
  const last = build
    .select(selection(audit))
    .from(audit)
    .where(and(eq(audit.orgId, orgId), gt(audit.number, 0)))
    .orderBy(desc(audit.number))
    .limit(1)
  const behindIt = build
    .select(selection(audit))
    .from(audit)
    .where(and(eq(audit.orgId, orgId), isNull(audit.number)))
    .orderBy(audit.seq)
    .limit(limit)
  const [head, rows] = await db.batch([statement(last), statement(behindIt)])
  return { head: head.results[0], rows: rows.results }
}

export type Link = Pick<StoredAudit, 'seq' | 'number' | 'previousDigest' | 'digest' | 'latestOn'>

/**
 * One statement, and never twice for a line. Two workers that chain the same lines compute the same links, because both go by the
 * order of the commits: nothing can come between.
 */
export async function writeLinks(env: Env, orgId: string, links: readonly Link[]): Promise<void> {
  const of = (name: keyof Link) => sql`r.value ->> ${`$.${name}`}`
  const link = sql`UPDATE ${audit} SET ${bare(audit.number)} = ${of('number')},
    ${bare(audit.previousDigest)} = ${of('previousDigest')}, ${bare(audit.digest)} = ${of('digest')},
    ${bare(audit.latestOn)} = ${of('latestOn')} FROM json_each(${JSON.stringify(links)}) r
    WHERE ${audit.seq} = ${of('seq')} AND ${audit.orgId} = ${orgId} AND ${audit.number} IS NULL`
  await directory(env).run(statement(link))
}

/** Trails that have lines to be chained, of all organizations, and the operator's. */
export function unchainedTrails(db: Database, afterOrgId: string, limit: number): Promise<{ orgId: string }[]> {
  const select = build
    .selectDistinct(selection(audit, ['orgId']))
    .from(audit)
    .where(and(isNull(audit.number), gt(audit.orgId, afterOrgId)))
    .orderBy(audit.orgId)
    .limit(limit)
  return db.all(statement(select))
}

const next = named(audit, 'next')

const BROUGHT = [
  'id',
  'orgId',
  'createdOn',
  'action',
  'actorType',
  'actorId',
  'address',
  'subjectId',
  'detail',
] as const

/** From another database into the trail: what is there already is not added, and then it goes where it lay. */
export async function bringRows(env: Env, db: Database, orgId: string, rows: readonly StoredAudit[]): Promise<void> {
  const of = (name: keyof StoredAudit) => sql`r.value ->> ${`$.${name}`}`
  const values = sql.join(BROUGHT.map(of), sql`, `)
  const add = sql`${insertInto(audit, BROUGHT)} SELECT ${values} FROM json_each(${JSON.stringify(rows)}) r
    WHERE NOT EXISTS (SELECT 1 FROM ${from(next)} WHERE ${next.orgId} = ${orgId} AND ${next.createdOn} = ${of('createdOn')}
      AND ${next.id} = ${of('id')}) ORDER BY r.key`
  await directory(env).run(statement(add))
  const isBrought = sql`${audit.seq} IN (SELECT r.value ->> '$.seq' FROM json_each(${JSON.stringify(rows)}) r)`
  await db.run(statement(build.delete(audit).where(and(eq(audit.orgId, orgId), isBrought))))
}

/** Chained lines behind one number up to another. */
export function selectLines(
  env: Env,
  orgId: string,
  after: number,
  upTo: number,
  limit: number,
): Promise<StoredAudit[]> {
  const select = build
    .select(selection(audit))
    .from(audit)
    .where(and(eq(audit.orgId, orgId), gt(audit.number, after), lte(audit.number, upTo)))
    .orderBy(asc(audit.number))
    .limit(limit)
  return directory(env).all(statement(select))
}

/**
 * Old lines, of all organizations: always a beginning of each chain, so that the rest can still be verified. The last line stays however old
 * it is, because the next one is chained to it.
 */
export function outdatedLines(before: number, limit: number) {
  return sql`SELECT ${audit.seq} FROM ${audit} WHERE ${audit.latestOn} <= ${before} AND EXISTS (SELECT 1 FROM ${from(next)}
    WHERE ${next.orgId} = ${audit.orgId} AND ${next.number} = ${audit.number} + 1)
    ORDER BY ${audit.latestOn}, ${audit.seq} LIMIT ${limit}`
}

/**
 * After a restore: an archive that was written while lines were chained may hold a line unchained whose successor is. Those behind it are
 * chained again, to the same links.
 */
export function unchainBehindGaps(orgId: string) {
  return sql`UPDATE ${audit} SET ${bare(audit.number)} = NULL, ${bare(audit.previousDigest)} = NULL, ${bare(audit.digest)} = NULL,
    ${bare(audit.latestOn)} = NULL WHERE ${audit.orgId} = ${orgId} AND ${audit.number} > 0 AND ${audit.seq} > (
      SELECT min(${next.seq}) FROM ${from(next)} WHERE ${next.orgId} = ${orgId} AND ${next.number} IS NULL)`
}
