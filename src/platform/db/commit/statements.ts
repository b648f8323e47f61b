// Creates, updates and deletes: rows come as one JSON value, change records are made from what is stored.
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import { type EntityRow, rowColumns, type StoredRow } from '../row.ts'
import { changes, ENTITY_INDEX, entities, unrecordedChanges } from '../schema/entities.ts'
import { bare, from, indexedBy, insertInto, named, prepared, type Statement } from '../sql.ts'
import { clockOf } from './clock.ts'
import {
  type CreateWrite,
  type DeleteWrite,
  isFlat,
  isKeptAside,
  isRecorded,
  type Placed,
  type UpdateWrite,
  type Write,
} from './write.ts'

export type Scope = Pick<Context, 'db' | 'org' | 'actor' | 'now' | 'chainDepth'>

type Value = Parameters<typeof sql>[1]

const e = named(entities, 'e')

const RECORD_NAMES = [
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
  'chainDepth',
] as const

/** The history, and what is kept beside it. */
const RECORD = insertInto(changes, RECORD_NAMES)
const KEEP_ASIDE = insertInto(unrecordedChanges, RECORD_NAMES)

const ENTITY_NAMES = [
  'id',
  'orgId',
  'kind',
  'version',
  'createdOn',
  'updatedOn',
  'createdById',
  'updatedById',
  'data',
] as const

const insertEntities = prepared<RowsValues>(
  ({ rows, orgId, kind, actorId }) => sql`
    ${insertInto(entities, ENTITY_NAMES)}
    SELECT key, ${orgId}, ${kind}, 1, ${clockOf(orgId)}, ${clockOf(orgId)}, ${actorId}, ${actorId}, value FROM json_each(${rows})`,
)

type RowsValues = { rows: string; orgId: string; kind: string; actorId: string }

const insertReturned = prepared<RowsValues>(
  ({ rows, orgId, kind, actorId }) => sql`
    ${insertInto(entities, ENTITY_NAMES)}
    SELECT value ->> 0, ${orgId}, ${kind}, value ->> 1, ${clockOf(orgId)}, ${clockOf(orgId)}, ${actorId}, ${actorId}, value -> 2
    FROM json_each(${rows})`,
)

/** Who a record names. */
type Maker = { actorId: string; actorType: string; depth: number | null }

const makerOf = ({ actor, chainDepth }: Scope): Maker => ({
  actorId: actor.id,
  actorType: actor.type,
  depth: chainDepth ?? null,
})

const recordCreatesIn = (record: SQL) =>
  prepared<{ ids: string; orgId: string } & Maker>(
    ({ ids, orgId, actorId, actorType, depth }) => sql`${record}
    SELECT w.key, ${e.orgId}, ${e.kind}, ${e.id}, 'create', ${e.createdOn}, ${actorId}, ${actorType}, ${e.version}, ${e.data}, ${depth}
    FROM json_each(${ids}) w CROSS JOIN ${from(e)} ON ${e.id} = w.value AND ${e.orgId} = ${orgId}`,
  )

const recordCreates = recordCreatesIn(RECORD)
const keepCreatesAside = recordCreatesIn(KEEP_ASIDE)

const changeId = (write: Write) => (isRecorded(write) || isKeptAside(write) ? newId() : null)

/** The rows travel once, by id: what is recorded of them is taken from the table. */
export function createStatements(scope: Scope, creates: Placed<CreateWrite>[]): Statement[] {
  const { org, actor } = scope
  const by = { orgId: org.id, actorId: actor.id }
  const made = { orgId: org.id, ...makerOf(scope) }
  const inserts = [...new Set(creates.map(write => write.kind))].flatMap(kind => {
    const ofKind = creates.filter(write => write.kind === kind)
    const fresh = ofKind.filter(({ version }) => version === undefined).map(({ id, json }): Entry => [id, json])
    const returned = ofKind
      .filter(({ version }) => version !== undefined)
      .map(({ id, version, json }) => `[${JSON.stringify(id)},${version},${json}]`)
    return [
      ...(fresh.length ? [insertEntities({ rows: objectOf(fresh), kind: kind.name, ...by })] : []),
      ...(returned.length ? [insertReturned({ rows: `[${returned.join(',')}]`, kind: kind.name, ...by })] : []),
    ]
  })
  const idsOf = (writes: Placed<CreateWrite>[]) =>
    objectOf(writes.map((write): Entry => [newId(), JSON.stringify(write.id)]))
  const [recorded, aside] = [creates.filter(isRecorded), creates.filter(isKeptAside)]
  return [
    ...inserts,
    ...(recorded.length ? [recordCreates({ ids: idsOf(recorded), ...made })] : []),
    ...(aside.length ? [keepCreatesAside({ ids: idsOf(aside), ...made })] : []),
  ]
}

/** What they have stored, at the time that the clock gave: nothing has to come back. */
export function createdRow({ org, actor }: Scope, write: Placed<CreateWrite>, time: number): EntityRow {
  const { id, kind, json, version = 1 } = write
  return {
    id,
    orgId: org.id,
    kind: kind.name,
    version,
    createdOn: time,
    updatedOn: time,
    createdById: actor.id,
    updatedById: actor.id,
    data: json,
  }
}

type Entry = [key: string, json: string]

/** Of values that are JSON already. */
function objectOf(entries: Entry[]): string {
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

const recordUpdates = ({ changed }: Merge, record: SQL) =>
  prepared<UpdateValues & Maker>(
    ({ writes, orgId, actorId, actorType, depth }) => sql`${sentUpdates(writes)} ${record}
      SELECT w.change, ${orgId}, ${e.kind}, ${e.id}, 'update', ${clockOf(orgId)}, ${actorId}, ${actorType}, ${e.version} + 1, (
        SELECT json_group_object(p.key, json_object('oldValue', ${e.data} -> p.fullkey, 'newValue', w.patch -> p.fullkey))
        FROM json_each(w.patch) p WHERE coalesce(${e.data} -> p.fullkey, 'null') <> (w.patch -> p.fullkey)), ${depth}
      FROM w CROSS JOIN ${from(e)} ON ${e.id} = w.id
      WHERE w.change IS NOT NULL AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind AND ${changed}`,
  )

const updateEntities = ({ merged, changed }: Merge) =>
  prepared<UpdateValues>(
    ({ writes, orgId, actorId }) => sql`${sentUpdates(writes)} UPDATE ${from(e)} SET ${bare(entities.data)} = ${merged},
      ${bare(entities.version)} = ${e.version} + 1, ${bare(entities.updatedOn)} = ${clockOf(orgId)}, ${bare(entities.updatedById)} = ${actorId}
      FROM w WHERE ${e.id} = w.id AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind AND ${changed}`,
  )

const mergeWith = (merge: Merge) => ({
  record: recordUpdates(merge, RECORD),
  keepAside: recordUpdates(merge, KEEP_ASIDE),
  update: updateEntities(merge),
})
const FLAT_MERGE = mergeWith(FLAT)
const NESTED_MERGE = mergeWith(NESTED)

function mergeStatements(
  scope: Scope,
  updates: Placed<UpdateWrite>[],
  { record, keepAside, update }: typeof FLAT_MERGE,
): Statement[] {
  if (updates.length === 0) return []
  const sent = updates.map(write => {
    const { id, kind, json } = write
    return `[${JSON.stringify(id)},"${kind.name}",${JSON.stringify(changeId(write))},${json}]`
  })
  const values = { writes: `[${sent.join(',')}]`, orgId: scope.org.id, actorId: scope.actor.id }
  const noted = { ...values, ...makerOf(scope) }
  return [
    ...(updates.some(isRecorded) ? [record(noted)] : updates.some(isKeptAside) ? [keepAside(noted)] : []),
    update(values),
  ]
}

const readUpdated = prepared<{ ids: string; orgId: string }, StoredRow>(
  ({ ids, orgId }) => sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.id} IN (SELECT value FROM json_each(${ids}))`,
)

export function updateStatements({ org, ...scope }: Scope, updates: Placed<UpdateWrite>[], returning: boolean) {
  const merged = (some: Placed<UpdateWrite>[]) => [
    ...mergeStatements(
      { org, ...scope },
      some.filter(write => isFlat(write.patch)),
      FLAT_MERGE,
    ),
    ...mergeStatements(
      { org, ...scope },
      some.filter(write => !isFlat(write.patch)),
      NESTED_MERGE,
    ),
  ]
  return [
    ...merged(updates.filter(write => !isKeptAside(write))),
    ...merged(updates.filter(isKeptAside)),
    ...(returning ? [readUpdated({ ids: JSON.stringify(updates.map(write => write.id)), orgId: org.id })] : []),
  ]
}

const recordDeletesIn = (record: SQL) =>
  prepared<{ writes: string; orgId: string } & Maker>(
    ({ writes, orgId, actorId, actorType, depth }) => sql`${record}
    SELECT w.value ->> 2, ${orgId}, ${e.kind}, ${e.id}, 'delete', ${clockOf(orgId)}, ${actorId}, ${actorType}, ${e.version} + 1, ${e.data}, ${depth}
    FROM json_each(${writes}) w CROSS JOIN ${from(e)} ON ${e.id} = w.value ->> 0
    WHERE w.value ->> 2 IS NOT NULL AND ${e.orgId} = ${orgId} AND ${e.kind} = w.value ->> 1`,
  )

const recordDeletes = recordDeletesIn(RECORD)
const keepDeletesAside = recordDeletesIn(KEEP_ASIDE)

const deleteEntities = prepared<{ writes: string; orgId: string }>(
  ({ writes, orgId }) => sql`DELETE FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.id} IN (SELECT value ->> 0 FROM json_each(${writes}))`,
)

export function deleteStatements(scope: Scope, deletes: Placed<DeleteWrite>[]): Statement[] {
  const sent = (writes: Placed<DeleteWrite>[]) =>
    JSON.stringify(writes.map(write => [write.id, write.kind.name, changeId(write)]))
  const by = { orgId: scope.org.id, ...makerOf(scope) }
  const [recorded, aside] = [deletes.filter(write => !isKeptAside(write)), deletes.filter(isKeptAside)]
  return [
    ...(recorded.length ? [recordDeletes({ writes: sent(recorded), ...by })] : []),
    ...(aside.length ? [keepDeletesAside({ writes: sent(aside), ...by })] : []),
    deleteEntities({ writes: sent(deletes), orgId: scope.org.id }),
  ]
}
