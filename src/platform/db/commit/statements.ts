// Creates, updates and deletes: rows come as one JSON value, change records are made from what is stored.
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import { type EntityRow, rowColumns, type StoredRow } from '../row.ts'
import { changes, ENTITY_INDEX, entities } from '../schema/entities.ts'
import { bare, from, indexedBy, insertInto, named, prepared, type Statement } from '../sql.ts'
import { clockOf } from './clock.ts'
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

type Value = Parameters<typeof sql>[1]

const e = named(entities, 'e')

const RECORD = insertInto(changes, [
  'id',
  'orgId',
  'entityType',
  'entityId',
  'changeType',
  'createdOn',
  'createdById',
  'createdByType',
  'version',
  'detail',
])

const insertEntities = prepared<{ rows: string; orgId: string; kind: string; actorId: string }>(
  ({ rows, orgId, kind, actorId }) => sql`
    ${insertInto(entities, ['id', 'orgId', 'kind', 'version', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'data'])}
    SELECT key, ${orgId}, ${kind}, 1, ${clockOf(orgId)}, ${clockOf(orgId)}, ${actorId}, ${actorId}, value FROM json_each(${rows})`,
)

const recordCreates = prepared<{ ids: string; orgId: string; actorId: string; actorType: string }>(
  ({ ids, orgId, actorId, actorType }) => sql`${RECORD}
    SELECT w.key, ${e.orgId}, ${e.kind}, ${e.id}, 'create', ${e.createdOn}, ${actorId}, ${actorType}, 1, ${e.data}
    FROM json_each(${ids}) w CROSS JOIN ${from(e)} ON ${e.id} = w.value AND ${e.orgId} = ${orgId}`,
)

const changeId = (write: Write) => (isRecorded(write) ? newId() : null)

/** The rows travel once, by id: what is recorded of them is taken from the table. */
export function createStatements({ org, actor }: Scope, creates: Placed<CreateWrite>[]): Statement[] {
  const inserts = [...new Set(creates.map(write => write.kind))].map(kind => {
    const rows = creates.filter(write => write.kind === kind).map(({ id, json }): [string, string] => [id, json])
    return insertEntities({ rows: objectOf(rows), orgId: org.id, kind: kind.name, actorId: actor.id })
  })
  const recorded = creates.filter(isRecorded)
  if (recorded.length === 0) return inserts
  const ids = objectOf(recorded.map(write => [newId(), JSON.stringify(write.id)]))
  return [...inserts, recordCreates({ ids, orgId: org.id, actorId: actor.id, actorType: actor.type })]
}

/** What they have stored, at the time that the clock gave: nothing has to come back. */
export function createdRow({ org, actor }: Scope, { id, kind, json }: Placed<CreateWrite>, time: number): EntityRow {
  return {
    id,
    orgId: org.id,
    kind: kind.name,
    version: 1,
    createdOn: time,
    updatedOn: time,
    createdById: actor.id,
    updatedById: actor.id,
    data: json,
  }
}

/** Of values that are JSON already. */
function objectOf(entries: [key: string, json: string][]): string {
  return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`
}

interface Merge {
  merged: SQL
  changed: SQL
}

const FLAT: Merge = {
  merged: sql`json_patch(${e.data}, w.patch)`,
  changed: sql`json_patch(${e.data}, w.patch) <> ${e.data}`,
}

// `json_patch` merges nested objects and drops their nulls; each value is taken whole instead (N14).
const NESTED: Merge = {
  merged: sql`(SELECT json_group_object(k.key, CASE k.sent WHEN 1 THEN w.patch -> k.fullkey ELSE ${e.data} -> k.fullkey END) FROM (
      SELECT key, fullkey, 0 AS sent FROM json_each(${e.data}) WHERE key NOT IN (SELECT key FROM json_each(w.patch))
      UNION ALL SELECT key, fullkey, 1 FROM json_each(w.patch) WHERE type <> 'null') k)`,
  changed: sql`EXISTS (SELECT 1 FROM json_each(w.patch) p WHERE coalesce(${e.data} -> p.fullkey, 'null') <> (w.patch -> p.fullkey))`,
}

const sentUpdates = (writes: Value): SQL => sql`WITH w AS MATERIALIZED (
  SELECT value ->> 0 AS id, value ->> 1 AS kind, value ->> 2 AS change, value -> 3 AS patch FROM json_each(${writes}))`

type UpdateValues = { writes: string; orgId: string; actorId: string }

const recordUpdates = ({ changed }: Merge) =>
  prepared<UpdateValues & { actorType: string }>(
    ({ writes, orgId, actorId, actorType }) => sql`${sentUpdates(writes)} ${RECORD}
      SELECT w.change, ${orgId}, ${e.kind}, ${e.id}, 'update', ${clockOf(orgId)}, ${actorId}, ${actorType}, ${e.version} + 1, (
        SELECT json_group_object(p.key, json_object('oldValue', ${e.data} -> p.fullkey, 'newValue', w.patch -> p.fullkey))
        FROM json_each(w.patch) p WHERE coalesce(${e.data} -> p.fullkey, 'null') <> (w.patch -> p.fullkey))
      FROM w CROSS JOIN ${from(e)} ON ${e.id} = w.id
      WHERE w.change IS NOT NULL AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind AND ${changed}`,
  )

const updateEntities = ({ merged, changed }: Merge) =>
  prepared<UpdateValues>(
    ({ writes, orgId, actorId }) => sql`${sentUpdates(writes)} UPDATE ${from(e)} SET ${bare(entities.data)} = ${merged},
      ${bare(entities.version)} = ${e.version} + 1, ${bare(entities.updatedOn)} = ${clockOf(orgId)}, ${bare(entities.updatedById)} = ${actorId}
      FROM w WHERE ${e.id} = w.id AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind AND ${changed}`,
  )

const mergeWith = (merge: Merge) => ({ record: recordUpdates(merge), update: updateEntities(merge) })
const FLAT_MERGE = mergeWith(FLAT)
const NESTED_MERGE = mergeWith(NESTED)

function mergeStatements(
  { org, actor }: Scope,
  updates: Placed<UpdateWrite>[],
  { record, update }: typeof FLAT_MERGE,
): Statement[] {
  const sent = updates.map(write => {
    const { id, kind, json } = write
    return `[${JSON.stringify(id)},"${kind.name}",${JSON.stringify(changeId(write))},${json}]`
  })
  const values = { writes: `[${sent.join(',')}]`, orgId: org.id, actorId: actor.id }
  const updating = update(values)
  return updates.some(isRecorded) ? [record({ ...values, actorType: actor.type }), updating] : [updating]
}

const readUpdated = prepared<{ ids: string; orgId: string }, StoredRow>(
  ({ ids, orgId }) => sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.id} IN (SELECT value FROM json_each(${ids}))`,
)

export function updateStatements({ org, ...scope }: Scope, updates: Placed<UpdateWrite>[], returning: boolean) {
  const flat = updates.filter(write => isFlat(write.patch))
  const nested = updates.filter(write => !isFlat(write.patch))
  return [
    ...(flat.length ? mergeStatements({ org, ...scope }, flat, FLAT_MERGE) : []),
    ...(nested.length ? mergeStatements({ org, ...scope }, nested, NESTED_MERGE) : []),
    ...(returning ? [readUpdated({ ids: JSON.stringify(updates.map(write => write.id)), orgId: org.id })] : []),
  ]
}

const recordDeletes = prepared<{ writes: string; orgId: string; actorId: string; actorType: string }>(
  ({ writes, orgId, actorId, actorType }) => sql`${RECORD}
    SELECT w.value ->> 2, ${orgId}, ${e.kind}, ${e.id}, 'delete', ${clockOf(orgId)}, ${actorId}, ${actorType}, ${e.version} + 1, ${e.data}
    FROM json_each(${writes}) w CROSS JOIN ${from(e)} ON ${e.id} = w.value ->> 0
    WHERE w.value ->> 2 IS NOT NULL AND ${e.orgId} = ${orgId} AND ${e.kind} = w.value ->> 1`,
)

const deleteEntities = prepared<{ writes: string; orgId: string }>(
  ({ writes, orgId }) => sql`DELETE FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.id} IN (SELECT value ->> 0 FROM json_each(${writes}))`,
)

export function deleteStatements({ org, actor }: Scope, deletes: Placed<DeleteWrite>[]): Statement[] {
  const writes = JSON.stringify(deletes.map(write => [write.id, write.kind.name, changeId(write)]))
  return [
    recordDeletes({ writes, orgId: org.id, actorId: actor.id, actorType: actor.type }),
    deleteEntities({ writes, orgId: org.id }),
  ]
}
