// The floor: the same SQL through the same bindings, and nothing else. No authentication, no validation, no limits, no
// headers. What the service adds to this is what it costs.
import { kindNamed } from '../../src/kinds.ts'
import { databaseFor } from '../../src/platform/db/client.ts'
import { type EntityRow, entityOf, ROW_COLUMNS } from '../../src/platform/db/row.ts'
import { createStatements, tick, updateStatements } from '../../src/platform/db/statements.ts'
import { newId } from '../../src/platform/ids.ts'

const ORG = { id: 'floor-organizatn', slug: 'floor' }
const ITEM = kindNamed('item')

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
const rowsOf = (result: { results?: unknown[] } | undefined) => (result?.results ?? []) as EntityRow[]

export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const db = databaseFor(env, ORG.id)
    const { pathname } = new URL(request.url)
    const id = pathname.split('/')[3]
    const scope = { db, org: ORG, actor: { id: 'floor', type: 'app' as const }, now: Date.now() }
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
