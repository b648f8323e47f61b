// The rule that every statement is held to after each test file (see setup.ts): that it notices, and that it listens.
import { describe, expect, it } from 'vitest'
import { newOrg } from './api.ts'
import { EXCEPTIONS, takeStatements, unnarrowed } from './org-statements.ts'

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

  it('is excepted for a reason', () => {
    expect(EXCEPTIONS.filter(({ has, why }) => has.length === 0 || why.length < 10)).toEqual([])
  })
})
