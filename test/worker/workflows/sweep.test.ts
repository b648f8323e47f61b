// What is swept of runs, organization by organization.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sweepRuns } from '../../../src/features/workflows/sweep.ts'
import { Database } from '../../../src/platform/db/client.ts'
import * as commits from '../../../src/platform/db/commit/commit.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { countIn } from '../db/second-database.ts'

afterEach(() => vi.restoreAllMocks())

/** Ended long ago. */
async function withRuns(runs: number, tasks: number): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/items', { name: 'a' })
  const insert = `INSERT INTO entities (id, org_id, kind, version, data, created_on, updated_on, created_by_id, updated_by_id)`
  const count = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?2)'
  const process = `${insert} ${count} SELECT ?1 || n, ?1, 'event-workflow-process', 1, '{"status":"complete"}', 1, 1, 'x', 'x' FROM c`
  const task = `${insert} ${count} SELECT ?1 || n || '-' || t.value, ?1, 'event-workflow-task', 1,
    json_object('status', 'complete', 'processId', ?1 || n), 1, 1, 'x', 'x' FROM c, json_each(?3) t`
  await env.DB.batch([
    env.DB.prepare(process).bind(org.id, runs),
    env.DB.prepare(task).bind(org.id, runs, JSON.stringify(Array.from({ length: tasks }, (_, at) => at))),
  ])
  return org
}

describe('the sweep of runs', () => {
  it('N42 leaves out an organization that fails, and gets to the others', async () => {
    const made = [await withRuns(250, 0), await withRuns(250, 0), await withRuns(250, 0)]
    const [failing] = made.sort((a, b) => (a.id < b.id ? -1 : 1))
    const { batch } = Database.prototype
    vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.some(({ params }) => params.includes(failing?.id ?? ''))) throw new Error('away')
      return batch.call(this, statements) as never
    })
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await sweepRuns(env, Date.now())
    vi.restoreAllMocks()
    const left = await Promise.all(made.map(org => countIn(env.DB, 'entities', org.id)))
    expect(left).toEqual([251, 1, 1])
    expect(told).toHaveBeenCalledTimes(1)
    await sweepRuns(env, Date.now())
    expect(await countIn(env.DB, 'entities', failing?.id ?? '')).toBe(1)
  })

  it('N42 removes a bounded number of records at once, and a run with its tasks', async () => {
    const org = await withRuns(60, 20)
    const removed: string[][] = []
    const { commit } = commits
    vi.spyOn(commits, 'commit').mockImplementation((scope, writes, ...more) => {
      if (scope.org.id === org.id) removed.push(writes.map(({ id }) => id ?? ''))
      return commit(scope, writes, ...more)
    })
    await sweepRuns(env, Date.now())
    expect(await countIn(env.DB, 'entities', org.id)).toBe(1)
    expect(removed.flat()).toHaveLength(60 * 21)
    for (const ids of removed) {
      expect(ids.length).toBeLessThanOrEqual(500)
      const runs = new Set(ids.map(id => id.slice(org.id.length).split('-')[0]))
      expect(ids).toHaveLength(runs.size * 21)
    }
  })
})
