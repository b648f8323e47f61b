// Before each test file: fresh databases with all migrations. After it: a look at every statement that was sent.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach } from 'vitest'
import { type Bindings, databasesOf } from '../../src/platform/db/placement.ts'
import './one-runtime.ts'
import { expectGoodStatements } from './every-statement.ts'
import { holdsUpOthers } from './holds-up.ts'

const bindings = env as unknown as Bindings & { MIGRATIONS: D1Migration[] }
for (const database of databasesOf(bindings).values()) await applyD1Migrations(database, bindings.MIGRATIONS)

// Else a test that takes much on a slow machine, right after others, would be answered in portions.
beforeEach(() => holdsUpOthers(false))
afterAll(expectGoodStatements)
