// How an organization is read page by page: each table along an index of its own, from where the last page ended (N63).
import { getTableName, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ARCHIVED, type ArchivedName, archived } from '../../../src/features/backup/store/archived-tables.ts'
import { walk } from '../../../src/features/backup/store/read.ts'
import { entities } from '../../../src/platform/db/schema/entities.ts'
import { env, newOrg } from '../api.ts'

it.each(Object.keys(ARCHIVED) as ArchivedName[])('N63 %s', async name => {
  const org = await newOrg()
  const table = archived(name)
  const where = name === 'entities' ? { where: sql`${entities.kind} = 'item'` } : {}
  const after = table.order.map(() => 1)
  const { sql: text, params } = walk({ ...table, ...where, name, orgId: org.id, after })
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .bind(...params)
    .all<{ detail: string }>()
  const plan = results.map(({ detail }) => detail)
  const named = getTableName(table.table)
  expect(plan).toContainEqual(expect.stringMatching(new RegExp(`^SEARCH ${named} USING .*INDEX .*\\(org_id=\\?`)))
  expect(plan.filter(detail => detail === `SCAN ${named}` || detail.includes('TEMP B-TREE'))).toEqual([])
})
