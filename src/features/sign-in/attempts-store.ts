// What is counted of sign-ins. Answers rows, decides nothing.
import { and, eq, inArray, lte, notExists, sql } from 'drizzle-orm'
import { directory } from '../../platform/db/client.ts'
import { attempts } from '../../platform/db/schema/people.ts'
import { build, named, type Statement, selection, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditWhere } from '../audit/store.ts'

/** What attempts are counted under: digests, so that the table names no person. */
export interface Account {
  everywhere: string
  here: string
  /** Marks that the account was signed in to from this address. */
  known: string
}

interface Waits {
  here: readonly number[]
  everywhere: readonly number[]
}

/**
 * Counts an attempt, unless the account is closed here, or everywhere to addresses that it does not know. `waits` hold the wait
 * for each number of failures.
 */
export async function takeAttempt(
  env: Env,
  account: Account,
  now: number,
  waits: Waits,
  memoryMs: number,
): Promise<{ isOpen: boolean; closedUntil: number; knowsAddress: boolean }> {
  const failures = sql`CASE WHEN ${attempts.lastOn} < ${now - memoryMs} THEN 1 ELSE ${attempts.failures} + 1 END`
  const wait = (list: readonly number[]) =>
    sql`${JSON.stringify(list)} ->> ('$[' || min(${failures}, ${list.length - 1}) || ']')`
  const counted = (list: readonly number[]) => ({
    target: attempts.account,
    set: { failures, lastOn: now, closedUntil: sql`${now} + (${wait(list)})` },
    setWhere: lte(attempts.closedUntil, now),
  })
  const firstFailure = (name: string) => ({ account: name, failures: 1, lastOn: now, closedUntil: now })
  const row = firstFailure(account.everywhere)
  // Behind a closed door nothing more is counted.
  const asStranger = sql`SELECT ${row.account}, ${row.failures}, ${row.lastOn}, ${row.closedUntil}
    WHERE changes() > 0 AND NOT EXISTS ${isKnown(account)}`
  const select = build
    .select(selection(attempts, ['account', 'closedUntil']))
    .from(attempts)
    .where(inArray(attempts.account, [account.here, account.everywhere, account.known]))
  const [here, everywhere, { results: rows }] = await directory(env).batch([
    statement(build.insert(attempts).values(firstFailure(account.here)).onConflictDoUpdate(counted(waits.here))),
    statement(build.insert(attempts).select(asStranger).onConflictDoUpdate(counted(waits.everywhere))),
    statement(select),
  ])
  const knowsAddress = rows.some(({ account: name }) => name === account.known)
  const counts = rows.filter(({ account: name }) => name === account.here || !knowsAddress)
  return {
    isOpen: here.meta.changes === 1 && (knowsAddress || everywhere.meta.changes === 1),
    closedUntil: Math.max(now, ...counts.map(({ closedUntil }) => closedUntil)),
    knowsAddress,
  }
}

const known = named(attempts, 'known')
const isKnown = (account: Account) => build.select({ one: sql`1` }).from(known).where(eq(known.account, account.known))

/** After a sign-in from here: failures from here are forgotten, and the address counts as the user's for a while. */
export function welcome(account: Account, now: number): Statement[] {
  const row = { account: account.known, failures: 0, lastOn: now, closedUntil: 0 }
  // This attempt was none of the strangers'.
  const uncount = build
    .update(attempts)
    .set({ failures: sql`max(0, ${attempts.failures} - 1)` })
    .where(and(eq(attempts.account, account.everywhere), notExists(isKnown(account))))
  const remember = build
    .insert(attempts)
    .values(row)
    .onConflictDoUpdate({ target: attempts.account, set: { lastOn: now } })
  return [
    statement(build.delete(attempts).where(eq(attempts.account, account.here))),
    statement(uncount),
    statement(remember),
  ]
}

/** The password was not checked: the attempt that began then does not count. */
export async function takeBackAttempt(env: Env, account: Account, begunOn: number): Promise<void> {
  const uncount = {
    failures: sql`max(0, ${attempts.failures} - 1)`,
    closedUntil: sql`CASE WHEN ${attempts.lastOn} = ${begunOn} THEN 0 ELSE ${attempts.closedUntil} END`,
  }
  const isEverywhere = and(eq(attempts.account, account.everywhere), notExists(isKnown(account)))
  await directory(env).batch([
    statement(build.update(attempts).set(uncount).where(eq(attempts.account, account.here))),
    statement(build.update(attempts).set(uncount).where(isEverywhere)),
  ])
}

export const forgetFailures = ({ here, everywhere }: Account) =>
  statement(build.delete(attempts).where(inArray(attempts.account, [here, everywhere])))

// In the words of their indexes, which the sweep goes along.
export const isFailure = sql`${attempts.failures} > 0`
export const isKnownAddress = sql`${attempts.failures} = 0`

/** Writes a line of the audit trail unless as many stand under this name already; the rest is counted. */
export async function auditWithin(env: Env, name: string, most: number, row: AuditRow): Promise<void> {
  const counted = { account: name, failures: 1, lastOn: row.createdOn, closedUntil: 0 }
  const count = build
    .insert(attempts)
    .values(counted)
    .onConflictDoUpdate({ target: attempts.account, set: { failures: sql`${attempts.failures} + 1` } })
  const isWithin = sql`(SELECT ${attempts.failures} FROM ${attempts} WHERE ${attempts.account} = ${name}) <= ${most}`
  await directory(env).batch([statement(count), auditWhere(row, isWithin)])
}
