// Statements that reach D1, and whether each keeps to one organization: each of its tables that holds rows of organizations must be
// narrowed by `org_id`, wherever an earlier check would have made it safe as well.
import { getTableName } from 'drizzle-orm'
import { ORGANIZATION_TABLES } from '../../src/platform/db/tables.ts'

export const OWNED = new Set(ORGANIZATION_TABLES.map(table => getTableName(table)))

interface Exception {
  /** All of these are in the statement. */
  has: readonly string[]
  why: string
}

/** Statements that are about no single organization. */
export const EXCEPTIONS: readonly Exception[] = [
  { has: [' WHERE org_id = ?'], why: 'Of tests, which look what is left of an organization: without quotes.' },
  { has: ['coalesce(max(rowid), 0) AS seq'], why: 'A backup notes the highest place of all; it shows no row.' },
  { has: ['SELECT DISTINCT "property_indexes"."org_id"'], why: 'The cron looks for organizations to look after.' },
  { has: ['SELECT DISTINCT "jobs"."org_id"'], why: 'The cron looks for organizations to look after.' },
  { has: ['SELECT DISTINCT "directory_jobs"."org_id"'], why: 'The cron looks for organizations to look after.' },
  { has: ['select distinct "org_id" as "orgId" from "loads"'], why: 'The cron looks for organizations to look after.' },
  {
    has: ['min("touched_on") as "oldest" from "jobs"'],
    why: 'The status of the deployment counts what is under way.',
  },
  { has: ['"deliveries"."created_on" >= ?1 order by'], why: 'The status of the deployment counts deliveries.' },
  { has: ['AS seal, count(*) AS secrets'], why: 'The operator is told how many secrets are sealed under which key.' },
  { has: [' not like ?1'], why: 'The cron seals secrets under the key in force.' },
  { has: ['"dead_letters"'], why: 'Wake-ups that were given up are the operator’s, of all organizations.' },
  { has: ['"created_on" < ?1'], why: 'A sweep of what is too old, of all organizations.' },
  { has: ['"expires_on" <= ?1 LIMIT ?2'], why: 'A sweep of what has expired, of all organizations.' },
  { has: ['"credentials"."expires_on" <= ?2) LIMIT'], why: 'A sweep of sessions that are over, of all organizations.' },
  { has: ['DELETE FROM "users" WHERE "users"."id" IN'], why: 'A sweep of people who belong to no organization.' },
  { has: ['WITH RECURSIVE ids(id)'], why: 'A sweep of what loads left behind that are no more.' },
  { has: ['json_each(?1) i CROSS JOIN "loads"'], why: 'A sweep of the bucket asks which loads are under way.' },
  {
    has: ['"idempotency'],
    why: 'A claim belongs to a credential, and that to one organization; those of operators to none.',
  },
  { has: ['from "moves" where ("moves"."ended_on" is null'], why: 'The cron goes on with moves that stand still.' },
  { has: ['from "old_copies" where "old_copies"."sweep_on" <= ?'], why: 'A sweep of what moves have left behind.' },
  { has: ['"restores"'], why: 'Restores are the operator’s: an organization comes into being by them.' },
  { has: ['delete from "tickets" where ("tickets"."digest" = ?'], why: 'By its secret; it tells the organization.' },
]

const REFERENCE = /\b(from|join|update|into)\s+"(\w+)"(?:\s+(?:as\s+)?"(\w+)")?(\s*\([^)]*\))?/gi

/** What a statement calls its tables. */
export function tablesIn(sql: string): Map<string, string> {
  return new Map([...sql.matchAll(REFERENCE)].map(([, , table = '', alias = table]) => [alias, table]))
}

/** The tables of a statement that are not narrowed to an organization, by the names that it gives them. */
export function unnarrowed(sql: string): string[] {
  const found = new Set<string>()
  for (const [, word = '', table = '', alias = table, into = ''] of sql.matchAll(REFERENCE)) {
    if (!OWNED.has(table)) continue
    const isInsert = word.toLowerCase() === 'into'
    const isNarrowed = isInsert ? into.includes('"org_id"') : narrowing(alias, alias === table).test(sql)
    if (!isNarrowed) found.add(`${table}${alias === table ? '' : ` ${alias}`}`)
  }
  return [...found]
}

/** A comparison of its column, from either side. */
function narrowing(alias: string, mayBeBare: boolean): RegExp {
  const column = `"${alias}"\\."org_id"${mayBeBare ? '|(?<!\\.)"org_id"' : ''}`
  return new RegExp(`(?:${column})\\s*(?:=|in\\b|<>|>)|=\\s*"${alias}"\\."org_id"`, 'i')
}

export function isExcepted(sql: string): boolean {
  return EXCEPTIONS.some(({ has }) => has.every(part => sql.includes(part)))
}

const seen = new Set<string>()

/** What has been seen since it was last asked, of what Drizzle has made: tests write theirs without quotes. */
export function takeStatements(): string[] {
  const made = [...seen].filter(sql => !sql.startsWith('EXPLAIN') && /\b(from|join|update|into)\s+"/i.test(sql))
  seen.clear()
  return made
}

interface Preparing {
  prepare(sql: string): unknown
}

const listened = new WeakSet<object>()

function listenTo(prototype: Preparing): void {
  if (listened.has(prototype)) return
  listened.add(prototype)
  const { prepare } = prototype
  prototype.prepare = function (this: Preparing, sql: string) {
    seen.add(sql)
    return prepare.call(this, sql)
  }
}

export function listenToStatements(db: D1Database): void {
  listenTo(Object.getPrototypeOf(db) as Preparing)
  listenTo(Object.getPrototypeOf(db.withSession()) as Preparing)
}
