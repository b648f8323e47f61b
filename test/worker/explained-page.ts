// One page of a list as SQLite plans it, and what it read.
import { type Asked, type Criteria, planOf } from '../../src/features/entities/criteria.ts'
import { type ListQuery, type ListValues, listValues, pageSql } from '../../src/features/entities/list-sql.ts'
import { kindNamed } from '../../src/kinds.ts'
import { prepared } from '../../src/platform/db/sql.ts'
import { WHOLE_PAGE } from '../../src/platform/paging/portions.ts'
import { env } from './api.ts'

export const LIMIT = 100

export async function explainedPage(
  orgId: string,
  kind: string,
  criteria: Criteria,
  asked: Asked = {},
  after?: ListQuery['after'],
) {
  const plan = planOf(kindNamed(kind), criteria, asked)
  const query = { orgId, kind: kindNamed(kind), plan, after, limit: LIMIT, room: WHOLE_PAGE }
  const { sql, params } = prepared<ListValues>(given => pageSql(query, given))(listValues(query))
  const explained = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  const page = await env.DB.prepare(sql)
    .bind(...params)
    .all<{ seq: number; k: string | number; fits?: number }>()
  return { plan: explained.results.map(row => row.detail).join('\n'), rows: page.results, read: page.meta.rows_read }
}
