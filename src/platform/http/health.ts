// `/health`: what is deployed, and whether it has what it needs. Anybody may ask, so that it costs next to nothing.

import { knownSchema, type SchemaState } from '../db/schema-state.ts'
import type { Env } from '../env.ts'

/** What a deployment cannot do without. */
const NEEDED = [
  'DB',
  'FILES',
  'ASSETS',
  'LOAD_QUEUE',
  'STEP_QUEUE',
  'CALL_QUEUE',
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

export interface Health {
  status: 'ok' | 'degraded'
  version: string
  environment: string
  schema: Omit<SchemaState, 'isEnough'>
  missingBindings: string[]
}

export async function healthOf(env: Env, version: string, now: number): Promise<Health> {
  const missingBindings = NEEDED.filter(name => !env[name])
  const { isEnough, ...schema } = await knownSchema(env, now)
  return {
    status: isEnough && missingBindings.length === 0 ? 'ok' : 'degraded',
    version,
    environment: env.ENVIRONMENT,
    schema,
    missingBindings,
  }
}
