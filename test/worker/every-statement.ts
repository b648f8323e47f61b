// After each test file: every statement that it has made Drizzle send keeps to one organization, and none reads a whole table.
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Bindings } from '../../src/platform/db/placement.ts'
import { isExcepted, listenToStatements, OWNED, tablesIn, takeStatements, unnarrowed } from './org-statements.ts'

const { DB } = env as unknown as Bindings & { DB: D1Database }
listenToStatements(DB)

/** Sweeps go through these: a row for each organization, or for what is under way, waits for somebody, or is kept for a day. */
const SHORT = new Set([
  'clocks',
  'search_progress',
  'webhook_secrets',
  'property_indexes',
  'loads',
  'jobs',
  'directory_jobs',
  'restores',
  'moves',
  'invitations',
  'endpoints',
  'identity_providers',
  'dead_letters',
  'file_uploads',
  'idempotency',
  'idempotency_rows',
])

function parametersOf(sql: string): null[] {
  const numbers = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number))
  const count = numbers.length > 0 ? Math.max(...numbers) : [...sql.matchAll(/\?/g)].length
  return Array.from({ length: count }, () => null)
}

/** The tables that it reads from their beginning to their end. */
async function readWhole(sql: string): Promise<string[]> {
  const { results } = await DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...parametersOf(sql))
    .all<{ detail: string }>()
  const names = tablesIn(sql)
  const scanned = results.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
  return scanned.filter(name => {
    const table = names.get(name) ?? ''
    return OWNED.has(table) && !SHORT.has(table)
  })
}

const looked = new Set<string>()

/** Of what no file before has made. */
export async function expectGoodStatements(): Promise<void> {
  const faults: string[] = []
  for (const sql of takeStatements()) {
    if (looked.has(sql)) continue
    looked.add(sql)
    for (const table of isExcepted(sql) ? [] : unnarrowed(sql)) faults.push(`${table} is open to all: ${sql}`)
    for (const table of await readWhole(sql)) faults.push(`${table} is read whole: ${sql}`)
  }
  expect(faults).toEqual([])
}
