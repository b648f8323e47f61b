// What a load must remember between its steps. All of it but `publishes` is gone when the load has ended.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const loads = sqliteTable(
  'loads',
  {
    /** Loads of an organization run in this order. */
    seq: integer().primaryKey({ autoIncrement: true }),
    /** The loader-process. */
    id: text().notNull().unique(),
    orgId: text('org_id').notNull(),
    /** Counts the steps done; a step commits only from the number it has started with. */
    step: integer().notNull(),
    /** Wake-ups since the last step that went through. */
    attempts: integer().notNull(),
    isCancelled: integer('is_cancelled', { mode: 'boolean' }).notNull(),
    state: text().notNull(),
    touchedOn: integer('touched_on').notNull(),
  },
  t => [index('loads_org').on(t.orgId)],
)

/** First come, first served, in the order of the file: see features/loads/drafts/claims.ts. */
export const loadClaims = sqliteTable(
  'load_claims',
  {
    loadId: text('load_id').notNull(),
    space: text().notNull(),
    key: text().notNull(),
    /** The rest as one JSON value: taking it apart into columns took most of the time. */
    claim: text().notNull(),
  },
  t => [primaryKey({ columns: [t.loadId, t.space, t.key] })],
)

/** Assortment items that the load has added, updated or deleted: what a publish lists. */
export const loadMembers = sqliteTable(
  'load_members',
  {
    loadId: text('load_id').notNull(),
    assortmentId: text('assortment_id').notNull(),
    itemId: text('item_id').notNull(),
    change: text({ enum: ['add', 'update', 'delete'] }).notNull(),
  },
  t => [primaryKey({ columns: [t.loadId, t.assortmentId, t.itemId] })],
)

/** N33 */
export const publishes = sqliteTable(
  'publishes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    orgId: text('org_id').notNull(),
    assortmentId: text('assortment_id').notNull(),
    createdOn: integer('created_on').notNull(),
    createdById: text('created_by_id').notNull(),
    createdByType: text('created_by_type').notNull(),
    adds: integer().notNull(),
    updates: integer().notNull(),
    deletes: integer().notNull(),
    /** Ids of the files with the lists, the members before, and the members after. */
    files: text().notNull(),
  },
  t => [index('publishes_assortment').on(t.orgId, t.assortmentId)],
)
