// The floor of loads: a bare loop of the bulk SQL over the same rows.
import { kindNamed } from '../../src/kinds.ts'
import type { Org } from '../../src/platform/context.ts'
import type { Database, Statement } from '../../src/platform/db/client.ts'
import { tick } from '../../src/platform/db/commit/clock.ts'
import { createStatements } from '../../src/platform/db/commit/statements.ts'
import { idSeries } from '../../src/platform/ids.ts'
import { propertiesOf } from './load-rows.ts'

const SLICE = 2000
const ITEM = kindNamed('item')
/** As long as an id of the service. */
export const ACTOR = 'floor-actor-----'

/** Rows as they come, in batches with their change records; the second time nothing differs and nothing is written. */
export async function bulk(db: Database, org: Org, isNew: boolean, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += SLICE) {
    const scope = { db, org, actor: { id: ACTOR, type: 'loader' as const }, now: Date.now() }
    const some = Array.from({ length: Math.min(SLICE, rows - from) }, (_, at) => propertiesOf(from + at))
    const newId = idSeries()
    const creates = some.map((data, index) => {
      return { op: 'create' as const, kind: ITEM, id: newId(), data, index, json: JSON.stringify(data) }
    })
    await db.batch([
      tick({ orgId: org.id, more: isNew ? creates.length : 0, epoch: 1 }),
      ...(isNew ? createStatements(scope, creates) : again(org.id, JSON.stringify(some))),
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
        SELECT lower(hex(randomblob(8))), ?2, 'item', e.id, 'update', 0, '${ACTOR}', 'loader', e.version + 1, '{}' ${FOUND} WHERE ${DIFFERS}`,
      params: [text, orgId],
    },
    {
      sql: `WITH w AS MATERIALIZED (SELECT e.id, json_patch(e.data, w.value) AS data ${FOUND} WHERE ${DIFFERS})
        UPDATE entities AS e SET data = w.data, version = e.version + 1 FROM w WHERE e.id = w.id`,
      params: [text, orgId],
    },
  ]
}
