// N59: every call to the database ends. A read is asked once more, a write is left to the caller.
import { describe, expect, it } from 'vitest'
import { DEFAULT_TIMEOUT_MS } from '../../../src/clients/typescript/request.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { isRead } from '../../../src/platform/db/deadline.ts'
import { DB_READ_DEADLINE_MS, DB_WRITE_DEADLINE_MS } from '../../../src/platform/db/limits.ts'
import { Fault } from '../../../src/platform/errors.ts'

/** Short ones, by the real clock: others use the same timers meanwhile. */
const SHORT = { readMs: 5, writeMs: 10 }

const never = () => new Promise<never>(() => {})
const lost = new Error('D1_ERROR: Network connection lost.')
const READ = { sql: 'SELECT 1', params: [] }
const WRITE = { sql: 'UPDATE clocks SET time = 1', params: [] }

/** A session for each answer that is to be given. */
function sessions(...answers: (() => Promise<D1Result[]>)[]) {
  const asked: string[] = []
  const open = (start: string) => {
    return {
      prepare: () => ({ bind: () => ({}) }),
      batch: () => {
        asked.push(start)
        return (answers.shift() ?? never)()
      },
      getBookmark: () => null,
    } as unknown as D1DatabaseSession
  }
  const find = () => ({ database: 'DB', epoch: 1, open })
  return { find, asked }
}

const answer = async () => [{ success: true, results: [{ one: 1 }], meta: {} }] as unknown as D1Result[]

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    error => error as Fault,
  )

describe('a call to the database (N59)', () => {
  it('is asked once more where it reads, after its deadline or a lost connection', async () => {
    for (const first of [never, async () => Promise.reject(lost)]) {
      const { find, asked } = sessions(first, answer)
      const reading = new Database(find, 'first-primary', { deadlines: SHORT }).all(READ)
      expect(await reading).toEqual([{ one: 1 }])
      expect(asked).toEqual(['first-primary', 'first-primary'])
    }
  })

  it('is asked no third time', async () => {
    const { find, asked } = sessions()
    const reading = faultOf(new Database(find, 'first-primary', { deadlines: SHORT }).all(READ))
    expect(await reading).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } })
    expect(asked).toHaveLength(2)
  })

  it('N90 is not asked again at once where the database is overloaded, at a replica either', async () => {
    const mark = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef'
    for (const begin of ['first-primary', { database: 'DB', mark }] as const) {
      const { find, asked } = sessions(async () =>
        Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')),
      )
      await expect(new Database(find, begin, { deadlines: SHORT }).all(READ)).rejects.toThrow('overloaded')
      expect(asked).toHaveLength(1)
    }
  })

  it('is not asked again where it is refused for good', async () => {
    const { find, asked } = sessions(async () => Promise.reject(new Error('D1_ERROR: no such table: x')))
    expect(await faultOf(new Database(find, 'first-primary', { deadlines: SHORT }).all(READ))).toMatchObject({
      message: 'D1_ERROR: no such table: x',
    })
    expect(asked).toHaveLength(1)
  })

  it('is asked at the primary where a bookmark does not serve, whatever the reason', async () => {
    const mark = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef'
    const { find, asked } = sessions(async () => Promise.reject(new Error('unknown bookmark')), answer, answer)
    const db = new Database(find, { database: 'DB', mark }, { deadlines: SHORT })
    expect(await db.all(READ)).toEqual([{ one: 1 }])
    await db.all(READ)
    expect(asked).toEqual([mark, 'first-primary', 'first-primary'])
  })

  it('is left to the caller where it writes, who is told to repeat it', async () => {
    const { find, asked } = sessions()
    const writing = faultOf(new Database(find, 'first-primary', { deadlines: SHORT }).batch([READ, WRITE]))
    const fault = await writing
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } })
    expect(fault?.message).toContain('Idempotency-Key')
    expect(asked).toHaveLength(1)
  })

  it('has less time than clients wait for an answer', () => {
    expect(2 * DB_READ_DEADLINE_MS).toBeLessThan(DEFAULT_TIMEOUT_MS)
    expect(DB_WRITE_DEADLINE_MS).toBeLessThan(DEFAULT_TIMEOUT_MS)
  })

  it('is a read where nothing in it can write', () => {
    for (const sql of ['SELECT 1', ' select 1', 'WITH a AS (SELECT 1) SELECT * FROM a']) expect(isRead(sql)).toBe(true)
    for (const sql of ['WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a', 'update a set b = 1', 'PRAGMA x']) {
      expect(isRead(sql)).toBe(false)
    }
  })
})
