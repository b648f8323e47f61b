// Reads entities. Every function is one round trip, relations included.

import type { Database, Statement } from '../../platform/db/client.ts'
import { type Entity, type EntityRow, entityOf, ROW_COLUMNS } from '../../platform/db/row.ts'
import { Binder } from '../../platform/db/sql.ts'
import type { Kind } from '../../platform/kind.ts'
import { PAGE_MAX_BYTES, RELATED_MAX_BYTES } from '../../platform/limits.ts'
import { boundedSql, type ListQuery, type Position, pageSql, windowEndStatement } from './list-sql.ts'
import { Attachment, type Relation, relationSql, tooMuch } from './relations.ts'

type PageRow = EntityRow & { seq: number; k: string | number | null; bytes: number }
/** About what the common fields of an entity take in an answer. */
const ROW_BYTES = 300

type WriteSql = (binder: Binder) => string

function statementOf(write: WriteSql): Statement {
  const binder = new Binder()
  return { sql: write(binder), params: binder.params }
}

export async function readEntity(
  db: Database,
  orgId: string,
  kind: Kind,
  id: string,
  relations: readonly Relation[],
): Promise<Entity | undefined> {
  const one: WriteSql = ({ bind }) =>
    `SELECT ${ROW_COLUMNS} FROM entities WHERE id = ${bind(id)} AND org_id = ${bind(orgId)} AND kind = ${bind(kind.name)}`
  const { entities } = await readWith(db, orgId, one, relations, [])
  return entities[0]
}

export interface Page {
  entities: Entity[]
  /** Where the next page begins; undefined at the end. */
  next: Position | undefined
  /** It ended before it was full, although more may fit (N71). */
  isPartial: boolean
}

export async function readPage(db: Database, query: ListQuery, relations: readonly Relation[]): Promise<Page> {
  const windowEnd = windowEndStatement(query)
  const page: WriteSql = binder => boundedSql(pageSql({ ...query, limit: query.limit + 1 }, binder), PAGE_MAX_BYTES)
  const { entities, rows, rest } = await readWith(db, query.orgId, page, relations, windowEnd ? [windowEnd] : [])
  const isFull = rows.length > query.limit
  const cut = rows.at(-1)
  const isCut = cut && cut.bytes >= PAGE_MAX_BYTES
  const last = isFull ? rows[query.limit - 1] : isCut ? cut : (rest[0] as unknown as PageRow | undefined)
  return {
    entities: entities.slice(0, query.limit),
    next: last && { value: last.k, seq: last.seq },
    isPartial: last !== undefined && rows.length < query.limit,
  }
}

async function readWith(
  db: Database,
  orgId: string,
  page: WriteSql,
  relations: readonly Relation[],
  more: Statement[],
): Promise<{ entities: Entity[]; rows: PageRow[]; rest: Record<string, unknown>[] }> {
  const related = relations.map(relation =>
    statementOf(binder =>
      boundedSql(
        `SELECT seq, NULL AS k, data FROM (${relationSql(relation, page(binder), orgId, binder)})`,
        RELATED_MAX_BYTES,
      ),
    ),
  )
  const [first, ...others] = await db.batch([statementOf(page), ...related, ...more])
  const rows = (first?.results ?? []) as unknown as PageRow[]
  const found = new Map(
    relations.map((relation, at) => [relation, byId((others[at]?.results ?? []) as unknown as PageRow[])] as const),
  )
  const attachment = new Attachment(relations, found)
  return {
    entities: rows.map(row => attachment.attach(entityOf(row))),
    rows,
    rest: others.slice(relations.length).flatMap(result => result.results ?? []),
  }
}

function byId(rows: PageRow[]): Map<string, { entity: Entity; bytes: number }> {
  if ((rows.at(-1)?.bytes ?? 0) >= RELATED_MAX_BYTES) throw tooMuch()
  return new Map(rows.map(row => [row.id, { entity: entityOf(row), bytes: row.data.length + ROW_BYTES }]))
}

/** Ids of entities by `scope\nfederatedId`. */
export async function findFederated(
  db: Database,
  orgId: string,
  keys: readonly (readonly [scope: string, federatedId: string])[],
): Promise<Map<string, string>> {
  const rows = await db.all({
    sql: `SELECT e.id, k.value ->> 0 AS scope, k.value ->> 1 AS federated_id FROM json_each(?1) k
      CROSS JOIN entities e INDEXED BY entities_federated
        ON e.org_id = ?2 AND e.federated_scope = k.value ->> 0 AND e.federated_id = k.value ->> 1`,
    params: [JSON.stringify(keys), orgId],
  })
  return new Map(rows.map(row => [`${row.scope}\n${row.federated_id}`, String(row.id)]))
}
