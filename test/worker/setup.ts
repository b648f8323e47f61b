// Before each test file: fresh databases with all migrations. After it: a look at every statement that was sent.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'
import { type Bindings, databasesOf } from '../../src/platform/db/placement.ts'
import './one-runtime.ts'
import { expectGoodStatements } from './every-statement.ts'

const bindings = env as unknown as Bindings & { MIGRATIONS: D1Migration[] }
for (const database of databasesOf(bindings).values()) await applyD1Migrations(database, bindings.MIGRATIONS)

afterAll(expectGoodStatements)
