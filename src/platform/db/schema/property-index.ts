// Properties that a type marks as indexed (N49), and their values. Triggers, which stand in the migration, write the values of an
// entity in the transaction that writes the entity, whoever it is; the view that they read has the one definition of a value.

import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const VALUE_INDEX = { value: 'property_values_value', folded: 'property_values_folded' } as const

export const propertyIndexes = sqliteTable(
  'property_indexes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    orgId: text('org_id').notNull(),
    kind: text().notNull(),
    property: text().notNull(),
    /** The JSON path of the property. */
    path: text().notNull(),
    /** Of entities that were there before it: `filling` until all of them are in it. `dropping`: the index is no longer wanted. */
    state: text({ enum: ['filling', 'ready', 'dropping'] }).notNull(),
    /** The entity up to which it is filled. */
    filledTime: integer('filled_time').notNull().default(0),
    filledSeq: integer('filled_seq').notNull().default(0),
    done: integer().notNull().default(0),
    /** How many entities there were when the filling began. */
    total: integer(),
    /** Entities that hold a list or an object there: an index of single values does not find them. */
    lists: integer().notNull().default(0),
  },
  t => [
    index('property_indexes_kind').on(t.orgId, t.kind),
    uniqueIndex('property_indexes_property').on(t.orgId, t.kind, t.property).where(sql`state <> 'dropping'`),
  ],
)

/** One row for each entity and index; its table has no rowid. */
export const propertyValues = sqliteTable(
  'property_values',
  {
    /** That of the entity. */
    seq: integer().notNull(),
    indexId: integer('index_id').notNull(),
    /** Numbers come before texts, texts before false and true, and these before no value. */
    value: blob().notNull(),
    /** The beginning of a text, without regard to the case of ASCII letters. */
    folded: text(),
    isList: integer('is_list').notNull(),
  },
  t => [
    primaryKey({ columns: [t.seq, t.indexId] }),
    index(VALUE_INDEX.value).on(t.indexId, t.value, t.seq),
    index(VALUE_INDEX.folded).on(t.indexId, t.folded, t.seq).where(sql`folded IS NOT NULL`),
  ],
)

/** What the values of entities are by their data. */
export const currentValues = sqliteView('property_values_of', {
  seq: integer(),
  indexId: integer('index_id'),
  value: blob(),
  folded: text(),
  isList: integer('is_list'),
}).existing()
