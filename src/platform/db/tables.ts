// All tables that hold rows of organizations: a deleted organization leaves nothing behind in any of them.
import { getTableColumns, is } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as entities from './schema/entities.ts'
import * as events from './schema/events.ts'
import * as files from './schema/files.ts'
import * as historyFiles from './schema/history-files.ts'
import * as jobs from './schema/jobs.ts'
import * as loads from './schema/loads.ts'
import * as organizations from './schema/organizations.ts'
import * as people from './schema/people.ts'
import * as propertyIndex from './schema/property-index.ts'
import * as search from './schema/search.ts'

const EXPORTED: unknown[] = Object.values({
  ...entities,
  ...events,
  ...files,
  ...historyFiles,
  ...jobs,
  ...loads,
  ...organizations,
  ...people,
  ...propertyIndex,
  ...search,
})

export type OrganizationTable = SQLiteTable & { orgId: SQLiteColumn }

export const ORGANIZATION_TABLES: readonly OrganizationTable[] = EXPORTED.filter(
  (exported): exported is OrganizationTable => is(exported, SQLiteTable) && 'orgId' in getTableColumns(exported),
)
