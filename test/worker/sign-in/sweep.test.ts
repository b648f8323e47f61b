// What the sweep of people reads, and how often it looks again.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sweepPeople } from '../../../src/features/sign-in/sweep.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env } from '../api.ts'

afterEach(() => vi.restoreAllMocks())

const DAY = Date.parse('2041-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const PEOPLE = 2400

/** What a sweep sends, and how many rows it reads. */
async function sent(now: number) {
  const { batch } = Database.prototype
  const batches: string[][] = []
  let read = 0
  vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    const results = await batch.call(this, statements)
    batches.push(statements.map(({ sql }) => sql))
    for (const { meta } of results) read += meta.rows_read
    return results as never
  })
  await sweepPeople(env, now)
  vi.restoreAllMocks()
  return { batches, read }
}

describe('the sweep of people', () => {
  it('N60 looks at all of them in a day, at a part of them in an hour, and lets those go who belong nowhere', async () => {
    const orgId = newId()
    const ids = Array.from({ length: PEOPLE }, () => newId())
    const strangers = Array.from({ length: 100 }, () => newId())
    const insert = env.DB.prepare(`INSERT INTO users (id, email, created_on)
      SELECT value, value || '@people.example', 1 FROM json_each(?)`)
    const join = env.DB.prepare(`INSERT INTO memberships (org_id, user_id, role, created_on)
      SELECT ?, value, 'member', 1 FROM json_each(?)`)
    await env.DB.batch([
      insert.bind(JSON.stringify([...ids, ...strangers])),
      join.bind(orgId, JSON.stringify(ids)),
      env.DB.prepare('INSERT INTO users (id, email, created_on) VALUES (?1, ?1, ?2)').bind(`new-${newId()}`, DAY),
    ])
    await sent(DAY)
    const hours = Array.from({ length: 24 }, (_, hour) => DAY + hour * HOUR_MS)
    for (const now of hours) expect((await sent(now)).read).toBeLessThan(PEOPLE / 2)
    const left = async (list: string[]) => {
      const count = 'SELECT count(*) AS n FROM users WHERE id IN (SELECT value FROM json_each(?))'
      return env.DB.prepare(count).bind(JSON.stringify(list)).first<number>('n')
    }
    expect(await left(ids)).toBe(PEOPLE)
    expect(await left(strangers)).toBe(0)
    // They may just be joining.
    expect(await env.DB.prepare('SELECT 1 FROM users WHERE created_on = ?').bind(DAY).first()).not.toBeNull()
    await env.DB.batch([
      env.DB.prepare('DELETE FROM users WHERE id IN (SELECT value FROM json_each(?))').bind(JSON.stringify(ids)),
      env.DB.prepare('DELETE FROM users WHERE created_on = ?').bind(DAY),
      env.DB.prepare('DELETE FROM memberships WHERE org_id = ?').bind(orgId),
    ])
  })

  it('N60 looks again only where there may be more', async () => {
    await sent(DAY)
    const orgId = newId()
    await env.DB.prepare(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1500)
      INSERT INTO tickets (digest, kind, org_id, detail, expires_on) SELECT ?1 || n, 'sso-state', ?1, '{}', 1 FROM c`)
      .bind(orgId)
      .run()
    const { batches } = await sent(DAY)
    expect(batches[0]?.length).toBeGreaterThan(4)
    expect(batches[1]).toEqual([expect.stringContaining('delete from "tickets"')])
    expect(batches[2]?.[0]).toContain('"users"')
    expect(await env.DB.prepare('SELECT 1 FROM tickets WHERE org_id = ?').bind(orgId).first()).toBeNull()
  })

  it('N60 finds invitations that are over without reading the others', async () => {
    const orgId = newId()
    await env.DB.prepare(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
      INSERT INTO invitations (id, org_id, email, role, digest, created_on, created_by_id, expires_on)
      SELECT ?1 || n, ?1, n, 'member', ?1 || n, 1, 'x', ?2 FROM c`)
      .bind(orgId, DAY)
      .run()
    await sent(DAY)
    expect((await sent(DAY)).read).toBeLessThan(1000)
    await env.DB.prepare('DELETE FROM invitations WHERE org_id = ?').bind(orgId).run()
  })
})
