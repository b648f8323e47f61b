// All tables that hold rows of organizations: a deleted organization leaves nothing behind in any of them.
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as entities from './schema/entities.ts'
import * as events from './schema/events.ts'
import * as files from './schema/files.ts'
import * as loads from './schema/loads.ts'
import * as organizations from './schema/organizations.ts'
import * as people from './schema/people.ts'

const TABLES: SQLiteTable[] = Object.values({ ...entities, ...events, ...files, ...loads, ...organizations, ...people })

export const ORGANIZATION_TABLES: readonly string[] = TABLES.filter(table => 'orgId' in getTableColumns(table)).map(
  table => getTableName(table),
)
