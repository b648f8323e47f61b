// Events that were committed together with what they tell of, until the workflows have taken them (N36).
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const outbox = sqliteTable(
  'outbox',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    orgId: text('org_id').notNull(),
    event: text().notNull(),
    payload: text().notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [index('outbox_org').on(t.orgId)],
)
