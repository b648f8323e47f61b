// Waits for what queues, alarms and objects bring about: asks again until the condition holds. Patience is no measure of speed:
// it only ends a wait for what will never come.
import { inject } from 'vitest'
import { env, type TestOrg } from './api.ts'

declare module 'vitest' {
  interface ProvidedContext {
    patienceMs: number
  }
}

const PAUSE_MS = 20

export async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + inject('patienceMs')
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (performance.now() > end) throw new Error(`did not come about; last seen ${JSON.stringify(seen)}`)
    await scheduler.wait(PAUSE_MS)
  }
}

const ASKS_FOR_LOADS = `EXISTS (SELECT 1 FROM endpoints WHERE org_id = ?1 AND include_loads)
  OR EXISTS (SELECT 1 FROM entities WHERE org_id = ?1 AND kind = 'event-workflow' AND data ->> '$.includeLoads')`

/** What may still cause a run or a delivery: events that nobody has read yet, loads, runs and deliveries that have not ended. */
const UNDER_WAY = `SELECT
  (SELECT count(*) FROM changes c JOIN clocks k ON k.org_id = c.org_id
    WHERE c.org_id = ?1 AND c.seq > k.heard_seq AND (c.created_by_type <> 'loader' OR ${ASKS_FOR_LOADS})) AS unheard,
  (SELECT count(*) FROM published_events WHERE org_id = ?1) AS published,
  (SELECT count(*) FROM jobs WHERE org_id = ?1) AS jobs,
  (SELECT count(*) FROM entities WHERE org_id = ?1 AND kind = 'event-workflow-process' AND status IN ('pending', 'active')) AS runs,
  (SELECT count(*) FROM deliveries WHERE org_id = ?1 AND status = 'pending') AS deliveries`

/** The sign that no event of an organization is left to come. */
export async function nothingLeft(org: Pick<TestOrg, 'id'>): Promise<void> {
  const look = async () => (await env.DB.prepare(UNDER_WAY).bind(org.id).first<Record<string, number>>()) ?? {}
  await eventually(look, counts => Object.values(counts).every(count => count === 0))
}
