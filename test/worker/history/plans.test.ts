// A page of the history reads what it returns, however many records there are.
import { beforeAll, describe, expect, it } from 'vitest'
import { filesStatement } from '../../../src/features/history/history-files-store.ts'
import { type RecordsQuery, recordsStatement } from '../../../src/features/history/store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env } from '../api.ts'

const RECORDS = 20_000
const PAGE = 100
/** Stands for the middle of the records, wherever they lie in the commit order. */
const MIDDLE = -1

const org = newId()
let middle = 0

const QUERY: RecordsQuery = {
  orgId: org,
  entityTypes: [],
  entity: undefined,
  createdOn: undefined,
  descending: true,
  afterSeq: undefined,
  limit: PAGE,
}

beforeAll(async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
     INSERT INTO changes (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
     SELECT ?1 || i, CASE WHEN i % 10 THEN ?1 ELSE ?1 || ' other' END, CASE i % 4 WHEN 0 THEN 'color' ELSE 'item' END,
       'e' || (i % 200), 'update', i * 1000, 'a', 'app', 1, '{}' FROM n`,
  )
    .bind(org)
    .run()
  const found = await env.DB.prepare('SELECT seq FROM changes WHERE id = ?')
    .bind(`${org}10001`)
    .first<{ seq: number }>()
  middle = found?.seq ?? 0
})

async function rowsRead(query: Partial<RecordsQuery>): Promise<{ read: number; found: number; plan: string }> {
  const afterSeq = query.afterSeq === undefined ? undefined : middle
  const { sql, params } = recordsStatement({ ...QUERY, ...query, afterSeq })
  const { results, meta } = await env.DB.prepare(sql)
    .bind(...params)
    .all()
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return { read: meta.rows_read, found: results.length, plan: plan.results.map(row => row.detail).join('\n') }
}

describe('each access path walks an index from where the last page ended', () => {
  it.each<[string, Partial<RecordsQuery>, string]>([
    ['newest first', {}, 'changes_org'],
    ['a poll from the middle', { descending: false, afterSeq: MIDDLE }, 'changes_org'],
    ['one entity type', { entityTypes: ['color'] }, 'changes_entity_type'],
    ['one entity type, deep', { entityTypes: ['color'], afterSeq: MIDDLE }, 'changes_entity_type'],
    ['one entity', { entity: { type: 'item', id: 'e7' } }, 'changes_entity'],
    ['a range of times', { createdOn: [5_000_000, 6_000_000] }, 'changes_org'],
    [
      'a range of times of one type',
      { createdOn: [5_000_000, 6_000_000], entityTypes: ['item'] },
      'changes_entity_type',
    ],
  ])('%s', async (_, query, index) => {
    const { read, found, plan } = await rowsRead(query)
    expect(found).toBeGreaterThan(50)
    // Once along the index, twice to add the sizes up, once to fetch the records.
    expect(read).toBeLessThanOrEqual(4 * found + 4)
    expect(plan).toContain(index)
    expect(plan).not.toContain('SCAN changes')
    expect(plan).not.toContain('TEMP B-TREE')
  })

  it('all entity types at once are still one statement', async () => {
    const entityTypes = ['item', 'color', 'project', 'workspace', 'type', 'webhook', 'assortment']
    expect((await rowsRead({ entityTypes })).found).toBe(PAGE)
  })

  it('several entity types read at most a page of each', async () => {
    const { read, found } = await rowsRead({ entityTypes: ['item', 'color'] })
    expect(found).toBe(PAGE)
    expect(read).toBeLessThanOrEqual(8 * PAGE)
  })
})

describe('files of old records are found by index (N58)', () => {
  it.each<[string, Partial<RecordsQuery>, string]>([
    ['newest first', {}, 'sqlite_autoindex_history_files_1'],
    ['a poll', { descending: false, afterSeq: MIDDLE }, 'sqlite_autoindex_history_files_1'],
    ['deep', { afterSeq: MIDDLE }, 'sqlite_autoindex_history_files_1'],
    ['one entity', { entity: { type: 'item', id: 'e7' } }, 'history_file_entities_entity'],
    ['one entity, deep', { entity: { type: 'item', id: 'e7' }, afterSeq: MIDDLE }, 'history_file_entities_entity'],
  ])('%s', async (_, query, index) => {
    const { sql, params } = filesStatement({ ...QUERY, ...query }, 5)
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>()
    const text = plan.results.map(row => row.detail).join('\n')
    expect(text).toContain(index)
    expect(text).not.toMatch(/SCAN (f|x|history)|TEMP B-TREE/)
  })
})
