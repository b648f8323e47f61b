// Fills a database past the Worker: items and their change records, one millisecond apart.
import type { Runtime } from './runtime.ts'

const SLICE = 20_000
/** The first item's time. */
export const FIRST_MS = Date.UTC(2025, 0, 1)

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)'
const ID = (prefix: string) => `printf('${prefix}%013d', i) || substr(?3, -2)`
const DATA = `json_object('typePath', 'item', 'name', 'Style ' || i, 'federatedId', 'F' || i, 'color', 'navy',
  'price', i * 1.5, 'season', 'SS27', 'isNew', json('true'), 'sizes', json('["S","M","L"]'))`

export async function seedItems(runtime: Runtime, orgId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    const to = Math.min(from + SLICE, count)
    await runtime.run(
      `${NUMBERS} INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
        SELECT ${ID('e')}, ?3, 'item', 1, ${FIRST_MS} + i, ${FIRST_MS} + i, 'seed', 'seed', ${DATA} FROM n`,
      from,
      to,
      orgId,
    )
    await runtime.run(
      `${NUMBERS} INSERT INTO changes
          (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
        SELECT ${ID('c')}, ?3, 'item', ${ID('e')}, 'create', ${FIRST_MS} + i, 'seed', 'app', 1, ${DATA} FROM n`,
      from,
      to,
      orgId,
    )
  }
  await runtime.run(
    'INSERT INTO clocks (org_id, time) VALUES (?1, ?2) ON CONFLICT (org_id) DO UPDATE SET time = max(time, excluded.time)',
    orgId,
    FIRST_MS + count,
  )
}
