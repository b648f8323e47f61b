// N84: a D1 session that hangs is given up for the life of the isolate.
import { describe, expect, it, vi } from 'vitest'
import { SessionGuard } from '../../../src/platform/db/session.ts'

const never = () => new Promise<never>(() => {})
const READ = 'SELECT 1'
const WRITE = 'UPDATE clocks SET time = 1'

/** A database whose sessions answer as told, and whose plain binding always answers. */
function database(answer: () => Promise<D1Result[]>) {
  const asked: string[] = []
  const result = [{ success: true, results: [], meta: {} }] as unknown as D1Result[]
  const statements = { prepare: (sql: string) => ({ sql, bind: () => ({ sql }) }) }
  const db = {
    ...statements,
    batch: async () => {
      asked.push('plain')
      return result
    },
    withSession: (start: string) => ({
      ...statements,
      batch: () => {
        asked.push(start)
        return answer()
      },
      getBookmark: () => 'mark',
    }),
  } as unknown as D1Database
  return { db, asked, result }
}

const query = (session: D1DatabaseSession, sql: string) => session.batch([session.prepare(sql).bind()])

describe('the sessions of an isolate', () => {
  it('N84 are given up after the first read that never settles, which the plain binding answers', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const { db, asked, result } = database(never)
    const guard = new SessionGuard(5)
    const session = guard.open(db, 'first-unconstrained')
    expect(await query(session, READ)).toBe(result)
    await query(session, READ)
    const next = guard.open(db, 'first-unconstrained')
    await query(next, WRITE)
    expect(next.getBookmark()).toBeNull()
    expect(asked).toEqual(['first-unconstrained', 'plain', 'plain', 'plain'])
    expect(told).toHaveBeenCalledTimes(1)
    told.mockRestore()
  })

  it('N84 are given up after a first write that never settles, which is not sent twice', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const { db, asked } = database(never)
    const guard = new SessionGuard(5)
    void query(guard.open(db, 'first-primary'), WRITE)
    await vi.waitFor(() => expect(told).toHaveBeenCalled())
    await query(guard.open(db, 'first-primary'), READ)
    expect(asked).toEqual(['first-primary', 'plain'])
    told.mockRestore()
  })

  it('N84 are kept once one has answered, or failed: later ones may be slow', async () => {
    for (const first of [async () => [], async () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))]) {
      const answers: (() => Promise<D1Result[]>)[] = [first, () => scheduler.wait(20).then(() => [])]
      const { db, asked } = database(() => (answers.shift() ?? never)())
      const guard = new SessionGuard(5)
      await query(guard.open(db, 'first-primary'), READ).catch(() => undefined)
      await query(guard.open(db, 'first-primary'), READ)
      expect(asked).toEqual(['first-primary', 'first-primary'])
    }
  })
})
