// What lists read: each access path of 20,000 entities goes along an index. EXPLAIN QUERY PLAN shows the index, and
// `rows_read` that a page costs what it returns.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Criteria, type Order, planOf, testedPlan } from '../../src/features/entities/criteria.ts'
import type { ListQuery } from '../../src/features/entities/list-sql.ts'
import { parseRelations } from '../../src/features/entities/relations.ts'
import { searchWalk } from '../../src/features/entities/search-sql.ts'
import { readCount, readPage } from '../../src/features/entities/store.ts'
import { entitiesBelow } from '../../src/features/entities/type-check-store.ts'
import { newRows } from '../../src/features/search/store.ts'
import { kindNamed } from '../../src/kinds.ts'
import { type Database, databaseFor } from '../../src/platform/db/client.ts'
import { commit } from '../../src/platform/db/commit/commit.ts'
import type { Write } from '../../src/platform/db/commit/write.ts'
import { newId } from '../../src/platform/ids.ts'
import { soughtIn } from '../../src/platform/search/words.ts'
import { env, newOrg, type TestOrg } from './api.ts'
import { BOUNDED_TERMS, explainedPage, LIMIT, plansOf, readsWholeType } from './explained.ts'

const ENTITIES = 20_000
/** Entities that share a value: what is gathered and sorted reads all of them. */
const GROUP = 200

let org: TestOrg

/** Each value of `group` is shared by 200 entities. */
const DATA = `json_object('typePath', :kind || ':t' || (n % 100), 'name', 'n' || n, 'federatedId', 'f' || n,
  'identifier', 'i' || n, 'itemFamilyId', 'g' || (n % 100), 'itemId', 'i' || n, 'projectId', 'g' || (n % 100),
  'assortmentId', 'g' || (n % 100), 'projectItemId', 'p' || n, 'workspaceId', 'g' || (n % 100), 'processId', 'g' || (n % 100),
  'eventWorkflowId', 'g' || (n % 100), 'triggerKey', 'g' || (n % 100), 'status', 'g' || (n % 100))`

const KINDS = [
  'item',
  'project-item',
  'assortment-item',
  'assortment',
  'workspace',
  'event-workflow',
  'event-workflow-process',
  'event-workflow-task',
  'loader-process',
]

beforeAll(async () => {
  org = await newOrg()
  for (const kind of ['item', ...KINDS.slice(1)]) {
    const count = kind === 'item' ? ENTITIES : 2000
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
       WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?3)
       SELECT ?2 || n || ?1, ?1, ?2, 1, 1700000000000 + n, 1700000000000 + n * 7 % 1000003, 'x', 'x', ${DATA.replaceAll(':kind', '?2')} FROM c`,
    )
      .bind(org.id, kind, count)
      .run()
  }
}, 60_000)

const pageOf = (kind: string, criteria: Criteria, order?: Order, after?: ListQuery['after']) =>
  explainedPage(org.id, kind, criteria, { order }, after)

const FIRST_DAY = 'BETWEEN 2023-11-14T22:13:20.100Z and 2023-11-14T22:13:20.300Z'

const PATHS: [string, string, Criteria, Order | undefined, string][] = [
  ['item', 'entity type', {}, undefined, 'entities_created_on'],
  ['item', 'federatedId', { federatedId: 'f77' }, undefined, 'entities_federated_id'],
  ['item', 'any federatedId', { federatedId: ['f77', 'f78', 'zz'] }, undefined, 'entities_federated_id'],
  ['assortment', 'identifier', { identifier: 'i77' }, undefined, 'entities_identifier'],
  ['item', 'itemFamilyId', { itemFamilyId: 'g7' }, undefined, 'entities_item_family_id'],
  ['project-item', 'itemId', { itemId: 'i7' }, undefined, 'entities_item_id'],
  ['project-item', 'projectId', { projectId: 'g7' }, undefined, 'entities_project_id'],
  ['assortment-item', 'assortmentId', { assortmentId: 'g7' }, undefined, 'entities_assortment_id'],
  ['assortment-item', 'projectItemId', { projectItemId: 'p7' }, undefined, 'entities_project_item_id'],
  ['assortment', 'workspaceId', { workspaceId: 'g7' }, undefined, 'entities_workspace_id'],
  ['event-workflow-task', 'processId', { processId: 'g7' }, undefined, 'entities_process_id'],
  ['event-workflow-process', 'eventWorkflowId', { eventWorkflowId: 'g7' }, undefined, 'entities_event_workflow_id'],
  ['event-workflow', 'triggerKey', { triggerKey: 'g7' }, undefined, 'entities_trigger_key'],
  ['loader-process', 'status', { status: 'g7' }, undefined, 'entities_status'],
  ['item', 'typePath', { typePath: 'item:t7' }, undefined, 'entities_type_path'],
  ['item', 'name', { name: 'n77' }, undefined, 'entities_name'],
  ['item', 'createdOn range', { createdOn: FIRST_DAY }, undefined, 'entities_created_on'],
  [
    'item',
    'updatedOn range',
    { updatedOn: FIRST_DAY },
    { orderField: 'updatedOn', order: 'asc' },
    'entities_updated_on',
  ],
  ['item', 'name range', { name: 'BETWEEN n5 and n50' }, { orderField: 'name', order: 'desc' }, 'entities_name'],
  ...(['createdOn', 'updatedOn', 'name', 'federatedId', 'identifier'] as const).flatMap(orderField =>
    (['asc', 'desc'] as const).map((order): [string, string, Criteria, Order, string] => [
      'item',
      `order by ${orderField} ${order}`,
      {},
      { orderField, order },
      `entities_${orderField.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`,
    ]),
  ),
]

const BY_NAME: Order = { orderField: 'name', order: 'asc' }
const LAST_WRITTEN: Order = { orderField: 'updatedOn', order: 'desc' }

/** Found by the index of a column, and sorted afterwards. */
const GATHERED: [string, string, Criteria, Order | undefined, string][] = [
  ['item', 'any name', { name: ['n77', 'n78'] }, undefined, 'entities_name'],
  ['item', 'name in its order', { name: 'n77' }, BY_NAME, 'entities_name'],
  ['item', 'name in another order', { name: 'n77' }, LAST_WRITTEN, 'entities_name'],
  ['item', 'typePath in another order', { typePath: 'item:t7' }, BY_NAME, 'entities_type_path'],
  ['item', 'name of any typePath', { typePath: ['item:t77', 'item:t78'], name: 'n77' }, BY_NAME, 'entities_name'],
  ['assortment-item', 'assortmentId by name', { assortmentId: 'g7' }, BY_NAME, 'entities_assortment_id'],
  ['project-item', 'any projectId', { projectId: ['g7', 'g8'] }, undefined, 'entities_project_id'],
  ['assortment', 'any workspaceId', { workspaceId: ['g7', 'g8'] }, LAST_WRITTEN, 'entities_workspace_id'],
  ['loader-process', 'any status', { status: ['g7', 'g8'] }, undefined, 'entities_status'],
  ['loader-process', 'status, last written first', { status: 'g7' }, LAST_WRITTEN, 'entities_status'],
  ['event-workflow', 'any triggerKey', { triggerKey: ['g7', 'g8'] }, undefined, 'entities_trigger_key'],
  [
    'event-workflow-process',
    'any eventWorkflowId of a status',
    { status: 'g7', eventWorkflowId: ['g7', 'g8'] },
    undefined,
    'entities_event_workflow_id',
  ],
]

describe('a list', () => {
  it.each(GATHERED)(
    'N16 of %s by %s reads a few times what has its values',
    async (kind, _, criteria, order, index) => {
      const { plan, read, rows } = await pageOf(kind, criteria, order)
      expect(rows.filter(({ fits }) => fits)).not.toHaveLength(0)
      expect(plan).toMatch(new RegExp(`SEARCH c USING (COVERING )?INDEX ${index} `))
      expect(read).toBeLessThanOrEqual(GROUP * 8)
    },
  )

  it.each(PATHS)(
    'of %s by %s walks its index and reads no more than it returns',
    async (kind, _, criteria, order, index) => {
      const first = await pageOf(kind, criteria, order)
      expect(first.rows.length).toBeGreaterThan(0)
      expect(first.plan).toContain(`INDEX ${index} (`)
      expect(first.plan).not.toMatch(/SCAN entities(?! USING)/)
      expect(first.read).toBeLessThanOrEqual(GROUP * 3 + 20)
      const last = first.rows.at(-1)
      const next = await pageOf(kind, criteria, order, last && { value: last.k, seq: last.seq })
      expect(next.read).toBeLessThanOrEqual(GROUP * 3 + 20)
    },
  )

  it('by a property without an index reads no more than its bound for a page', async () => {
    const { read, rows } = await pageOf('item', { nowhere: 1 })
    expect(rows.map(row => row.fits)).toEqual([0])
    expect(read).toBeLessThanOrEqual(4 * 10_000 + 20)
  })

  it('N48 by operators stops reading where its page is full', async () => {
    const { read, rows } = await pageOf('item', { or: [{ status: { exists: true } }, { nowhere: { gt: 1 } }] })
    expect(rows).toHaveLength(LIMIT)
    expect(read).toBeLessThanOrEqual(LIMIT * 4 + 20)
  })

  it('N48 by a range of its order field walks the range alone', async () => {
    const range: Criteria = { name: { gt: 'n5', lt: 'n50' } }
    const { plan, read } = await pageOf('item', range, { orderField: 'name', order: 'asc' })
    expect(plan).toContain('name>? AND name<?')
    expect(read).toBeLessThanOrEqual(LIMIT + 20)
  })

  it.each(['one', 'two words'])(
    'N50 by %s goes through the index of words from its beginning, and to each entity by its place',
    async q => {
      const kind = kindNamed('item')
      const plans = await plansOf(org.id, async db => {
        const search = searchWalk(org.id, ['item', 'color'], soughtIn(q))
        const query = {
          orgId: org.id,
          kind,
          plan: testedPlan(kind, { color: { not: 1 } }),
          after: undefined,
          limit: LIMIT,
          search,
        }
        await readPage(db, query, [])
        await readCount(db, query)
      })
      expect(plans.length).toBe(2)
      for (const plan of plans) {
        const ways = [...plan.matchAll(/SCAN search_terms VIRTUAL TABLE INDEX (\d+):/g)].map(([, way]) => Number(way))
        expect(ways.length).toBeGreaterThan(0)
        for (const way of ways) expect(way & BOUNDED_TERMS, plan).toBe(BOUNDED_TERMS)
        expect(plan).toMatch(/SEARCH e USING INTEGER PRIMARY KEY/)
        expect(plan).toMatch(/SEARCH s USING INTEGER PRIMARY KEY/)
        expect(readsWholeType(plan), plan).toBe(false)
      }
    },
  )

  it('N50 the index of words finds what is new by the times of commits', async () => {
    const newOnes = (db: Database) => newRows(db, org.id, '{"item":[1,1],"color":[1,1]}', 1, 100)
    const plans = await plansOf(org.id, newOnes)
    for (const plan of plans) {
      expect(plan).toContain('entities_updated_on (org_id=? AND kind=? AND updated_on>?)')
      expect(plan).toMatch(/SEARCH s USING INTEGER PRIMARY KEY/)
    }
    const db = databaseFor(env, org.id)
    expect(await newOnes(db)).toHaveLength(100)
    // However many are new.
    expect(db.rowsRead).toBeLessThan(1000)
  })

  it('with relations finds each related entity by its id', async () => {
    const plans = await plansOf(org.id, async db => {
      const relations = parseRelations(kindNamed('item'), 'itemFamily.itemFamily')
      const plan = planOf(kindNamed('item'), {})
      const query = { orgId: org.id, kind: kindNamed('item'), plan, after: undefined, limit: LIMIT }
      await readPage(db, query, relations)
    })
    expect(plans.length).toBe(2)
    for (const plan of plans) expect(readsWholeType(plan), plan).toBe(false)
  })
})

describe('a check of types', () => {
  it('N54 walks the range of a type path from where it was, in order', async () => {
    const below = { kind: 'item', path: 'item:t7', after: ['item:t7', 5000] as const }
    const plans = await plansOf(org.id, db => entitiesBelow(db, org.id, below, LIMIT))
    expect(plans.length).toBe(1)
    expect(plans[0]).toMatch(/SEARCH e USING INDEX entities_type_path \(org_id=\? AND kind=\? AND .*type_path/)
    expect(plans[0]).toMatch(/SEARCH x USING INTEGER PRIMARY KEY/)
    expect(plans[0]).not.toContain('TEMP B-TREE')
  })
})

describe('a write', () => {
  it.each(['create', 'update', 'delete'] as const)(
    '%s finds what it needs by indexes, in every statement',
    async op => {
      const kind = kindNamed('item')
      const id = op === 'create' ? newId() : `item${op === 'update' ? 10 : 11}${org.id}`
      const family = newId()
      await commit({ db: databaseFor(env, org.id), org, actor: { id: 'x', type: 'app' }, now: Date.now() }, [
        { op: 'create', kind, id: family, data: { typePath: 'item' } },
      ])
      const fields = {
        typePath: 'item',
        name: 'x',
        federatedId: `new ${op}`,
        identifier: `new ${op}`,
        itemFamilyId: family,
        o: { a: 1 },
      }
      const write: Write =
        op === 'create'
          ? { op, kind, id, data: fields }
          : op === 'update'
            ? { op, kind, id, patch: fields, versions: [1] }
            : { op, kind, id, versions: [1] }
      const plans = await plansOf(org.id, db =>
        commit({ db, org, actor: { id: 'x', type: 'app' }, now: Date.now() }, [write]),
      )
      expect(plans.length).toBeGreaterThan(2)
      for (const plan of plans) expect(readsWholeType(plan), plan).toBe(false)
    },
  )

  it('of a pair finds the other one by its index', async () => {
    const kind = kindNamed('assortment-item')
    const fields = { typePath: kind.name, itemId: `item13${org.id}`, assortmentId: `assortment13${org.id}` }
    const write: Write = { op: 'create', kind, id: newId(), data: fields }
    const plans = await plansOf(org.id, db =>
      commit({ db, org, actor: { id: 'x', type: 'app' }, now: Date.now() }, [write]),
    )
    for (const plan of plans) expect(readsWholeType(plan), plan).toBe(false)
  })
})
