// Reads the entities of a type path and of the paths below it, part by part.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { columns, from, indexedBy, named, prepared, withinBytes } from '../../platform/db/sql.ts'
import { PAGE_MAX_BYTES } from '../../platform/limits.ts'

export interface TypedRow {
  id: string
  seq: number
  typePath: string
  name: string | null
  data: string
}

type Values = { orgId: string; kind: string; path: string; afterPath: string; afterSeq: number; limit: number }

const e = named(entities, 'e')
const x = named(entities, 'x')

/** `:` and `;` stand side by side, so that what is below a path is a range; `item:shoe-2` is not below `item:shoe`. */
export const readBelow = prepared<Values, TypedRow & { bytes: number }>(
  ({ orgId, kind, path, afterPath, afterSeq, limit }) => {
    const found = sql`SELECT ${e.seq}, octet_length(${e.data}) AS size FROM ${from(e)} ${indexedBy(ENTITY_INDEX.typePath)}
      WHERE ${e.orgId} = ${orgId} AND ${e.kind} = ${kind} AND ${e.typePath} < ${path} || ';'
        AND (${e.typePath}, ${e.seq}) > (${afterPath}, ${afterSeq}) AND (${e.typePath} = ${path} OR ${e.typePath} > ${path} || ':')
      ORDER BY ${e.typePath}, ${e.seq} LIMIT ${limit}`
    return sql`SELECT ${columns(x, ['id', 'seq', 'typePath', 'name', 'data'])}, b.bytes
      FROM ${withinBytes(found, PAGE_MAX_BYTES)} b CROSS JOIN ${from(x)}
        ON ${x.seq} = b.seq AND ${x.orgId} = ${orgId}`
  },
)

export interface Below {
  kind: string
  path: string
  after?: readonly [typePath: string, seq: number] | undefined
}

/** What fits into one answer, and whether that is all. */
export async function entitiesBelow(
  db: Database,
  orgId: string,
  { kind, path, after = [path, 0] }: Below,
  limit: number,
): Promise<{ rows: TypedRow[]; isAll: boolean }> {
  const [afterPath, afterSeq] = after
  const rows = await db.all(readBelow({ orgId, kind, path, afterPath, afterSeq, limit }))
  const isCut = rows.length === limit || (rows.at(-1)?.bytes ?? 0) >= PAGE_MAX_BYTES
  return { rows, isAll: !isCut }
}
