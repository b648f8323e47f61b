// An endpoint of a partner outside, and what was delivered to it.
import { type Json, operator, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { Sent } from '../outside.ts'

export const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
export const hmac = { kind: 'hmac', secret: SECRET }
export const header = { kind: 'header', name: 'X-Partner-Key', value: 'k-123' }
export const URL_OUTSIDE = 'https://partner.example.com/hook'

export const put = (org: TestOrg, body: Json, name = 'partner') =>
  operator('PUT', `/orgs/${org.slug}/endpoints/${name}`, { url: URL_OUTSIDE, events: ['item|*'], ...body })

export type Delivery = Json & { id: string; status: string; attempts: number }

export async function deliveries(org: TestOrg, query = ''): Promise<Delivery[]> {
  const { body } = await operator(`GET`, `/orgs/${org.slug}/endpoints/partner/deliveries${query}`)
  return (body.results ?? []) as Delivery[]
}

export const headersOf = (sent?: Sent) => Object.fromEntries(sent?.headers ?? [])

export const delivered = (org: TestOrg, status: string, count = 1) =>
  eventually(
    () => deliveries(org),
    found => found.length === count && found.every(delivery => delivery.status === status),
  )
