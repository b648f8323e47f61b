// Which databases there are, and in which of them an organization is known to be (N56). `DB` is the directory and the first of them;
// more are bindings DATA_01, DATA_02, …, found by their names: adding one takes a binding and no code.
import type { Env } from '../env.ts'
import { Fault } from '../errors.ts'
import { CREDENTIAL_CACHE_MAX_ENTRIES, CREDENTIAL_CACHE_MS } from '../limits.ts'

/** The bindings of a Worker: the directory and all further databases. */
export type Bindings = Pick<Env, 'DB'>

export const DIRECTORY = 'DB'
export const DATABASE_NAME = /^(DB|DATA_\d\d)$/

/** The epoch counts the moves of the organization: a write that is sent under an old one is refused. */
export interface Place {
  database: string
  epoch: number
  /** It is being moved elsewhere (N57); stored as a number. */
  moving?: boolean | number
}

/** Of an organization that never moved, in a deployment that has nothing else. */
export const FIRST_PLACE: Place = { database: DIRECTORY, epoch: 1 }

const bound = new WeakMap<object, ReadonlyMap<string, D1Database>>()

/** By name, the directory first. */
export function databasesOf(env: Bindings): ReadonlyMap<string, D1Database> {
  const known = bound.get(env)
  if (known) return known
  const names = Object.keys(env).filter(name => DATABASE_NAME.test(name) && name !== DIRECTORY)
  const bindings = env as unknown as Record<string, D1Database>
  const found = new Map([DIRECTORY, ...names.sort()].map(name => [name, bindings[name] as D1Database]))
  bound.set(env, found)
  return found
}

export function databaseNamed(env: Bindings, name: string): D1Database {
  const binding = databasesOf(env).get(name)
  if (binding) return binding
  throw new Fault('unavailable', 'The database of this organization is not there for the moment.', {
    headers: { 'Retry-After': '30' },
  })
}

/** As long as a credential may be remembered: placement comes with it, and costs no look of its own. */
const known = new Map<string, Place & { until: number }>()

export function knownPlace(orgId: string, now = Date.now()): Place | undefined {
  const place = known.get(orgId)
  return place && place.until > now ? place : undefined
}

/** What a replica says may be older than what is known already. */
export function learnPlace(orgId: string, { database, epoch, moving = false }: Place, now = Date.now()): void {
  if ((knownPlace(orgId, now)?.epoch ?? 0) > epoch) return
  if (known.size >= CREDENTIAL_CACHE_MAX_ENTRIES) known.clear()
  known.set(orgId, { database, epoch, moving, until: now + CREDENTIAL_CACHE_MS })
}

export function forgetPlace(orgId: string): void {
  known.delete(orgId)
}
