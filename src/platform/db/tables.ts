// All tables that hold rows of organizations: what a deleted organization must leave behind nothing in.
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as entities from './schema/entities.ts'
import * as organizations from './schema/organizations.ts'

export const ORGANIZATION_TABLES: readonly string[] = Object.values({ ...entities, ...organizations })
  .filter((table): table is SQLiteTable => is(table, SQLiteTable))
  .filter(table => 'orgId' in getTableColumns(table))
  .map(getTableName)
