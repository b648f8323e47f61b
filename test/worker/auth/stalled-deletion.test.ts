// The deletion of an organization breaks off on the way: it goes on as it was (N70).
import { describe, expect, it, vi } from 'vitest'
import { orgWith } from '../../../src/features/backup/store/restores.ts'
import { closeOrg } from '../../../src/features/operator/deletion-store.ts'
import { sweepDeletedOrganizations } from '../../../src/features/operator/sweep.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { DELETION_STALL_MS } from '../../../src/platform/limits.ts'
import { env, fetchWorker, type Json, newOrg, OPERATOR_KEY, operator, type TestOrg } from '../api.ts'
import { second } from '../db/second-database.ts'

const HOUR_MS = 3_600_000

async function exported({ id, slug }: TestOrg) {
  const headers = { 'X-Operator-Key': OPERATOR_KEY }
  await (await fetchWorker(`/api/operator/orgs/${slug}/export`, { headers })).arrayBuffer()
  const row = await orgWith(env, id)
  if (!row) throw new Error('no such organization')
  return row
}

/** As a Worker leaves it that dies behind the tombstone. */
async function closed(org: TestOrg, now: number): Promise<Json> {
  const item = await org.make('/items', { name: 'a' })
  expect(await closeOrg(env, org.id, await exported(org), now)).toBe(true)
  expect((await rename(org, item)).status).toBe(503)
  return item
}

const rename = (org: TestOrg, { id }: Json) => org.put(`/items/${id}`, { name: 'b' })

const tombstoneIn = (database: D1Database, { id }: TestOrg) =>
  database.prepare('SELECT deleted_on FROM tombstones WHERE id = ?').bind(id).first<number>('deleted_on')

describe('a deletion whose Worker died', () => {
  it.each(['DB', 'DATA_01'])('N70 comes to nothing after its time, in %s', async name => {
    const org = await newOrg({}, name)
    const now = Date.now()
    const item = await closed(org, now)
    // It may be under way.
    await sweepDeletedOrganizations(env, now + DELETION_STALL_MS)
    expect((await rename(org, item)).status).toBe(503)
    await sweepDeletedOrganizations(env, now + DELETION_STALL_MS + 1)
    expect((await rename(org, item)).status).toBe(200)
    for (const database of [env.DB, second]) expect(await tombstoneIn(database, org)).toBeNull()
  })

  it('N70 counts from its last try, and that one ends it', async () => {
    const org = await newOrg({}, 'DATA_01')
    const now = Date.now()
    const item = await closed(org, now - HOUR_MS)
    const leftBehind = () => env.DB.prepare('INSERT INTO tombstones (id, deleted_on) VALUES (?, 0)').bind(org.id).run()
    const { batch } = Database.prototype
    let meanwhile = 0
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      const results = await batch.call(this, statements)
      if (!statements.some(({ sql }) => sql.startsWith('INSERT INTO "tombstones"'))) return results as never
      // The sweep comes when it is closed again; another one has not got to the directory's yet.
      spy.mockRestore()
      await sweepDeletedOrganizations(env, now)
      meanwhile = (await rename(org, item)).status
      await leftBehind()
      return results as never
    })
    expect((await operator('DELETE', `/orgs/${org.slug}`)).status).toBe(204)
    expect(meanwhile).toBe(503)
    for (const database of [env.DB, second]) expect(await tombstoneIn(database, org)).toBeGreaterThanOrEqual(now)
    await sweepDeletedOrganizations(env, now + HOUR_MS)
    expect(await tombstoneIn(env.DB, org)).not.toBeNull()
  })

  it('N70 N57 lets in nothing while the organization is moved, nor where a move has begun meanwhile', async () => {
    const org = await newOrg()
    const now = Date.now()
    const item = await closed(org, now)
    const move = `INSERT INTO moves (org_id, id, source, target, epoch, phase, step, notes, started_on, touched_on, ended_on)
      VALUES (?, 'm', 'DB', 'DATA_01', 1, 'stopped', 7, '{}', 0, ?, ?)`
    await env.DB.prepare(move).bind(org.id, Number.MAX_SAFE_INTEGER, null).run()
    await sweepDeletedOrganizations(env, now + HOUR_MS)
    expect((await rename(org, item)).status).toBe(503)
    await env.DB.prepare('DELETE FROM moves WHERE org_id = ?').bind(org.id).run()
    const { all } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'all').mockImplementation(async function (this: Database, statement) {
      const rows = await all.call(this, statement)
      // Behind the look at the moves.
      if (/EXISTS \(SELECT 1 FROM "moves"/.test(statement.sql)) {
        await env.DB.prepare('UPDATE clocks SET move_step = 8 WHERE org_id = ?').bind(org.id).run()
      }
      return rows as never
    })
    await sweepDeletedOrganizations(env, now + HOUR_MS)
    spy.mockRestore()
    expect((await rename(org, item)).status).toBe(503)
  })
})
