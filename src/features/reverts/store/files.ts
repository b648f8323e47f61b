// What a revert reads of records that are in files (N58): it takes them back like any others.
import { sql } from 'drizzle-orm'
import { HISTORY_FILE_INDEX, historyFileEntities, historyFiles } from '../../../platform/db/schema/history-files.ts'
import { columns, from, type Given, indexedBy, named, prepared } from '../../../platform/db/sql.ts'
import type { Env } from '../../../platform/env.ts'
import type { HistoryFile } from '../../history/history-file.ts'
import { fileWith } from '../../history/history-files-store.ts'
import { matchingIn } from '../../history/records.ts'
import type { RecordsQuery } from '../../history/store.ts'
import type { Recorded } from '../selection.ts'

const f = named(historyFiles, 'f')
const x = named(historyFileEntities, 'x')

export type OfEntities = { orgId: string; keys: string; first: number; since: number }

const entitiesOf = ({ orgId, keys, first }: Given<OfEntities>) => sql`json_each(${keys}) k
  CROSS JOIN ${from(x)} ${indexedBy(HISTORY_FILE_INDEX.entity)} ON ${x.entityId} = k.value ->> 1
    AND ${x.orgId} = ${orgId} AND ${x.entityType} = k.value ->> 0 AND ${x.seq} >= ${first}`

/** Of the first file, everything counts: this may be more than there is to take back, never less. */
export const filedSizes = prepared<OfEntities, { at: number; records: number; bytes: number; files: string }>(
  given => sql`SELECT k.key AS at, sum(${x.records}) AS records, sum(${x.detailBytes} + 200 * ${x.records}) AS bytes,
      json_group_array(${fileWith(given.orgId, x.seq)}) AS files FROM ${entitiesOf(given)} GROUP BY k.key`,
)

export const filesOfEntities = prepared<OfEntities, HistoryFile>(
  given => sql`SELECT ${columns(f)} FROM ${from(f)} WHERE ${f.orgId} = ${given.orgId}
    AND ${f.lastSeq} IN (SELECT ${fileWith(given.orgId, x.seq)} FROM ${entitiesOf(given)}) ORDER BY ${f.lastSeq}`,
)

/** All of an organization's records, or those of a range of times. */
export const everything = (orgId: string, query: Partial<RecordsQuery>): RecordsQuery => ({
  orgId,
  entityTypes: [],
  entity: undefined,
  createdOn: undefined,
  descending: false,
  afterSeq: undefined,
  limit: 1,
  ...query,
})

/** The records that these files have of the entities from a place on. */
export async function* filedRecords(
  env: Env,
  orgId: string,
  files: readonly HistoryFile[],
  ids: { has(id: string): boolean },
  firstSeq: number,
): AsyncGenerator<Recorded> {
  const query = everything(orgId, { afterSeq: firstSeq - 1 })
  for (const file of files) {
    for (const row of await matchingIn(env, query, file)) {
      // A create says nothing that is not known without it.
      if (ids.has(row.entityId))
        yield { ...row, source: 'changes', detail: row.changeType === 'create' ? null : row.detail }
    }
  }
}
