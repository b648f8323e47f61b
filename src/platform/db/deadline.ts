// Every call to D1 ends, one way or the other (N59): what does not answer in time is told as such. A read is asked once more;
// the outcome of a write is unknown, so that it is left to the caller, who can repeat it under its key.
import { Fault, isBrief } from '../errors.ts'
import { storeState } from '../store-errors.ts'
import { DB_READ_DEADLINE_MS, DB_WRITE_DEADLINE_MS } from './limits.ts'

const WRITES = /\b(INSERT|UPDATE|DELETE|REPLACE|PRAGMA)\b/i

/** A word too many only costs the repeat. */
export function isRead(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql) || (/^\s*WITH\b/i.test(sql) && !WRITES.test(sql))
}

function late(reads: boolean): Fault {
  const detail = reads
    ? 'The store did not answer in time. Try again.'
    : 'The store did not answer in time, and may have done it or not. Try again, under the same Idempotency-Key.'
  return new Fault('unavailable', detail, { headers: { 'Retry-After': '1' } })
}

export interface Deadlines {
  readMs: number
  writeMs: number
}

const USUAL: Deadlines = { readMs: DB_READ_DEADLINE_MS, writeMs: DB_WRITE_DEADLINE_MS }

async function ended<T>(call: Promise<T>, reads: boolean, { readMs, writeMs }: Deadlines): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(reads)), reads ? readMs : writeMs)
  })
  try {
    return await Promise.race([call, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** `again` asks another way where there is one; then whatever the first way has said is doubted, else only what may pass. Overload never is. */
export async function inTime<T>(
  reads: boolean,
  call: () => Promise<T>,
  again?: () => Promise<T>,
  deadlines = USUAL,
): Promise<T> {
  if (!reads) return ended(call(), false, deadlines)
  try {
    return await ended(call(), true, deadlines)
  } catch (error) {
    if (storeState(error) === 'overloaded' || (!again && !isBrief(error))) throw error
    return ended((again ?? call)(), true, deadlines)
  }
}
