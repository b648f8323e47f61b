// What SQLite plans: of one page of a list, with what it read, and of every statement that some work sends.
import { type Asked, type Criteria, planOf } from '../../src/features/entities/criteria.ts'
import { type ListQuery, type ListValues, listValues, pageSql } from '../../src/features/entities/list-sql.ts'
import { kindNamed } from '../../src/kinds.ts'
import { type Database, databaseFor, type Statement } from '../../src/platform/db/client.ts'
import { prepared } from '../../src/platform/db/sql.ts'
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
  const query = { orgId, kind: kindNamed(kind), plan, after, limit: LIMIT }
  const { sql, params } = prepared<ListValues>(given => pageSql(query, given))(listValues(query))
  const explained = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  const page = await env.DB.prepare(sql)
    .bind(...params)
    .all<{ seq: number; k: string | number; fits?: number }>()
  return { plan: explained.results.map(row => row.detail).join('\n'), rows: page.results, read: page.meta.rows_read }
}

/** The plan of each statement that the work sends; the work is done too. */
export async function plansOf(orgId: string, work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const db = databaseFor(env, orgId)
  const batch = db.batch.bind(db)
  const statements: Statement[] = []
  db.batch = sent => {
    statements.push(...sent)
    return batch(sent)
  }
  await work(db)
  return Promise.all(
    statements.map(async ({ sql, params }) => {
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>()
      return results.map(row => row.detail).join('\n')
    }),
  )
}

/** How SQLite says that the terms of an index of words are bounded on both sides (FTS5_VOCAB_TERM_GE, _LE). */
export const BOUNDED_TERMS = 0x200 | 0x400

/** Every entity of a type, or of all organizations. */
export const readsWholeType = (plan: string) =>
  /SCAN (e|x|entities)\b(?! USING)|SEARCH (e|x|entities) USING (COVERING )?INDEX (?!entities_created_on)\w+ \(org_id=\?( AND kind=\?)?\)/.test(
    plan,
  )
