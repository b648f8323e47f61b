// What search finds by (N50): the words of each entity, and an index of them. The index is SQLite's own for full texts (FTS5), which
// takes a quarter of the time and a third of the room of a table of words; it holds nothing but what can be made again. Drizzle knows
// no virtual tables: they and their triggers are written out in the migration, and named here as views that exist.
import { index, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'

/** The words of an entity at one of its versions. A trigger removes them, and their index, with the entity. */
export const searchEntities = sqliteTable(
  'search_entities',
  {
    /** That of the entity. */
    seq: integer().primaryKey(),
    orgId: text('org_id').notNull(),
    version: integer().notNull(),
    /** The making of the index that they belong to. */
    generation: integer().notNull(),
    /** A list of texts. */
    words: text().notNull(),
  },
  t => [index('search_entities_org').on(t.orgId)],
)

/** How far the index of an organization follows its commits. */
export const searchProgress = sqliteTable('search_progress', {
  orgId: text('org_id').primaryKey(),
  /** Counts up when the index is made anew. */
  generation: integer().notNull(),
  /** Of the rules by which words are made. */
  rules: integer().notNull(),
  /** Of each entity type, the time and place of the last entity that was read. */
  positions: text().notNull(),
  /** Everything that was committed before is in the index. */
  time: integer().notNull(),
})

/** One row for each entity under its `seq`: its terms, parted by spaces. Written only. */
export const searchIndex = sqliteView('search_index', { rowid: integer(), terms: text() }).existing()

/** The terms of the index with the `seq` of each entity that has them, in the order of terms. */
export const searchTerms = sqliteView('search_terms', { term: text(), doc: integer() }).existing()
