// Brings the local databases to the newest schema, as `wrangler d1 migrations apply --local` would. That command starts a runtime for
// every file of every database, which takes most of a minute; one is enough.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Miniflare } from 'miniflare'

const folder = path.resolve(import.meta.dirname, '../../drizzle')

/** As Wrangler makes it: its own command goes on from here. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

export async function migrateLocally(config: string, state: string): Promise<void> {
  const { getPlatformProxy, unstable_readConfig: readConfig } = await import('wrangler')
  const { d1_databases: databases } = readConfig({ config }, { hideWarnings: true })
  // With the databases alone: there is no Worker beside them whose objects could be bound.
  mkdirSync(state, { recursive: true })
  const alone = path.join(state, 'databases.json')
  writeFileSync(alone, JSON.stringify({ name: 'databases', d1_databases: databases }))
  const { env, dispose } = await getPlatformProxy<Record<string, Database>>({
    configPath: alone,
    persist: { path: path.join(state, 'v3') },
    remoteBindings: false,
  })
  try {
    for (const db of Object.values(env)) await migrate(db)
  } finally {
    await dispose()
  }
}

/** Each file whole, or not at all. */
async function migrate(db: Database): Promise<void> {
  await db.prepare(TABLE).run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  const files = readdirSync(folder).filter(file => file.endsWith('.sql') && !applied.has(file))
  for (const file of files.sort()) {
    const statements = readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint')
    await db.batch([
      ...statements.map(statement => db.prepare(statement.trim())),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(file),
    ])
  }
}
