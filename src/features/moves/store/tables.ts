// The table of tables (N57): what becomes of each when its organization moves to another database. A test compares it with the schema,
// so that none is forgotten.
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  CHANGE_INDEX,
  changes,
  clocks,
  ENTITY_INDEX,
  entities,
  idempotency,
  idempotencyRows,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import {
  DELIVERY_INDEX,
  deadLetters,
  deliveries,
  endpoints,
  publishedEvents,
  webhookSecrets,
} from '../../../platform/db/schema/events.ts'
import { fileParts, fileUploads } from '../../../platform/db/schema/files.ts'
import { HISTORY_FILE_INDEX, historyFileEntities, historyFiles } from '../../../platform/db/schema/history-files.ts'
import { directoryJobs, jobs } from '../../../platform/db/schema/jobs.ts'
import { loadClaims, loadMembers, loads, publishes } from '../../../platform/db/schema/loads.ts'
import * as organizationTables from '../../../platform/db/schema/organizations.ts'
import * as peopleTables from '../../../platform/db/schema/people.ts'
import { propertyIndexes, propertyValues } from '../../../platform/db/schema/property-index.ts'
import { searchEntities, searchProgress } from '../../../platform/db/schema/search.ts'
import { from, indexedBy, named } from '../../../platform/db/sql.ts'

export interface Moved {
  table: SQLiteTable
  /** Which rows are the organization's. */
  isOf(orgId: string): SQL
  /** One index has its rows in this order; together they tell one row from all others, in every database. */
  order: readonly SQLiteColumn[]
  index?: SQL
  /** Roughly, in bytes. */
  size: SQL
  /** Of tables that may be large: how blocks of rows are compared without reading the rows themselves, along one index. */
  blocks?: { seq: SQLiteColumn; stamp: SQL; index: SQL }
  /** Rows that are only in the target stay there: they expire by themselves. */
  keepsOthers?: true
}

/** Of a row that holds nothing long. */
const SHORT = sql`300`
const octets = (column: SQLiteColumn) => sql`octet_length(${column})`

type Owned = SQLiteTable & { orgId: SQLiteColumn }
const owned = (table: Owned) => ({ table, isOf: (orgId: string) => sql`${table.orgId} = ${orgId}` })

const l = named(loads, 'l')
const j = named(jobs, 'j')
const ofLoad = (table: typeof loadClaims | typeof loadMembers) => ({
  table,
  isOf: (orgId: string) => sql`${table.loadId} IN (SELECT ${l.id} FROM ${from(l)} WHERE ${l.orgId} = ${orgId}
    UNION ALL SELECT ${j.id} FROM ${from(j)} WHERE ${j.orgId} = ${orgId})`,
})

/** Small: settings, and what is under way. Read as a whole in each pass, and once more when writes have stopped. */
export const WHOLE: readonly Moved[] = [
  { ...owned(endpoints), order: [endpoints.name], size: octets(endpoints.events) },
  { ...owned(webhookSecrets), order: [webhookSecrets.digest], size: SHORT },
  {
    ...owned(publishedEvents),
    order: [publishedEvents.seq],
    size: octets(publishedEvents.event),
  },
  { ...owned(fileUploads), order: [fileUploads.fileId], size: SHORT },
  { ...owned(fileParts), order: [fileParts.fileId, fileParts.partNumber], size: SHORT },
  { ...owned(jobs), order: [jobs.lane, jobs.seq], size: octets(jobs.state) },
  // Of the release before the job runner.
  { ...owned(loads), order: [loads.seq], size: octets(loads.state) },
  // The files themselves stay in the bucket, which all databases share (N58).
  { ...owned(historyFiles), order: [historyFiles.lastSeq], size: SHORT },
]

/** Work of loads under way changes all the time, and goes when they end: copied when writes have stopped. */
export const LATE: readonly Moved[] = [
  {
    ...ofLoad(loadClaims),
    order: [loadClaims.loadId, loadClaims.space, loadClaims.key],
    size: octets(loadClaims.claim),
  },
  {
    ...ofLoad(loadMembers),
    order: [loadMembers.loadId, loadMembers.assortmentId, loadMembers.itemId],
    size: SHORT,
  },
]

export type Large = Moved & Required<Pick<Moved, 'blocks'>>

export const ENTITIES: Large = {
  ...owned(entities),
  order: [entities.kind, entities.createdOn, entities.seq],
  index: indexedBy(ENTITY_INDEX.createdOn),
  size: octets(entities.data),
  blocks: { seq: entities.seq, stamp: sql`${entities.updatedOn}`, index: indexedBy(ENTITY_INDEX.updatedOn) },
}

/** Large: copied, compared row by row, and then followed by blocks. */
export const LARGE: readonly Large[] = [
  ENTITIES,
  {
    ...owned(changes),
    order: [changes.seq],
    index: indexedBy(CHANGE_INDEX.org),
    size: octets(changes.detail),
    blocks: { seq: changes.seq, stamp: sql`1`, index: indexedBy(CHANGE_INDEX.org) },
  },
  {
    ...owned(unrecordedChanges),
    order: [unrecordedChanges.createdById, unrecordedChanges.seq],
    index: indexedBy(UNRECORDED_INDEX.maker),
    size: octets(unrecordedChanges.detail),
    blocks: { seq: unrecordedChanges.seq, stamp: sql`1`, index: indexedBy(UNRECORDED_INDEX.maker) },
  },
  {
    ...owned(historyFileEntities),
    order: [historyFileEntities.seq],
    index: indexedBy(HISTORY_FILE_INDEX.org),
    size: SHORT,
    blocks: { seq: historyFileEntities.seq, stamp: sql`1`, index: indexedBy(HISTORY_FILE_INDEX.org) },
  },
  {
    ...owned(publishes),
    order: [publishes.assortmentId, publishes.seq],
    size: SHORT,
    blocks: { seq: publishes.seq, stamp: sql`1`, index: sql`` },
  },
  {
    ...owned(deliveries),
    order: [deliveries.endpointName, deliveries.seq],
    index: indexedBy(DELIVERY_INDEX.endpoint),
    size: octets(deliveries.payload),
    // Whatever becomes of one, it is due at another time, or in another state.
    blocks: {
      seq: deliveries.seq,
      stamp: sql`${deliveries.dueOn} * 8 + unicode(${deliveries.status}) % 8`,
      index: indexedBy(DELIVERY_INDEX.due),
    },
  },
]

/** Answers under Idempotency-Keys: they expire after a day, wherever they are. The directory keeps others of its own (N64). */
export const ANSWERS = {
  claims: {
    ...owned(idempotency),
    order: [idempotency.createdOn, idempotency.credentialId, idempotency.key],
    size: SHORT,
    keepsOthers: true,
  },
  rows: {
    ...owned(idempotencyRows),
    order: [idempotencyRows.credentialId, idempotencyRows.key, idempotencyRows.slice],
    size: octets(idempotencyRows.rows),
    keepsOthers: true,
  },
} as const satisfies Record<string, Moved>

/** In the order in which the passes take them. */
export const PASSES: readonly Moved[] = [...LARGE, ...WHOLE, ANSWERS.claims, ANSWERS.rows]

/** By statements of their own: sites.ts and property-indexes.ts. */
const BY_ITSELF: readonly SQLiteTable[] = [clocks, propertyIndexes]
/** Made again in the target, by triggers or by following its entities. */
const MADE_AGAIN: readonly SQLiteTable[] = [propertyValues, searchEntities, searchProgress]
/** They are in the directory, wherever the organization is. */
const IN_DIRECTORY: readonly unknown[] = [
  ...Object.values(organizationTables),
  ...Object.values(peopleTables),
  deadLetters,
  directoryJobs,
]

export type Fate = 'moved' | 'by itself' | 'made again' | 'stays in the directory'

/** Undefined: nobody has thought of it. */
export function fateOf(table: SQLiteTable): Fate | undefined {
  if ([...PASSES, ...LATE].some(moved => moved.table === table)) return 'moved'
  if (BY_ITSELF.includes(table)) return 'by itself'
  if (MADE_AGAIN.includes(table)) return 'made again'
  return IN_DIRECTORY.includes(table) ? 'stays in the directory' : undefined
}

/** What a move leaves behind, and what it finds where the organization has been before. Search and values go with entities. */
export const CLEARED: readonly Moved[] = [...LATE, ...LARGE, ...WHOLE]

export const nameOf = ({ table }: Pick<Moved, 'table'>) => getTableName(table)
