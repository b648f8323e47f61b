// The floor: the same SQL through the same bindings, and nothing else. No authentication, no validation, no limits, no
// headers. What the service adds to this is what it costs.
import { planOf } from '../../src/features/entities/criteria.ts'
import { readEntity, readPage } from '../../src/features/entities/store.ts'
import { kindNamed } from '../../src/kinds.ts'
import { type Database, databaseFor } from '../../src/platform/db/client.ts'
import { checkOf, tickStatement } from '../../src/platform/db/commit/check.ts'
import { commitWide } from '../../src/platform/db/commit/commit-wide.ts'
import { sliced } from '../../src/platform/db/commit/slice.ts'
import { createdRow } from '../../src/platform/db/commit/statements.ts'
import { unchangedTypes } from '../../src/platform/db/commit/type-checks.ts'
import type { Write } from '../../src/platform/db/commit/write.ts'
import { type EntityRow, entityOf } from '../../src/platform/db/row.ts'
import { newId } from '../../src/platform/ids.ts'
import { ACTOR, bulk } from './floor-bulk.ts'

const ORG = { id: 'floor-organizatn', slug: 'floor' }
const ITEM = kindNamed('item')
const PLAN = planOf(ITEM, {})
const NO_TYPES = unchangedTypes(0)

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })

async function write(db: Database, one: Write): Promise<Response> {
  const scope = { db, org: ORG, actor: { id: ACTOR, type: 'app' as const }, now: Date.now() }
  const [slice] = sliced([one])
  if (!slice) throw new Error('nothing to write')
  const results = await db.batch([
    tickStatement(
      { orgId: ORG.id, more: slice.creates.length, epoch: 1 },
      checkOf(ORG.id, slice, commitWide([slice], false), NO_TYPES, false)[0],
    ),
    ...slice.statements(scope, true),
  ])
  const time = Number(results[0]?.results[0]?.time)
  const [row = results.at(-1)?.results[0]] = slice.creates.map(write => createdRow(scope, write, time))
  return json(entityOf(row as EntityRow))
}

export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const db = databaseFor(env, ORG.id)
    const { pathname } = new URL(request.url)
    const id = pathname.split('/')[3]
    if (pathname.startsWith('/bulk/')) {
      const [, , operation, rows, orgId = ORG.id] = pathname.split('/')
      // As long as that of the service: it stands in every row and every index.
      await bulk(db, { ...ORG, id: orgId.padEnd(ORG.id.length, '-') }, operation === 'create', Number(rows))
      return json({})
    }
    if (request.method === 'POST') {
      const data = { typePath: ITEM.name, ...((await request.json()) as Record<string, unknown>) }
      return write(db, { op: 'create', kind: ITEM, id: newId(), data })
    }
    if (request.method === 'PUT' && id) {
      return write(db, { op: 'update', kind: ITEM, id, patch: (await request.json()) as Record<string, unknown> })
    }
    if (id) return json(await readEntity(db, ORG.id, ITEM, id, []))
    const query = { orgId: ORG.id, kind: ITEM, plan: PLAN, after: undefined, limit: 100 }
    const page = await readPage(db, query, [])
    return json({ results: page?.entities })
  },
}
