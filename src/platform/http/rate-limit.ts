// Rate limits (N43): one binding for each tier. The binding counts per location and answers only yes or no.
import type { Env } from '../../env.ts'
import { Fault } from '../errors.ts'
import { RATE_LIMITS, RATE_PERIOD_SECONDS } from '../limits.ts'

export type Tier = 'standard' | 'high' | 'internal'
type Counted = keyof typeof RATE_LIMITS

const BINDINGS = { standard: 'RATE_STANDARD', high: 'RATE_HIGH', address: 'RATE_ADDRESS' } as const

export function policyOf(tier: Tier): Record<string, string> {
  return tier === 'internal' ? {} : { 'RateLimit-Policy': policy(tier) }
}

const policy = (counted: Counted) => `"${counted}";q=${RATE_LIMITS[counted]};w=${RATE_PERIOD_SECONDS}`

/** Throws when the key has used up its share. */
export async function limitRate(env: Env, counted: Counted, key: string): Promise<void> {
  const { success } = await env[BINDINGS[counted]].limit({ key })
  if (success) return
  throw new Fault(
    'rate_limited',
    `More than ${RATE_LIMITS[counted]} requests in ${RATE_PERIOD_SECONDS} seconds. Slow down.`,
    {
      headers: {
        'Retry-After': String(RATE_PERIOD_SECONDS),
        'RateLimit-Policy': policy(counted),
        RateLimit: `"${counted}";r=0;t=${RATE_PERIOD_SECONDS}`,
      },
    },
  )
}

export function addressOf(request: Request): string {
  return request.headers.get('CF-Connecting-IP') ?? 'local'
}
