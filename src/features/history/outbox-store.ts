// The outbox: change records, and events that are no change of an entity. How far the records have been heard stands on
// the organization's clock, and moves in the transaction that records what came of them.
import type { Database, Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/ids.ts'
import { EVENTS_PASS_MAX, EVENTS_PASS_MAX_BYTES, EVENTS_WINDOW_RECORDS } from '../../platform/limits.ts'
import type { ChangeRow } from './change-event.ts'

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

/** Rides in the transaction that the event tells of; `announce` afterwards makes it heard at once. Writes nothing where
 * nobody listens. */
export function publishStatement({ orgId, triggerKey, event, createdById, now, id }: PublishedEvent): Statement {
  return {
    sql: `INSERT INTO published_events (id, org_id, trigger_key, event, created_by_id, created_on)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM clocks WHERE org_id = ?2 AND heard_seq IS NOT NULL
      ON CONFLICT (id) DO NOTHING`,
    params: [id ?? newId(), orgId, triggerKey, JSON.stringify(event), createdById, now],
  }
}

/** Begins or ends the listening of an organization, by what is there to listen: nothing from before the beginning is heard. */
export function listenStatements(orgId: string): Statement[] {
  return [
    {
      sql: `UPDATE clocks SET heard_seq = CASE
          WHEN EXISTS (SELECT 1 FROM endpoints WHERE org_id = ?1 AND events <> '[]')
            OR EXISTS (SELECT 1 FROM entities INDEXED BY entities_trigger_key WHERE org_id = ?1 AND kind = 'event-workflow'
              AND trigger_key IS NOT NULL AND trigger_key LIKE '%|%' AND coalesce(data ->> '$.isActive', 1) <> 0)
          THEN coalesce(heard_seq, (SELECT coalesce(max(seq), 0) FROM changes INDEXED BY changes_org WHERE org_id = ?1))
        END
        WHERE org_id = ?1 RETURNING heard_seq AS "heardSeq"`,
      params: [orgId],
    },
  ]
}

export interface HeardChange extends ChangeRow {
  created_by_type: string
  /** How deep in a chain of workflows the change was made; 0: by none. */
  depth: number
  /** The entity's data now; null where it is gone. */
  data: string | null
}

export interface HeardPublished {
  seq: number
  trigger_key: string
  event: string
  created_by_id: string
  depth: number
}

export interface Heard {
  /** Undefined: nobody listens. */
  heardSeq: number | undefined
  changes: HeardChange[]
  /** Records of the same entities after those of `changes`. */
  later: ChangeRow[]
  published: HeardPublished[]
  /** The last record of the window that was looked at. */
  windowEnd: number | undefined
  isWindowFull: boolean
}

export interface Interest {
  /** Trigger keys that somebody listens to. */
  keys: readonly string[]
  includeLoads: boolean
}

// The depth of what a process, or a load that a process started, has written.
const DEPTH = `coalesce(
  (SELECT p.data ->> '$.depth' FROM entities p WHERE p.id = CASE c.created_by_type
    WHEN 'workflow' THEN c.created_by_id
    WHEN 'loader' THEN (SELECT l.created_by_id FROM entities l WHERE l.id = c.created_by_id) END), 0)`

const CHANGE = 'c.seq, c.entity_type, c.entity_id, c.change_type, c.created_on, c.created_by_id, c.version, c.detail'

/** Reads on where the last look ended. Seeks by index, and never reads more than one window of records. */
export async function hearNext(db: Database, orgId: string, { keys, includeLoads }: Interest): Promise<Heard> {
  const index = includeLoads ? 'changes_org' : 'changes_unloaded'
  const window = `window AS MATERIALIZED (
    SELECT seq, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, length(detail) AS size
    FROM changes INDEXED BY ${index}
    WHERE org_id = ?1 AND seq > (SELECT heard_seq FROM clocks WHERE org_id = ?1)
      ${includeLoads ? '' : "AND created_by_type <> 'loader'"} ORDER BY seq LIMIT ${EVENTS_WINDOW_RECORDS})`
  const wanted = `wanted AS MATERIALIZED (SELECT * FROM (
      SELECT seq, entity_type, entity_id, change_type, sum(size) OVER (ORDER BY seq) - size AS before FROM window
      WHERE entity_type || '|' || change_type IN (SELECT value FROM json_each(?2)) ORDER BY seq LIMIT ${EVENTS_PASS_MAX})
    WHERE before < ${EVENTS_PASS_MAX_BYTES})`
  const params = [orgId, JSON.stringify(keys)]
  const [clock, end, changes, later, published] = await db.batch([
    { sql: 'SELECT heard_seq FROM clocks WHERE org_id = ?1', params: [orgId] },
    { sql: `WITH ${window} SELECT max(seq) AS seq, count(*) AS records FROM window`, params: [orgId] },
    {
      sql: `WITH ${window}, ${wanted} SELECT ${CHANGE}, c.created_by_type, ${DEPTH} AS depth, e.data
        FROM wanted w CROSS JOIN changes c ON c.seq = w.seq
        LEFT JOIN entities e ON c.change_type = 'update' AND e.id = c.entity_id AND e.org_id = ?1 ORDER BY c.seq`,
      params,
    },
    {
      sql: `WITH ${window}, ${wanted} SELECT ${CHANGE} FROM (
          SELECT entity_type, entity_id, min(seq) AS seq FROM wanted WHERE change_type = 'update' GROUP BY 1, 2) w
        CROSS JOIN changes c INDEXED BY changes_entity
          ON c.org_id = ?1 AND c.entity_type = w.entity_type AND c.entity_id = w.entity_id AND c.seq > w.seq
        WHERE length(c.detail) < 65536 ORDER BY c.seq LIMIT ${EVENTS_WINDOW_RECORDS}`,
      params,
    },
    {
      sql: `SELECT c.seq, c.trigger_key, c.event, c.created_by_id, coalesce((SELECT p.data ->> '$.depth' FROM entities p
          WHERE p.id = coalesce((SELECT l.created_by_id FROM entities l WHERE l.id = c.created_by_id), c.created_by_id)), 0) AS depth
        FROM published_events c WHERE org_id = ?1 ORDER BY seq LIMIT ${EVENTS_PASS_MAX}`,
      params: [orgId],
    },
  ])
  const heardSeq = clock?.results[0]?.heard_seq
  return {
    heardSeq: typeof heardSeq === 'number' ? heardSeq : undefined,
    changes: (changes?.results ?? []) as unknown as HeardChange[],
    later: (later?.results ?? []) as unknown as ChangeRow[],
    published: (published?.results ?? []) as unknown as HeardPublished[],
    windowEnd: end?.results[0]?.seq == null ? undefined : Number(end.results[0].seq),
    isWindowFull: Number(end?.results[0]?.records ?? 0) >= EVENTS_WINDOW_RECORDS,
  }
}

/** Begins the message of a transaction that another listener was faster with. */
export const OVERTAKEN = 'overtaken'

/** Moves on from where the look began; fails the whole transaction where somebody else has moved already. */
export function heardStatements(orgId: string, from: number, to: number, published: readonly number[]): Statement[] {
  return [
    {
      sql: `SELECT json_extract('{}', '${OVERTAKEN}') WHERE ?2 IS NOT (SELECT heard_seq FROM clocks WHERE org_id = ?1)
        OR (SELECT count(*) FROM published_events WHERE seq IN (SELECT value FROM json_each(?3))) <> json_array_length(?3)`,
      params: [orgId, from, JSON.stringify(published)],
    },
    { sql: 'UPDATE clocks SET heard_seq = ?2 WHERE org_id = ?1', params: [orgId, to] },
    {
      sql: 'DELETE FROM published_events WHERE org_id = ?1 AND seq IN (SELECT value FROM json_each(?2))',
      params: [orgId, JSON.stringify(published)],
    },
  ]
}

/** Some of them, other ones each time: a Worker may only make so many calls at once. */
export async function listeningOrganizations(db: Database): Promise<string[]> {
  const sql = 'SELECT org_id FROM clocks WHERE heard_seq IS NOT NULL ORDER BY random() LIMIT 500'
  const found = await db.all({ sql, params: [] })
  return found.map(row => String(row.org_id))
}
