// The summaries of an assortment and of the composites above it (N33).
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { from, indexedBy, named, prepared } from '../../platform/db/sql.ts'

const a = named(entities, 'a')
const e = named(entities, 'e')
const i = named(entities, 'i')
const o = named(entities, 'o')

const selectAbove = prepared<{ orgId: string; assortmentId: string; limit: number }, { id: string; version: number }>(
  ({ orgId, assortmentId, limit }) => {
    const isStored = sql`${a.orgId} = ${orgId} AND ${a.kind} = 'assortment'`
    return sql`WITH RECURSIVE parts(whole, part) AS MATERIALIZED (
        SELECT ${a.id}, m.value FROM ${from(a)}, json_each(${a.data}, '$.memberAssortmentIds') m WHERE ${isStored}),
      up(id) AS (SELECT ${assortmentId} UNION SELECT p.whole FROM up CROSS JOIN parts p ON p.part = up.id LIMIT ${limit})
      SELECT ${a.id}, ${a.version} FROM up CROSS JOIN ${from(a)} ON ${a.id} = up.id AND ${isStored}`
  },
)

/** The assortment, and the composites that contain it, directly or through others, up to the limit. */
export function assortmentsAbove(db: Database, orgId: string, assortmentId: string, limit: number) {
  return db.all(selectAbove({ orgId, assortmentId, limit }))
}

export interface Summary {
  itemCount: number
  familyCount: number
  optionCount: number
}

const hasRole = (role: 'family' | 'option') =>
  sql`EXISTS (SELECT 1 FROM json_each(${i.data}, '$.roles') r WHERE r.value = ${sql.raw(`'${role}'`)})`

/** An item with a family is an option, and its family is a family (N73), regardless of their roles. */
const selectSummaries = prepared<{ orgId: string; ids: string }, Summary & { id: string }>(({ orgId, ids }) => {
  const isNamed = sql`EXISTS (SELECT 1 FROM ${from(o)} ${indexedBy(ENTITY_INDEX.itemFamilyId)}
    WHERE ${o.orgId} = ${orgId} AND ${o.kind} = 'item' AND ${o.itemFamilyId} = m.item)`
  return sql`WITH RECURSIVE down(top, id) AS (
      SELECT value, value FROM json_each(${ids}) UNION SELECT down.top, m.value FROM down
        CROSS JOIN ${from(a)} ON ${a.id} = down.id AND ${a.orgId} = ${orgId} AND ${a.kind} = 'assortment',
        json_each(${a.data}, '$.memberAssortmentIds') m),
    members AS MATERIALIZED (SELECT DISTINCT down.top AS top, ${e.itemId} AS item FROM down
      CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.assortmentId)}
      ON ${e.orgId} = ${orgId} AND ${e.kind} = 'assortment-item' AND ${e.assortmentId} = down.id)
    SELECT m.top AS id, count(*) AS "itemCount",
      sum(${i.itemFamilyId} IS NULL AND (${hasRole('family')} OR ${isNamed})) AS "familyCount",
      sum(${i.itemFamilyId} IS NOT NULL OR ${hasRole('option')}) AS "optionCount"
    FROM members m LEFT JOIN ${from(i)} ON ${i.id} = m.item AND ${i.orgId} = ${orgId} GROUP BY m.top`
})

/** Assortments that one statement adds up. */
const AT_ONCE = 25

/** Over each assortment's own members and those of the assortments it is made of; an item counts once. */
export async function summariesOf(
  db: Database,
  orgId: string,
  ids: readonly string[],
): Promise<(id: string) => Summary> {
  const found = new Map<string, Summary>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = JSON.stringify(ids.slice(at, at + AT_ONCE))
    for (const { id, ...summary } of await db.all(selectSummaries({ orgId, ids: some }))) found.set(id, summary)
  }
  return id => found.get(id) ?? { itemCount: 0, familyCount: 0, optionCount: 0 }
}
