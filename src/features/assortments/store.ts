// Publish records, what they list, and the summaries they bring up to date (N33).
import type { Context } from '../../platform/context.ts'
import type { Database, Statement } from '../../platform/db/client.ts'

export interface PublishFiles {
  adds: string
  updates: string
  deletes: string
  /** The members before. */
  baseline: string
  /** The members after: what the next publish by hand is measured by. */
  members: string
}

export interface Publish {
  id: string
  assortmentId: string
  createdOn: number
  createdById: string
  createdByType: string
  adds: number
  updates: number
  deletes: number
  files: PublishFiles
}

export interface MemberLine {
  id: string
  itemId: string
  itemFederatedId: string | null
  projectItemId: string | null
  version: number
}

/** The members of an assortment in pages, oldest first. */
export async function* memberPages(
  db: Database,
  orgId: string,
  assortmentId: string,
  limit = 1000,
): AsyncGenerator<MemberLine[]> {
  for (let after = 0; ; ) {
    const rows = await db.all({
      sql: `SELECT e.seq, e.id, e.item_id, e.project_item_id, e.version, i.federated_id
        FROM entities e INDEXED BY entities_assortment_id LEFT JOIN entities i ON i.id = e.item_id
        WHERE e.org_id = ?1 AND e.kind = 'assortment-item' AND e.assortment_id = ?2 AND e.seq > ?3 ORDER BY e.seq LIMIT ?4`,
      params: [orgId, assortmentId, after, limit],
    })
    yield rows.map(row => ({
      id: String(row.id),
      itemId: String(row.item_id),
      itemFederatedId: row.federated_id === null ? null : String(row.federated_id),
      projectItemId: row.project_item_id === null ? null : String(row.project_item_id),
      version: Number(row.version),
    }))
    if (rows.length < limit) return
    after = Number(rows.at(-1)?.seq)
  }
}

export interface ChangeLine {
  itemId: string
  itemFederatedId: string | null
}

/** What a load has done to the members of an assortment, in pages. */
export async function* changePages(
  db: Database,
  loadId: string,
  assortmentId: string,
  change: string,
  limit = 1000,
): AsyncGenerator<ChangeLine[]> {
  for (let after = ''; ; ) {
    const rows = await db.all({
      sql: `SELECT m.item_id, i.federated_id FROM load_members m LEFT JOIN entities i ON i.id = m.item_id
        WHERE m.load_id = ?1 AND m.assortment_id = ?2 AND m.item_id > ?3 AND m.change = ?4 ORDER BY m.item_id LIMIT ?5`,
      params: [loadId, assortmentId, after, change, limit],
    })
    yield rows.map(row => ({
      itemId: String(row.item_id),
      itemFederatedId: row.federated_id === null ? null : String(row.federated_id),
    }))
    if (rows.length < limit) return
    after = String(rows.at(-1)?.item_id)
  }
}

/** The assortment, and the composites that contain it, directly or through others. */
export async function assortmentsAbove(db: Database, orgId: string, assortmentId: string): Promise<string[]> {
  const rows = await db.all({
    sql: `WITH RECURSIVE up(id) AS (
        SELECT ?2 UNION SELECT a.id FROM up, entities a, json_each(a.data, '$.memberAssortmentIds') m
        WHERE a.org_id = ?1 AND a.kind = 'assortment' AND m.value = up.id)
      SELECT id FROM up LIMIT 1000`,
    params: [orgId, assortmentId],
  })
  return rows.map(row => String(row.id))
}

/** Begins the message of a write that would make an assortment contain itself. */
export const CYCLE = 'assortment cycle '

/** Steps from composite to member that one check follows, and those of them that its message may hold. */
const FOLLOWED_MAX = 100_000
const NAMED_MAX = 200

/** Fails where one of the composites reaches itself: with its place among the writes and the steps taken, nearest first. */
export function noCycles(orgId: string, composites: readonly (readonly [index: number, id: string])[]): Statement {
  return {
    sql: `WITH RECURSIVE steps(n, start, id, via) AS (
        SELECT w.value ->> 0, a.id, m.value, a.id FROM json_each(?2) w CROSS JOIN entities a ON a.id = w.value ->> 1 AND a.org_id = ?1,
          json_each(a.data, '$.memberAssortmentIds') m
        UNION SELECT s.n, s.start, m.value, a.id FROM steps s CROSS JOIN entities a ON a.id = s.id AND a.org_id = ?1 AND a.kind = 'assortment',
          json_each(a.data, '$.memberAssortmentIds') m LIMIT ${FOLLOWED_MAX})
      SELECT json_extract('{}', '${CYCLE}' || c.n || ' ' || c.start || ' ' || (SELECT group_concat(via || '>' || id, ' ')
        FROM (SELECT via, id FROM steps s WHERE s.n = c.n LIMIT ${NAMED_MAX})))
      FROM (SELECT n, start FROM steps WHERE id = start LIMIT 1) c`,
    params: [orgId, JSON.stringify(composites)],
  }
}

export interface Summary {
  itemCount: number
  familyCount: number
  optionCount: number
}

/** Over the assortment's own members and those of the assortments it is made of; an item counts once. */
export async function summaryOf(db: Database, orgId: string, assortmentId: string): Promise<Summary> {
  const [row] = await db.all({
    sql: `WITH RECURSIVE down(id) AS (
        SELECT ?2 UNION SELECT m.value FROM down CROSS JOIN entities a ON a.id = down.id AND a.org_id = ?1 AND a.kind = 'assortment',
          json_each(a.data, '$.memberAssortmentIds') m),
      members AS MATERIALIZED (SELECT DISTINCT e.item_id FROM down CROSS JOIN entities e INDEXED BY entities_assortment_id
        ON e.org_id = ?1 AND e.kind = 'assortment-item' AND e.assortment_id = down.id)
      SELECT count(*) AS items,
        coalesce(sum(EXISTS (SELECT 1 FROM json_each(i.data, '$.roles') r WHERE r.value = 'family')), 0) AS families,
        coalesce(sum(EXISTS (SELECT 1 FROM json_each(i.data, '$.roles') r WHERE r.value = 'option')), 0) AS options
      FROM members m LEFT JOIN entities i ON i.id = m.item_id`,
    params: [orgId, assortmentId],
  })
  return { itemCount: Number(row?.items), familyCount: Number(row?.families), optionCount: Number(row?.options) }
}

export function insertPublish({ org, actor }: Pick<Context, 'org' | 'actor'>, publish: Publish): Statement {
  const { id, assortmentId, createdOn, adds, updates, deletes, files } = publish
  return {
    sql: `INSERT INTO publishes (id, org_id, assortment_id, created_on, created_by_id, created_by_type, adds, updates, deletes, files)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
    params: [id, org.id, assortmentId, createdOn, actor.id, actor.type, adds, updates, deletes, JSON.stringify(files)],
  }
}

const PUBLISH = 'SELECT * FROM publishes WHERE org_id = ?1 AND assortment_id = ?2'

export async function readPublish(
  db: Database,
  orgId: string,
  assortmentId: string,
  by: { id: string } | { addsFileId: string },
): Promise<Publish | undefined> {
  const [test, value] = 'id' in by ? ['id = ?3', by.id] : [`files ->> '$.adds' = ?3`, by.addsFileId]
  const [row] = await db.all({ sql: `${PUBLISH} AND ${test}`, params: [orgId, assortmentId, value] })
  return row && publishOf(row)
}

export async function lastPublish(db: Database, orgId: string, assortmentId: string): Promise<Publish | undefined> {
  const [row] = await db.all({ sql: `${PUBLISH} ORDER BY seq DESC LIMIT 1`, params: [orgId, assortmentId] })
  return row && publishOf(row)
}

function publishOf(row: Record<string, unknown>): Publish {
  return {
    id: String(row.id),
    assortmentId: String(row.assortment_id),
    createdOn: Number(row.created_on),
    createdById: String(row.created_by_id),
    createdByType: String(row.created_by_type),
    adds: Number(row.adds),
    updates: Number(row.updates),
    deletes: Number(row.deletes),
    files: JSON.parse(String(row.files)) as PublishFiles,
  }
}
