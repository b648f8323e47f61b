// Events that are no change of an entity. The statement rides in the transaction that the event tells of, so that
// neither can exist without the other; `announce` afterwards makes the event heard at once.
import type { Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/ids.ts'

export interface PublishedEvent {
  orgId: string
  /** For example `assortment|publish`. */
  triggerKey: string
  event: Record<string, unknown>
  /** The load, process or caller behind it. */
  createdById: string
  now: number
  /** A writer that may be repeated gives an id of its own: the second insert does nothing. */
  id?: string
}

/** Writes nothing where nobody listens. */
export function publishStatement({ orgId, triggerKey, event, createdById, now, id }: PublishedEvent): Statement {
  return {
    sql: `INSERT INTO published_events (id, org_id, trigger_key, event, created_by_id, created_on)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM clocks WHERE org_id = ?2 AND heard_seq IS NOT NULL
      ON CONFLICT (id) DO NOTHING`,
    params: [id ?? newId(), orgId, triggerKey, JSON.stringify(event), createdById, now],
  }
}
