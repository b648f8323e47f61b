// Every statement keeps to one organization: the rule notices one that does not, and what ordinary calls make holds to it.
import { describe, expect, it } from 'vitest'
import { env, newOrg } from './api.ts'
import { EXCEPTIONS, isExcepted, listenToStatements, takeStatements, unnarrowed } from './org-statements.ts'

listenToStatements(env.DB)

describe('a statement', () => {
  it('keeps to one organization where each table of its is narrowed by it', () => {
    for (const sql of [
      'SELECT "entities"."id" FROM "entities" WHERE "entities"."org_id" = ?1',
      'select "id" from "audit" where "audit"."org_id" = ? limit ?',
      'UPDATE "entities" AS "e" SET "data" = ?1 WHERE "e"."id" = ?2 AND "e"."org_id" = ?3',
      'INSERT INTO "changes" ("id", "org_id") SELECT ?1, "e"."org_id" FROM "entities" AS "e" WHERE "e"."org_id" = ?2',
      'SELECT 1 FROM "tombstones" WHERE "tombstones"."id" = ?1',
    ]) {
      expect(unnarrowed(sql), sql).toEqual([])
    }
  })

  it('is found where a table is open to all', () => {
    expect(unnarrowed('SELECT "entities"."org_id" FROM "entities" WHERE "entities"."id" = ?1')).toEqual(['entities'])
    expect(unnarrowed('DELETE FROM "audit" WHERE "audit"."seq" = ?1')).toEqual(['audit'])
    const joined = `SELECT 1 FROM "entities" WHERE "entities"."org_id" = ?1 AND EXISTS (SELECT 1 FROM "changes" AS "c" WHERE "c"."seq" = 1)`
    expect(unnarrowed(joined)).toEqual(['changes c'])
    expect(unnarrowed('INSERT INTO "changes" ("id") VALUES (?1)')).toEqual(['changes'])
  })

  it('is heard, of sessions and of the directory', async () => {
    takeStatements()
    const org = await newOrg()
    await org.get('/items')
    const heard = takeStatements()
    expect(heard.some(sql => sql.includes('"entities"'))).toBe(true)
    expect(heard.some(sql => sql.includes('"credentials"'))).toBe(true)
  })

  it('of ordinary calls keeps to their organization', async () => {
    const org = await newOrg()
    takeStatements()
    const item = await org.make('/items', { name: 'a', federatedId: 'A' })
    await org.put(`/items/${item.id}`, { name: 'b' })
    await org.get('/items', { criteria: { name: 'b' } })
    await org.get('/items', { order: { orderField: 'name', order: 'desc' }, limit: 1 })
    await org.get('/items/count', { criteria: { size: 1 } })
    await org.get('/search', { q: 'b' })
    await org.get('/change-history')
    await org.delete(`/items/${item.id}`)
    const open = takeStatements().filter(sql => !isExcepted(sql))
    expect(open.flatMap(sql => unnarrowed(sql).map(table => `${table}: ${sql}`))).toEqual([])
  })

  it('is excepted for a reason', () => {
    expect(EXCEPTIONS.filter(({ has, why }) => has.length === 0 || why.length < 10)).toEqual([])
  })
})
