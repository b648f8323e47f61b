// The whole deployment at a glance: what is deployed, whether its stores answer, what stands still.
import type { Env } from '../../env.ts'
import type { OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { healthOf } from '../../platform/http/health.ts'
import { VERSION } from '../../version.ts'
import { countAll } from './status-store.ts'

const DAY_MS = 86_400_000
/** Deliveries that are counted at most. */
const DELIVERIES_MOST = 10_000

async function checked(name: string, work: () => Promise<unknown>) {
  const started = performance.now()
  const isOk = await work().then(
    () => true,
    error => {
      console.error('status', name, String(error))
      return false
    },
  )
  return { name, isOk, ms: Math.round(performance.now() - started) }
}

/** A name that no file has: that the bucket answers is enough. */
const askBucket = ({ FILES }: Env) => FILES.head('status')

export async function deploymentStatus({ env, now }: Pick<OpenContext, 'env' | 'now'>) {
  const since = now - DAY_MS
  const counting = countAll(env, since, DELIVERIES_MOST)
  const checks = await Promise.all([checked('database', () => counting), checked('files', () => askBucket(env))])
  const counts = await counting.catch(() => undefined)
  const health = await healthOf(env, VERSION, now)
  const sent = (status: string) => counts?.deliveries.find(each => each.status === status)?.deliveries ?? 0
  const isWell = health.status === 'ok' && checks.every(({ isOk }) => isOk)
  return {
    ...health,
    status: isWell ? ('ok' as const) : ('degraded' as const),
    checks,
    organizations: { total: counts?.organizations ?? 0, suspended: counts?.suspended ?? 0 },
    loads: { waiting: counts?.loads ?? 0, oldestStepOn: timeOrNull(counts?.oldestLoadStep) },
    deliveries: {
      since: timeText(since),
      delivered: sent('delivered'),
      pending: sent('pending'),
      failed: sent('failed'),
    },
    deadLetters: { total: counts?.deadLetters ?? 0, oldestOn: timeOrNull(counts?.oldestDeadLetter) },
  }
}

const timeOrNull = (time: number | null | undefined) => (time == null ? null : timeText(time))
