// `/health`: what is deployed, and whether it has what it needs. Anybody may ask, so that it costs next to nothing.
import type { Env } from '../../env.ts'
import { type SchemaState, schemaState } from '../db/schema-state.ts'

/** What a deployment cannot do without. */
const NEEDED = [
  'DB',
  'FILES',
  'ASSETS',
  'LOAD_QUEUE',
  'STEP_QUEUE',
  'WATCH',
  'TASKS',
  'HASHING',
  'SEARCH',
  'RATE_STANDARD',
  'RATE_HIGH',
  'RATE_STANDARD_ORG',
  'RATE_HIGH_ORG',
  'RATE_ADDRESS',
  'OPERATOR_KEY',
  'SECRETS_KEY',
] as const satisfies readonly (keyof Env)[]

/** An isolate asks the database at most so often. */
const KNOWN_MS = 5000

export interface Health {
  status: 'ok' | 'degraded'
  version: string
  environment: string
  schema: Omit<SchemaState, 'isEnough'>
  missingBindings: string[]
}

let known: { until: number; db: D1Database; state: SchemaState } | undefined

async function knownSchema(env: Env, now: number): Promise<SchemaState> {
  if (known && known.db === env.DB && now < known.until) return known.state
  const state = await schemaState(env)
  known = { until: now + KNOWN_MS, db: env.DB, state }
  return state
}

export async function healthOf(env: Env, version: string, now: number): Promise<Health> {
  const missingBindings = NEEDED.filter(name => !env[name])
  const { isEnough, ...schema } = env.DB ? await knownSchema(env, now) : await schemaState(env)
  return {
    status: isEnough && missingBindings.length === 0 ? 'ok' : 'degraded',
    version,
    environment: env.ENVIRONMENT,
    schema,
    missingBindings,
  }
}
