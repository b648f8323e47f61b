// Where the service runs, and what follows from it. On a developer's machine everything goes faster, and addresses that only
// that machine reaches may be called. Nothing else asks for the environment.
import type { Env } from './env.ts'
import { RECOVER_LOCAL_PERIOD_MS, RECOVER_PERIOD_MS } from './limits.ts'

export interface Pace {
  isLocal: boolean
  /** How often an organization with something to look after is looked after. */
  recoverMs: number
  /** How long a wake-up of a job works, and after how long without a sign of life it is woken again. */
  jobBudgetMs: number
  jobWatchMs: number
  /** The same of a move, and how long it takes until everybody has learned of it: what a credential is remembered for, and a replica's lag. */
  moveWatchMs: number
  moveKnownMs: number
}

const DEPLOYED: Pace = {
  isLocal: false,
  recoverMs: RECOVER_PERIOD_MS,
  jobBudgetMs: 5000,
  jobWatchMs: 60_000,
  moveWatchMs: 15_000,
  moveKnownMs: 70_000,
}

const PACES: Record<Env['ENVIRONMENT'], Pace> = {
  production: DEPLOYED,
  staging: DEPLOYED,
  local: {
    isLocal: true,
    recoverMs: RECOVER_LOCAL_PERIOD_MS,
    jobBudgetMs: 1000,
    jobWatchMs: 3000,
    moveWatchMs: 3000,
    moveKnownMs: 0,
  },
  test: {
    isLocal: true,
    recoverMs: RECOVER_PERIOD_MS,
    jobBudgetMs: 1000,
    jobWatchMs: 3000,
    moveWatchMs: 3000,
    moveKnownMs: 0,
  },
}

export function paceOf({ ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>): Pace {
  // An unknown environment counts as production.
  return Object.hasOwn(PACES, ENVIRONMENT) ? PACES[ENVIRONMENT] : PACES.production
}

export function isLocal(env: Pick<Env, 'ENVIRONMENT'>): boolean {
  return paceOf(env).isLocal
}
