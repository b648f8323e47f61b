// What two databases have of a table, compared by blocks of positions along an index: how many rows, at which positions, with which
// stamps. Only blocks that differ are looked at row by row.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { ENTITY_INDEX, entities } from '../../../platform/db/schema/entities.ts'
import { indexedBy, statement, unionOf } from '../../../platform/db/sql.ts'
import { allKinds } from '../../../platform/kind.ts'
import { type Place, SLICE_ROWS } from './rows.ts'
import { LATE, type Large } from './tables.ts'

const BLOCK = 4096
/** A prime below 2^20: sums of a block's products stay exact. */
const MODULUS = 1_048_573

export interface Block {
  block: number
  rows: number
  places: number
  stamps: number
}

export async function readBlocks(db: Database, { table, isOf, blocks }: Large, orgId: string): Promise<Block[]> {
  const { seq, stamp, index } = blocks
  const place = sql`(${seq} % ${sql.raw(String(BLOCK))} + 1)`
  return db.all(
    statement(
      sql<Block>`SELECT ${seq} / ${sql.raw(String(BLOCK))} AS block, count(*) AS rows, sum(${place}) AS places,
        sum(${place} * ((${stamp}) % ${sql.raw(String(MODULUS))})) AS stamps
        FROM ${table} ${index} WHERE ${isOf(orgId)} GROUP BY 1 ORDER BY 1`,
    ),
  )
}

export const rowsIn = (blocks: readonly Block[]) => blocks.reduce((sum, { rows }) => sum + rows, 0)

const textOf = ({ rows, places, stamps }: Block) => `${rows} ${places} ${stamps}`

/** Blocks that are not the same in both. */
export function differing(ones: readonly Block[], others: readonly Block[]): number[] {
  const texts = new Map(others.map(block => [block.block, textOf(block)]))
  const changed = ones.flatMap(block => {
    const isSame = texts.get(block.block) === textOf(block)
    texts.delete(block.block)
    return isSame ? [] : [block.block]
  })
  return [...changed, ...texts.keys()].sort((a, b) => a - b)
}

interface Stamped {
  seq: number
  stamp: number
}

async function stampsIn(db: Database, { table, isOf, blocks }: Large, orgId: string, block: number) {
  const { seq, stamp } = blocks
  const found = await db.all(
    statement(
      sql<Stamped>`SELECT ${seq} AS seq, ${stamp} AS stamp FROM ${table} WHERE ${isOf(orgId)}
        AND ${seq} >= ${block * BLOCK} AND ${seq} < ${(block + 1) * BLOCK}`,
    ),
  )
  return new Map(found.map(row => [row.seq, row.stamp]))
}

/** Positions of a block whose rows must be copied, and those whose rows must go. */
export async function changedIn(source: Database, target: Database, large: Large, orgId: string, block: number) {
  const [there, here] = await Promise.all([
    stampsIn(source, large, orgId, block),
    stampsIn(target, large, orgId, block),
  ])
  const copied = [...there].flatMap(([seq, stamp]) => (here.get(seq) === stamp ? [] : [seq]))
  const gone = [...here.keys()].filter(seq => !there.has(seq))
  return { copied, gone }
}

/** Both times belong to it: two commits may have the same. */
export interface Span {
  since: number
  upTo: number
}

export interface Recent {
  time: number
  seq: number
}

/** The next entities that were written within a span, in order of time and position. */
export function entitiesWithin(
  db: Database,
  orgId: string,
  { since, upTo }: Span,
  after: Place | null,
): Promise<Recent[]> {
  const { kind, updatedOn, seq } = entities
  const [time, place] = after ?? [since, -1]
  const inOrder = sql`ORDER BY 1, 2 LIMIT ${SLICE_ROWS}`
  const ofKinds = allKinds().map(
    ({ name }) => sql`SELECT * FROM (SELECT ${updatedOn} AS time, ${seq} AS seq
      FROM ${entities} ${indexedBy(ENTITY_INDEX.updatedOn)} WHERE ${entities.orgId} = ${orgId} AND ${kind} = ${name}
        AND (${updatedOn}, ${seq}) > (${time}, ${place}) AND ${updatedOn} <= ${upTo} ${inOrder})`,
  )
  return db.all(statement(sql<Recent>`SELECT * FROM (${unionOf(ofKinds)}) ${inOrder}`))
}

/** What loads under way have noted, counted up to a bound. */
export async function countLate(db: Database, orgId: string, most: number): Promise<number> {
  const counts = LATE.map(({ table, isOf }) =>
    statement(
      sql<{ rows: number }>`SELECT count(*) AS rows FROM (SELECT 1 FROM ${table} WHERE ${isOf(orgId)} LIMIT ${most})`,
    ),
  )
  const found = await db.batch(counts)
  return found.reduce((sum, { results }) => sum + (results[0]?.rows ?? 0), 0)
}
