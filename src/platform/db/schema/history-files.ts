// Change records that were moved into files (N58): an index row for each file, and in which files the records of an entity are.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const HISTORY_FILE_INDEX = {
  entity: 'history_file_entities_entity',
  org: 'history_file_entities_org',
} as const

/** Files of one organization follow each other in commit order, without a gap and without an overlap. */
export const historyFiles = sqliteTable(
  'history_files',
  {
    orgId: text('org_id').notNull(),
    /** Of its newest record. */
    lastSeq: integer('last_seq').notNull(),
    firstSeq: integer('first_seq').notNull(),
    firstOn: integer('first_on').notNull(),
    lastOn: integer('last_on').notNull(),
    records: integer().notNull(),
    /** Of the lines, before they are packed. */
    lineBytes: integer('line_bytes').notNull(),
    packedBytes: integer('packed_bytes').notNull(),
    /** The end of its key in the bucket. */
    objectId: text('object_id').notNull(),
    /** SHA-256 of the object. */
    digest: text().notNull(),
    /** A list of the entity types that its records are about. */
    entityTypes: text('entity_types').notNull(),
  },
  t => [primaryKey({ columns: [t.orgId, t.lastSeq] })],
)

/** One row for each file that has records of an entity, with what must be known of them without reading it. */
export const historyFileEntities = sqliteTable(
  'history_file_entities',
  {
    /** Of the newest of these records. */
    seq: integer().primaryKey(),
    orgId: text('org_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    records: integer().notNull(),
    /** Of what they hold; of a create that is not needed again (N52). */
    detailBytes: integer('detail_bytes').notNull(),
    /** When and by whom the newest was made. */
    changedOn: integer('changed_on').notNull(),
    changedById: text('changed_by_id').notNull(),
    /** The same of the newest that made the entity, where there is one. */
    madeOn: integer('made_on'),
    madeById: text('made_by_id'),
  },
  t => [index(HISTORY_FILE_INDEX.entity).on(t.entityId), index(HISTORY_FILE_INDEX.org).on(t.orgId)],
)
