// Uploads in parts (N26): which R2 upload a file has, and the parts that have arrived.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const fileUploads = sqliteTable('file_uploads', {
  fileId: text('file_id').primaryKey(),
  orgId: text('org_id').notNull(),
  uploadId: text('upload_id').notNull(),
  createdOn: integer('created_on').notNull(),
})

export const fileParts = sqliteTable(
  'file_parts',
  {
    fileId: text('file_id').notNull(),
    orgId: text('org_id').notNull(),
    partNumber: integer('part_number').notNull(),
    etag: text().notNull(),
    size: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.fileId, t.partNumber] }), index('file_parts_org').on(t.orgId)],
)
