// The floor: the same SQL through the same bindings, and nothing else. No authentication, no validation, no limits, no
// headers. What the service adds to this is what it costs.
import { kindNamed } from '../../src/kinds.ts'
import { type Database, databaseFor, type Statement } from '../../src/platform/db/client.ts'
import { type EntityRow, entityOf, ROW_COLUMNS } from '../../src/platform/db/row.ts'
import { createStatements, tick, updateStatements } from '../../src/platform/db/statements.ts'
import { newId } from '../../src/platform/ids.ts'
import { propertiesOf } from './load-rows.ts'

const ORG = { id: 'floor-organizatn', slug: 'floor' }
const ITEM = kindNamed('item')

const SLICE = 2000

/** Rows as they come, in batches with their change records; the second time nothing differs and nothing is written. */
async function bulk(db: Database, orgId: string, isNew: boolean, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += SLICE) {
    const scope = { db, org: { ...ORG, id: orgId }, actor: { id: 'floor', type: 'loader' as const }, now: Date.now() }
    const some = Array.from({ length: Math.min(SLICE, rows - from) }, (_, at) => propertiesOf(from + at))
    const creates = some.map((data, index) => ({ op: 'create' as const, kind: ITEM, id: newId(), data, index }))
    await db.batch([
      tick(scope),
      ...(isNew ? createStatements(scope, creates, false) : again(orgId, JSON.stringify(some))),
    ])
    await scheduler.wait(0)
  }
}

const FOUND = `FROM json_each(?1) w CROSS JOIN entities e INDEXED BY entities_federated
  ON e.org_id = ?2 AND e.federated_scope = 'item' AND e.federated_id = w.value ->> '$.federatedId'`
const DIFFERS = 'json_patch(e.data, w.value) <> e.data'

function again(orgId: string, text: string): Statement[] {
  return [
    {
      sql: `INSERT INTO changes (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
        SELECT lower(hex(randomblob(8))), ?2, 'item', e.id, 'update', 0, 'floor', 'loader', e.version + 1, '{}' ${FOUND} WHERE ${DIFFERS}`,
      params: [text, orgId],
    },
    {
      sql: `WITH w AS MATERIALIZED (SELECT e.id, json_patch(e.data, w.value) AS data ${FOUND} WHERE ${DIFFERS})
        UPDATE entities AS e SET data = w.data, version = e.version + 1 FROM w WHERE e.id = w.id`,
      params: [text, orgId],
    },
  ]
}

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
const rowsOf = (result: { results?: unknown[] } | undefined) => (result?.results ?? []) as EntityRow[]

export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const db = databaseFor(env, ORG.id)
    const { pathname } = new URL(request.url)
    const id = pathname.split('/')[3]
    const scope = { db, org: ORG, actor: { id: 'floor', type: 'app' as const }, now: Date.now() }
    if (pathname.startsWith('/bulk/')) {
      const [, , operation, rows, orgId = ORG.id] = pathname.split('/')
      await bulk(db, orgId, operation === 'create', Number(rows))
      return json({})
    }
    if (request.method === 'POST') {
      const data = (await request.json()) as Record<string, unknown>
      const write = { op: 'create' as const, kind: ITEM, id: newId(), data: { typePath: 'item', ...data }, index: 0 }
      const results = await db.batch([tick(scope), ...createStatements(scope, [write], true)])
      return json(rowsOf(results.at(-1)).map(entityOf)[0])
    }
    if (request.method === 'PUT' && id) {
      const patch = (await request.json()) as Record<string, unknown>
      const write = { op: 'update' as const, kind: ITEM, id, patch, index: 0 }
      const results = await db.batch([tick(scope), ...updateStatements(scope, [write], true)])
      return json(rowsOf(results.at(-1)).map(entityOf)[0])
    }
    if (id) {
      const sql = `SELECT ${ROW_COLUMNS} FROM entities WHERE id = ?1 AND org_id = ?2 AND kind = 'item'`
      return json(rowsOf({ results: await db.all({ sql, params: [id, ORG.id] }) }).map(entityOf)[0])
    }
    const sql = `SELECT ${ROW_COLUMNS} FROM entities INDEXED BY entities_created_on WHERE org_id = ?1 AND kind = 'item'
      ORDER BY created_on, seq LIMIT 101`
    const rows = rowsOf({ results: await db.all({ sql, params: [ORG.id] }) })
    return json({ results: rows.slice(0, 100).map(entityOf) })
  },
}
