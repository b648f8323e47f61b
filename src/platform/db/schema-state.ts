// Which migrations a database has, and whether that is enough for this code. A newer schema is: migrations only add.
import { asc } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import journal from '../../../drizzle/meta/_journal.json'
import type { Env } from '../env.ts'
import { allDatabases, type Database } from './client.ts'
import { build, statement } from './sql.ts'

/** Wrangler's own table; it stands outside the schema, so that no migration makes it. */
const applied = sqliteTable('d1_migrations', { id: integer().primaryKey(), name: text().notNull() })

const appliedNames = statement(build.select({ name: applied.name }).from(applied).orderBy(asc(applied.id)))

/** The newest migration that this code knows. */
export const SCHEMA = journal.entries.at(-1)?.tag ?? ''

export interface SchemaState {
  expected: string
  /** The newest that the database has; null where it has none, or does not answer. */
  applied: string | null
  isEnough: boolean
}

async function stateOf(db: Database): Promise<SchemaState> {
  const names = await db.all(appliedNames).catch(() => [])
  const tags = names.map(({ name }) => name.replace(/\.sql$/, ''))
  return { expected: SCHEMA, applied: tags.at(-1) ?? null, isEnough: tags.includes(SCHEMA) }
}

/** Of the database that is furthest behind. */
async function schemaState(env: Pick<Env, 'DB'>): Promise<SchemaState> {
  const states = env.DB ? await Promise.all(allDatabases(env).map(stateOf)) : []
  return states.find(({ isEnough }) => !isEnough) ?? states[0] ?? { expected: SCHEMA, applied: null, isEnough: false }
}

/** An isolate asks at most so often. */
const KNOWN_MS = 5000

let known: { until: number; db: unknown; state: SchemaState } | undefined

export async function knownSchema(env: Pick<Env, 'DB'>, now: number): Promise<SchemaState> {
  if (known && known.db === env.DB && now < known.until) return known.state
  const state = await schemaState(env)
  known = { until: now + KNOWN_MS, db: env.DB, state }
  return state
}
