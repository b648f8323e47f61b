// Statements of the search index: what is new, and how it is written.
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { slices } from '../../platform/db/json-slices.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { jobs } from '../../platform/db/schema/jobs.ts'
import { searchEntities, searchIndex, searchProgress } from '../../platform/db/schema/search.ts'
import {
  bare,
  columns,
  from,
  indexedBy,
  insertInto,
  named,
  prepared,
  type RowOf,
  withinBytes,
} from '../../platform/db/sql.ts'
import { SEARCH_PASS_MAX_BYTES } from '../../platform/search/limits.ts'

export type Progress = Omit<RowOf<typeof searchProgress>, 'orgId'>

const readProgress = prepared<{ orgId: string }, Progress>(
  ({
    orgId,
  }) => sql`SELECT ${columns(searchProgress, ['generation', 'rules', 'positions', 'time'])} FROM ${searchProgress}
    WHERE ${searchProgress.orgId} = ${orgId}`,
)
const readClock = prepared<{ orgId: string }, { time: number }>(
  ({ orgId }) => sql`SELECT ${columns(clocks, ['time'])} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}`,
)

const readLoading = prepared<{ orgId: string }, { isLoading: 0 | 1 }>(
  ({ orgId }) =>
    sql`SELECT EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.orgId} = ${orgId} AND ${jobs.lane} = 'load') AS "isLoading"`,
)

/** How far the index is, the time up to which commits are over (at the present moment there may be more), and whether a load is under way. */
export async function progressOf(db: Database, orgId: string) {
  const [progress, clock, loading] = await db.batch([
    readProgress({ orgId }),
    readClock({ orgId }),
    readLoading({ orgId }),
  ])
  return {
    progress: progress.results[0],
    clock: clock.results[0]?.time,
    isLoading: loading.results[0]?.isLoading === 1,
  }
}

const e = named(entities, 'e')
const s = named(searchEntities, 's')

export type NewRow = { seq: number; kind: string; version: number; updatedOn: number; data: string; bytes: number }

const readNew = prepared<{ orgId: string; positions: string; generation: number; max: number }, NewRow>(
  ({ orgId, positions, generation, max }) => {
    // Each type separately, in the order of the index: over all types a million new entities would be sorted for each pass.
    const ofOneType = sql`SELECT ${e.seq} AS seq, octet_length(${e.data}) AS size
      FROM ${from(e)} ${indexedBy(ENTITY_INDEX.updatedOn)}
      LEFT JOIN ${from(s)} ON ${s.seq} = ${e.seq} AND ${s.orgId} = ${orgId}
      WHERE ${e.orgId} = ${orgId} AND ${e.kind} = p.key AND ${e.updatedOn} >= p.value ->> 0
        AND (${e.updatedOn} > p.value ->> 0 OR ${e.seq} > p.value ->> 1)
        AND (${s.version} IS NOT ${e.version} OR ${s.generation} IS NOT ${generation})
      ORDER BY ${e.updatedOn}, ${e.seq} LIMIT ${max}`
    const rows = sql`SELECT n.value ->> 0 AS seq, n.value ->> 1 AS size FROM json_each(${positions}) p
      CROSS JOIN json_each((SELECT json_group_array(json_array(seq, size)) FROM (${ofOneType}))) n
      ORDER BY p.id, n.id LIMIT ${max}`
    return sql`SELECT ${columns(entities, ['seq', 'kind', 'version', 'updatedOn', 'data'])}, b.bytes
      FROM ${withinBytes(rows, SEARCH_PASS_MAX_BYTES)} b CROSS JOIN ${entities}
        ON ${entities.seq} = b.seq AND ${entities.orgId} = ${orgId}`
  },
)

/** Entities that the index does not know as they are, as many as one pass takes in. */
export async function newRows(
  db: Database,
  orgId: string,
  positions: string,
  generation: number,
  max: number,
): Promise<NewRow[]> {
  return db.all(readNew({ orgId, positions, generation, max }))
}

type Written = { orgId: string; generation: number; rows: string }

// Entities deleted meanwhile are left out: nothing would ever remove their words again.
const stillThere = sql`CROSS JOIN ${from(e)} ON ${e.seq} = r.value ->> 0`

const writeWords = prepared<Written>(
  ({ orgId, generation, rows }) => sql`${insertInto(searchEntities, ['seq', 'orgId', 'version', 'generation', 'words'])}
    SELECT r.value ->> 0, ${orgId}, r.value ->> 1, ${generation}, r.value ->> 2 FROM json_each(${rows}) r ${stillThere}
    WHERE ${e.orgId} = ${orgId}
    ON CONFLICT (${bare(searchEntities.seq)}) DO UPDATE SET ${bare(searchEntities.version)} = excluded.${bare(searchEntities.version)},
      ${bare(searchEntities.generation)} = excluded.${bare(searchEntities.generation)},
      ${bare(searchEntities.words)} = excluded.${bare(searchEntities.words)}`,
)

const writeTerms = prepared<{ orgId: string; rows: string }>(
  ({ orgId, rows }) => sql`INSERT OR REPLACE INTO ${searchIndex} (rowid, ${sql.identifier('terms')})
    SELECT r.value ->> 0, (SELECT group_concat((r.value ->> 3) || w.value || (r.value ->> 4), ' ') FROM json_each(r.value, '$[2]') w)
    FROM json_each(${rows}) r ${stillThere} WHERE ${e.orgId} = ${orgId}`,
)

// Of an organization that was deleted meanwhile nothing may be left.
const writeProgress = prepared<{ orgId: string; generation: number; rules: number; positions: string; time: number }>(
  ({ orgId, generation, rules, positions, time }) => sql`
    ${insertInto(searchProgress, ['orgId', 'generation', 'rules', 'positions', 'time'])}
    SELECT ${orgId}, ${generation}, ${rules}, ${positions}, ${time} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}
    ON CONFLICT (${bare(searchProgress.orgId)}) DO UPDATE SET ${bare(searchProgress.rules)} = excluded.${bare(searchProgress.rules)},
      ${bare(searchProgress.generation)} = excluded.${bare(searchProgress.generation)},
      ${bare(searchProgress.positions)} = excluded.${bare(searchProgress.positions)}, ${bare(searchProgress.time)} = excluded.${bare(searchProgress.time)}
    WHERE ${searchProgress.generation} <= excluded.${bare(searchProgress.generation)}`,
)

/** With what stands before and behind each word in its term. */
export type WordRow = [seq: number, version: number, words: string[], before: string, behind: string]

/** The words of entities and how far the index is by them, in one transaction. */
export async function writeIndex(
  db: Database,
  orgId: string,
  rows: readonly WordRow[],
  progress: Progress,
): Promise<void> {
  const { generation } = progress
  await db.batch([
    ...slices(rows).flatMap(part => [writeWords({ orgId, generation, rows: part }), writeTerms({ orgId, rows: part })]),
    writeProgress({ orgId, ...progress }),
  ])
}

const beginAnew = prepared<{ orgId: string }>(
  ({ orgId }) => sql`UPDATE ${searchProgress} SET ${bare(searchProgress.generation)} = ${searchProgress.generation} + 1,
    ${bare(searchProgress.positions)} = '{}', ${bare(searchProgress.time)} = 0 WHERE ${searchProgress.orgId} = ${orgId}`,
)

export async function forgetProgress(db: Database, orgId: string): Promise<void> {
  await db.batch([beginAnew({ orgId })])
}

const BEHIND_AT_ONCE = sql.raw('1000')

const readBehind = prepared<{ rules: number }, { orgId: string }>(
  ({ rules }) => sql`SELECT ${columns(clocks, ['orgId'])} FROM ${clocks}
    LEFT JOIN ${searchProgress} ON ${searchProgress.orgId} = ${clocks.orgId}
    WHERE ${clocks.state} = 'open' AND (${searchProgress.time} IS NULL OR ${searchProgress.time} <> ${clocks.time}
      OR ${searchProgress.rules} <> ${rules}) LIMIT ${BEHIND_AT_ONCE}`,
)

export async function organizationsBehind(db: Database, rules: number): Promise<string[]> {
  return (await db.all(readBehind({ rules }))).map(({ orgId }) => orgId)
}
