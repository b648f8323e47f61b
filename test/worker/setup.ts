// Before each test file: fresh databases with all migrations.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'
import { type Bindings, databasesOf } from '../../src/platform/db/placement.ts'
import './one-runtime.ts'
import { expectGoodStatements } from './every-statement.ts'

const bindings = env as unknown as Bindings & { MIGRATIONS: D1Migration[] }
for (const database of databasesOf(bindings).values()) await applyD1Migrations(database, bindings.MIGRATIONS)

// By a flag as long as it is new: VITE_STATEMENTS=1 npm test.
const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
if (settings?.VITE_STATEMENTS) afterAll(expectGoodStatements)
