// Rate limits: of each key by its tier (N43), of an organization over all its keys (N60), of strangers by address. One binding for
// each. The binding counts per location and answers only yes or no.
import type { Env } from '../env.ts'
import { Fault } from '../errors.ts'
import { ipv4Text, isIpv4, parseAddress, siteText } from '../ip-address.ts'
import { RATE_LIMITS, RATE_PERIOD_SECONDS } from '../limits.ts'

const ADDRESS_MAX_LENGTH = 64

export type Tier = 'standard' | 'high' | 'internal'
type Counted = keyof typeof RATE_LIMITS

const BINDINGS = {
  standard: 'RATE_STANDARD',
  high: 'RATE_HIGH',
  'standard-organization': 'RATE_STANDARD_ORG',
  'high-organization': 'RATE_HIGH_ORG',
  address: 'RATE_ADDRESS',
} as const satisfies Record<Counted, keyof Env>

/** Of the key, and of its organization: more keys do not make a larger share. */
export async function limitKey(env: Env, tier: Tier, credentialId: string, orgId: string): Promise<void> {
  if (tier === 'internal') return
  await Promise.all([limitRate(env, tier, credentialId), limitRate(env, `${tier}-organization`, orgId)])
}

export function policyOf(tier: Tier): Record<string, string> {
  return tier === 'internal' ? {} : { 'RateLimit-Policy': policy(tier) }
}

const policy = (counted: Counted) => `"${counted}";q=${RATE_LIMITS[counted]};w=${RATE_PERIOD_SECONDS}`

export const FROM_ADDRESS = 'from this address'

const WHOSE: Record<Counted, string> = {
  standard: 'by this key',
  high: 'by this key',
  'standard-organization': 'by all keys of the organization',
  'high-organization': 'by all keys of the organization',
  address: FROM_ADDRESS,
}

/** Throws when the share is used up. `whose`: named in the refusal, where it is not the usual owner of such a share. */
export async function limitRate(env: Env, counted: Counted, key: string, whose = WHOSE[counted]): Promise<void> {
  const { success } = await env[BINDINGS[counted]].limit({ key })
  if (success) return
  throw new Fault(
    'rate_limited',
    `More than ${RATE_LIMITS[counted]} requests in ${RATE_PERIOD_SECONDS} seconds ${whose}. Slow down.`,
    {
      headers: {
        'Retry-After': String(RATE_PERIOD_SECONDS),
        'RateLimit-Policy': policy(counted),
        RateLimit: `"${counted}";r=0;t=${RATE_PERIOD_SECONDS}`,
      },
    },
  )
}

/** Behind Cloudflare the header is always its own; locally there may be none. */
export function addressOf(request: Request): string {
  return request.headers.get('CF-Connecting-IP')?.slice(0, ADDRESS_MAX_LENGTH) ?? 'local'
}

/** What is counted as one address: of IPv6 a provider gives one subscriber up to a whole site. */
export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === undefined) return address
  return isIpv4(parsed) ? ipv4Text(parsed) : siteText(parsed)
}
