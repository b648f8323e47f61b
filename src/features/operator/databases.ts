// The databases of the deployment (N56): how full each is, and which one takes the next organization.

import type { OpenContext } from '../../platform/context.ts'
import { DATABASE_STEP_BYTES, DATABASE_WARN_BYTES } from '../../platform/db/limits.ts'
import { DIRECTORY, databasesOf, type Place } from '../../platform/db/placement.ts'
import { ensureRange } from '../../platform/db/positions.ts'
import type { Env } from '../../platform/env.ts'
import { invalid } from '../../platform/errors.ts'
import { GB } from '../../platform/limits.ts'
import { bytesOf, organizationsByDatabase } from './databases-store.ts'

export type DatabaseState = 'open' | 'filling' | 'unavailable'

interface Measured {
  name: string
  state: DatabaseState
  /** None where it does not answer. */
  bytes: number | null
}

async function measured(env: Env): Promise<Measured[]> {
  const names = [...databasesOf(env).keys()]
  const found = await Promise.allSettled(names.map(name => bytesOf(env, name)))
  return found.map((result, at) => {
    const name = names[at] ?? ''
    if (result.status === 'fulfilled') return { name, state: stateAt(result.value), bytes: result.value }
    console.error('database', name, result.reason)
    return { name, state: 'unavailable', bytes: null }
  })
}

export const stateAt = (bytes: number): DatabaseState => (bytes < DATABASE_WARN_BYTES ? 'open' : 'filling')

const WARNINGS: Record<DatabaseState, string | null> = {
  open: null,
  filling: `It holds more than ${DATABASE_WARN_BYTES / GB} GB of the 10 that D1 gives it, and takes no new organization while another one is open. Bind a further one.`,
  unavailable: 'It does not answer. Its organizations get 503; others do not notice.',
}

export async function databases({ env }: Pick<OpenContext, 'env'>) {
  const [all, counts] = await Promise.all([measured(env), organizationsByDatabase(env)])
  return {
    results: all.map(({ name, state, bytes }) => ({
      name,
      state,
      bytes,
      organizations: counts.get(name) ?? 0,
      warning: WARNINGS[state],
    })),
  }
}

/** The emptiest open one. Sizes count in steps, so that a small deployment stays in one database. */
export function emptiest(all: readonly Measured[]): string {
  const usable = all.filter(({ bytes }) => bytes !== null)
  const open = usable.filter(({ state }) => state === 'open')
  const stepOf = ({ bytes, state }: Measured) =>
    state === 'open' ? Math.floor((bytes ?? 0) / DATABASE_STEP_BYTES) : (bytes ?? 0)
  const [first] = (open.length ? open : usable).toSorted((one, other) => stepOf(one) - stepOf(other))
  return first?.name ?? DIRECTORY
}

/** Where a new organization goes: as the operator says, else to the emptiest. */
export async function placeForNew(env: Env, chosen: string | undefined): Promise<Place> {
  const names = [...databasesOf(env).keys()]
  if (chosen !== undefined && !names.includes(chosen)) {
    throw invalid([{ path: '/database', message: `There is no such database. There are ${names.join(', ')}.` }])
  }
  const [only, ...others] = names
  const database = chosen ?? (others.length && only ? emptiest(await measured(env)) : DIRECTORY)
  await ensureRange(env, database)
  return { database, epoch: 1 }
}
