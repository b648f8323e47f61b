// The SQL of creates, updates and deletes: rows come as one JSON value, change records are made from what is stored.
import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import type { Statement } from '../client.ts'
import { type EntityRow, ROW_COLUMNS } from '../row.ts'
import {
  type CreateWrite,
  type DeleteWrite,
  isFlat,
  isRecorded,
  type Placed,
  type UpdateWrite,
  type Write,
} from './write.ts'

export type Scope = Pick<Context, 'db' | 'org' | 'actor' | 'now'>

const CLOCK = '(SELECT time FROM clocks WHERE org_id = ?2)'

/**
 * Moves the organization's clock: commit times never run backwards (N23). Tells for free whether anybody listens, and makes
 * a check on the way: every statement of a batch costs, however little it does.
 */
export function tick({ org, now }: Scope, check?: Statement): Statement {
  const params = check?.params ?? []
  const time = check ? `coalesce((${check.sql}), ?${params.length + 2})` : '?2'
  return {
    sql: `INSERT INTO clocks (org_id, time) VALUES (?${params.length + 1}, ${time})
      ON CONFLICT (org_id) DO UPDATE SET time = max(time, excluded.time) RETURNING time, heard_seq`,
    params: [...params, org.id, now],
  }
}

/** Left to itself, SQLite reads every entity of the organization to find the few that are named. */
const BY_ID = 'INDEXED BY entities_id'

const changeId = (write: Write) => (isRecorded(write) ? newId() : null)

const RECORD = `INSERT INTO changes (id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)`

/** The rows travel once, by id: what is recorded of them is taken from the table. */
export function createStatements({ org, actor }: Scope, creates: Placed<CreateWrite>[]): Statement[] {
  const inserts = [...new Set(creates.map(write => write.kind))].map(kind => ({
    sql: `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data)
      SELECT key, ?2, ?3, 1, ${CLOCK}, ${CLOCK}, ?4, ?4, value FROM json_each(?1)`,
    params: [
      objectOf(creates.filter(write => write.kind === kind).map(write => [write.id, write.json])),
      org.id,
      kind.name,
      actor.id,
    ],
  }))
  const recorded = creates.filter(isRecorded)
  if (recorded.length === 0) return inserts
  const record = {
    sql: `${RECORD}
      SELECT w.key, e.org_id, e.kind, e.id, 'create', e.created_on, ?2, ?3, 1, e.data
      FROM json_each(?1) w CROSS JOIN entities e ON e.id = w.value`,
    params: [objectOf(recorded.map(write => [newId(), JSON.stringify(write.id)])), actor.id, actor.type],
  }
  return [...inserts, record]
}

/** What they have stored, at the time that the clock gave: nothing has to come back. */
export function createdRow({ org, actor }: Scope, { id, kind, json }: Placed<CreateWrite>, time: number): EntityRow {
  return {
    id,
    org_id: org.id,
    kind: kind.name,
    version: 1,
    created_on: time,
    updated_on: time,
    created_by_id: actor.id,
    updated_by_id: actor.id,
    data: json,
  }
}

/** Of values that are JSON already. */
function objectOf(entries: [key: string, json: string][]): string {
  return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`
}

interface Merge {
  merged: string
  changed: string
}

const FLAT: Merge = { merged: 'json_patch(e.data, w.patch)', changed: 'json_patch(e.data, w.patch) <> e.data' }

// `json_patch` merges nested objects and drops their nulls; each value is taken whole instead (N14).
const NESTED: Merge = {
  merged: `(SELECT json_group_object(k.key, CASE k.sent WHEN 1 THEN w.patch -> k.fullkey ELSE e.data -> k.fullkey END) FROM (
      SELECT key, fullkey, 0 AS sent FROM json_each(e.data) WHERE key NOT IN (SELECT key FROM json_each(w.patch))
      UNION ALL SELECT key, fullkey, 1 FROM json_each(w.patch) WHERE type <> 'null') k)`,
  changed: `EXISTS (SELECT 1 FROM json_each(w.patch) p WHERE coalesce(e.data -> p.fullkey, 'null') <> (w.patch -> p.fullkey))`,
}

const SENT = `WITH w AS MATERIALIZED (
  SELECT value ->> 0 AS id, value ->> 1 AS kind, value ->> 2 AS change, value -> 3 AS patch FROM json_each(?1))`

function mergeStatements(
  { org, actor }: Scope,
  updates: Placed<UpdateWrite>[],
  { merged, changed }: Merge,
): Statement[] {
  const sent = updates.map(write => {
    const { id, kind, json } = write
    return `[${JSON.stringify(id)},"${kind.name}",${JSON.stringify(changeId(write))},${json}]`
  })
  const json = `[${sent.join(',')}]`
  const record = {
    sql: `${SENT} ${RECORD}
      SELECT w.change, ?2, e.kind, e.id, 'update', ${CLOCK}, ?3, ?4, e.version + 1, (
        SELECT json_group_object(p.key, json_object('oldValue', e.data -> p.fullkey, 'newValue', w.patch -> p.fullkey))
        FROM json_each(w.patch) p WHERE coalesce(e.data -> p.fullkey, 'null') <> (w.patch -> p.fullkey))
      FROM w CROSS JOIN entities e ON e.id = w.id
      WHERE w.change IS NOT NULL AND e.org_id = ?2 AND e.kind = w.kind AND ${changed}`,
    params: [json, org.id, actor.id, actor.type],
  }
  const update = {
    sql: `${SENT} UPDATE entities AS e SET data = ${merged}, version = e.version + 1, updated_on = ${CLOCK}, updated_by_id = ?3
      FROM w WHERE e.id = w.id AND e.org_id = ?2 AND e.kind = w.kind AND ${changed}`,
    params: [json, org.id, actor.id],
  }
  return updates.some(isRecorded) ? [record, update] : [update]
}

function readStatement({ org }: Scope, updates: Placed<UpdateWrite>[]): Statement {
  return {
    sql: `SELECT ${ROW_COLUMNS} FROM entities ${BY_ID} WHERE org_id = ?2 AND id IN (SELECT value FROM json_each(?1))`,
    params: [JSON.stringify(updates.map(write => write.id)), org.id],
  }
}

export function deleteStatements({ org, actor }: Scope, deletes: Placed<DeleteWrite>[]): Statement[] {
  const json = JSON.stringify(deletes.map(write => ({ id: write.id, kind: write.kind.name, change: changeId(write) })))
  return [
    {
      sql: `${RECORD}
        SELECT w.value ->> '$.change', ?2, e.kind, e.id, 'delete', ${CLOCK}, ?3, ?4, e.version + 1, e.data
        FROM json_each(?1) w CROSS JOIN entities e ON e.id = w.value ->> '$.id'
        WHERE w.value ->> '$.change' IS NOT NULL AND e.org_id = ?2 AND e.kind = w.value ->> '$.kind'`,
      params: [json, org.id, actor.id, actor.type],
    },
    {
      sql: `DELETE FROM entities ${BY_ID} WHERE org_id = ?2 AND id IN (SELECT value ->> '$.id' FROM json_each(?1))`,
      params: [json, org.id],
    },
  ]
}

export function updateStatements(scope: Scope, updates: Placed<UpdateWrite>[], returning: boolean): Statement[] {
  const flat = updates.filter(write => isFlat(write.patch))
  const nested = updates.filter(write => !isFlat(write.patch))
  return [
    ...(flat.length ? mergeStatements(scope, flat, FLAT) : []),
    ...(nested.length ? mergeStatements(scope, nested, NESTED) : []),
    ...(returning ? [readStatement(scope, updates)] : []),
  ]
}
