// The whole deployment at a glance: what is deployed, whether its stores answer, what stands still.

import type { OpenContext } from '../../platform/context.ts'
import { databaseAt, directory } from '../../platform/db/client.ts'
import { DIRECTORY, databasesOf } from '../../platform/db/placement.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { healthOf } from '../../platform/http/health.ts'
import { VERSION } from '../../version.ts'
import { countDirectory, countIn } from './status-store.ts'

const DAY_MS = 86_400_000
/** Deliveries that are counted at most, of each database. */
const DELIVERIES_MOST = 10_000

async function checked<T>(name: string, work: () => Promise<T>) {
  const started = performance.now()
  const value = await work().catch(error => {
    console.error('status', name, String(error))
    return undefined
  })
  const check = { name, isOk: value !== undefined, ms: Math.round(performance.now() - started) }
  return { check, value }
}

/** A name that no file has: that the bucket answers is enough. */
const askBucket = ({ FILES }: Env) => FILES.head('status')

/** What does not answer is left out of the counts, and named. */
export async function deploymentStatus({ env, now }: Pick<OpenContext, 'env' | 'now'>) {
  const since = now - DAY_MS
  const further = [...databasesOf(env).keys()].filter(name => name !== DIRECTORY)
  const [known, files, ...others] = await Promise.all([
    checked('database', () => Promise.all([countDirectory(env), countIn(directory(env), since, DELIVERIES_MOST)])),
    checked('files', () => askBucket(env)),
    ...further.map(name => checked(name, () => countIn(databaseAt(env, name), since, DELIVERIES_MOST))),
  ])
  const checks = [known, ...others, files].map(({ check }) => check)
  const [about, first] = known.value ?? []
  const data = [first, ...others.map(({ value }) => value)].filter(value => value !== undefined)
  const sent = (status: string) =>
    sum(data.flatMap(({ sent: each }) => each.filter(one => one.status === status).map(one => one.deliveries)))
  const health = await healthOf(env, VERSION, now)
  const isWell = health.status === 'ok' && checks.every(({ isOk }) => isOk)
  return {
    ...health,
    status: isWell ? ('ok' as const) : ('degraded' as const),
    checks,
    organizations: { total: about?.organizations ?? 0, suspended: about?.suspended ?? 0 },
    loads: {
      waiting: sum(data.map(({ loads }) => loads)),
      oldestStepOn: timeOrNull(earliest(data.map(({ oldestStep }) => oldestStep))),
    },
    deliveries: {
      since: timeText(since),
      delivered: sent('delivered'),
      pending: sent('pending'),
      failed: sent('failed'),
    },
    deadLetters: { total: about?.deadLetters ?? 0, oldestOn: timeOrNull(about?.oldestDeadLetter) },
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter(time => time !== null)
  return known.length ? Math.min(...known) : null
}

const timeOrNull = (time: number | null | undefined) => (time == null ? null : timeText(time))
