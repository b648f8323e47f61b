// What listening costs: one event reads the same few rows, however long the history is and however much was loaded.
import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { readUnread } from '../../../src/features/history/unread-store.ts'
import { taskObject } from '../../../src/features/workflows/task/objects.ts'
import { type Database, databaseFor, type Statement } from '../../../src/platform/db/client.ts'
import { env, newOrg, type TestOrg } from '../api.ts'

const RECORDS = 100_000
const LOADED = 50_000

async function insertChanges(orgId: string, count: number, by: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO changes (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
     WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)
     SELECT ?3 || n || ?1, ?1, 'item', 'i' || n, 'create', 1700000000000, 'x', ?3, 1, '{"name":"n"}' FROM c`,
  )
    .bind(orgId, count, by)
    .run()
}

async function rowsReadBy(orgId: string, includeLoads: boolean): Promise<{ rows: number; changes: number }> {
  let rows = 0
  const db = databaseFor(env, orgId)
  const measuring = {
    batch: async (statements: Statement[]) => {
      const results = await db.batch(statements)
      for (const result of results) rows += result.meta.rows_read
      return results
    },
  }
  const interest = { keys: ['item|create'], includeLoads }
  const all = { changeSeq: Number.MAX_SAFE_INTEGER, publishedSeq: Number.MAX_SAFE_INTEGER }
  const unread = await readUnread(measuring as unknown as Database, orgId, interest, all)
  return { rows, changes: unread.changes.length }
}

const dispatchAll = (orgId: string) =>
  env.DB.prepare('UPDATE clocks SET heard_seq = (SELECT max(seq) FROM changes WHERE org_id = ?1) WHERE org_id = ?1')
    .bind(orgId)
    .run()

describe('the cost of an event', () => {
  let org: TestOrg
  let fresh: number

  beforeAll(async () => {
    org = await newOrg()
    await org.make('/items', { name: 'first' })
    await dispatchAll(org.id)
    await insertChanges(org.id, 1, 'app')
    fresh = (await rowsReadBy(org.id, false)).rows
  })

  it('N36 stays flat at 100,000 change records', async () => {
    await insertChanges(org.id, RECORDS, 'app')
    await dispatchAll(org.id)
    await insertChanges(org.id, 1, 'app')
    const { rows, changes } = await rowsReadBy(org.id, false)
    expect(changes).toBe(1)
    expect(rows).toBeLessThanOrEqual(fresh + 5)
  })

  it('N36 stays flat behind a load of 50,000 rows that nobody asked for', async () => {
    await dispatchAll(org.id)
    await insertChanges(org.id, LOADED, 'loader')
    await insertChanges(org.id, 1, 'app')
    const { rows, changes } = await rowsReadBy(org.id, false)
    expect(changes).toBe(1)
    expect(rows).toBeLessThanOrEqual(fresh + 5)
  })

  it('N36 is bounded by one window for who asked for loads', async () => {
    const { rows, changes } = await rowsReadBy(org.id, true)
    expect(changes).toBe(100)
    expect(rows).toBeLessThan(20_000)
  })
})

describe('the cost of a callback', () => {
  it('N38 is one call of the object and one D1 round trip', async () => {
    const org = await newOrg()
    const task = await org.make('/event-workflow-tasks', { name: 'free', async: true })
    let trips = 0
    await runInDurableObject(taskObject(env, org.id, task.id), object => {
      const own = object as unknown as { env: typeof env }
      const counting = (session: D1DatabaseSession) => ({
        prepare: (sql: string) => session.prepare(sql),
        getBookmark: () => session.getBookmark(),
        batch: (statements: D1PreparedStatement[]) => {
          trips++
          return session.batch(statements)
        },
      })
      const DB = { withSession: (constraint: string) => counting(env.DB.withSession(constraint)) }
      own.env = { ...own.env, DB: DB as unknown as D1Database }
    })
    const answer = await org.post('/external-events/callback', { taskId: task.id, status: 'SUCCESS' })
    expect(answer.body.status).toBe('complete')
    expect(answer.headers.get('Server-Timing')).toContain('round trips: 0')
    expect(trips).toBe(1)
  })
})
