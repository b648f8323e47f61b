// Calls to the service's own address, dispatched inside the Worker (N84), and what the environment says about that address.
import { exports } from 'cloudflare:workers'
import type { Env } from '../../platform/env.ts'
import { isLocal } from '../../platform/pace.ts'
import { publicUrl } from '../../platform/public-url.ts'
import type { AddressRules } from './address.ts'

/** `baseUrl`: the address that the operator configured an endpoint at; without PUBLIC_URL it is the only one known. */
export function addressRules(env: Env, baseUrl?: string): AddressRules {
  const own = [publicUrl(env), baseUrl].flatMap(url => (url && URL.canParse(url) ? new URL(url).host : []))
  const allowed =
    env.OWN_ZONE_HOSTS?.toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean) ?? []
  return { isLocal: isLocal(env), zone: { own, allowed } }
}

/** A binding of the Worker to itself: an invocation of its own, with limits of its own. Rate limits count it by organization. */
export function callSelf(request: Request, orgId: string): Promise<Response> {
  const inner = new Request(request)
  inner.headers.set('CF-Connecting-IP', `organization ${orgId}`)
  return (exports as unknown as { default: Fetcher }).default.fetch(inner)
}
