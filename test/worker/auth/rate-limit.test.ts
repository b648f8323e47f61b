import { describe, expect, it } from 'vitest'
import { RATE_LIMITS } from '../../../src/platform/limits.ts'
import { type Answer, call, newOrg, operator } from '../api.ts'

function expectLimited(answer: Answer, tier: keyof typeof RATE_LIMITS) {
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
  expect(answer.headers.get('RateLimit-Policy')).toBe(`"${tier}";q=${RATE_LIMITS[tier]};w=60`)
  expect(answer.headers.get('RateLimit')).toMatch(new RegExp(`^"${tier}";r=0;t=\\d+$`))
}

/** The counter begins anew at each full minute, which may come in between. */
function expectWithin(passed: number, limit: number) {
  expect(passed).toBeGreaterThanOrEqual(limit)
  expect(passed).toBeLessThan(2 * limit)
}

/** Calls until one is refused; how many went through. */
async function untilLimited(visit: () => Promise<Answer>, most: number): Promise<[passed: number, last: Answer]> {
  for (let passed = 0; ; passed++) {
    const answer = await visit()
    if (answer.status === 429 || passed > most) return [passed, answer]
  }
}

describe('rate limits', () => {
  it('N43 let 600 requests a minute through for a key of the standard tier, then answer 429 with its headers', async () => {
    const org = await newOrg({ tier: 'standard' })
    const first = await org.get('/items')
    expect(first.headers.get('RateLimit-Policy')).toBe('"standard";q=600;w=60')
    // Refused after the gate: it counts, and costs nothing more.
    const [passed, last] = await untilLimited(() => org.get('/items', { limit: 0 }), 2 * RATE_LIMITS.standard)
    expectWithin(passed + 1, RATE_LIMITS.standard)
    expectLimited(last, 'standard')
    const other = await newOrg({ tier: 'standard' })
    expect((await other.get('/items')).status).toBe(200)
  }, 60_000)

  it('N9 N43 take the tier of the key before that of the organization', async () => {
    const org = await newOrg({ tier: 'high' })
    expect((await org.get('/items')).headers.get('RateLimit-Policy')).toBe('"high";q=6000;w=60')
    const internal = await newOrg({ tier: 'internal' })
    expect((await internal.get('/items')).headers.get('RateLimit-Policy')).toBeNull()
    const { body } = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'plain' })
    const plain = () => call('GET', '/api/items', { headers: { 'X-Api-Key': body.key, 'X-Api-Org': org.slug } })
    expect((await plain()).headers.get('RateLimit-Policy')).toBe('"standard";q=600;w=60')
    await operator('PUT', `/orgs/${org.slug}/tier`, { tier: 'high' })
    expect((await plain()).headers.get('RateLimit-Policy')).toBe('"high";q=6000;w=60')
  })

  it.each([
    ['wrong keys', { 'X-Api-Key': 'app:mistyped', 'X-Api-Org': 'x' }, '/api/items'],
    ['wrong operator keys', { 'X-Operator-Key': 'wrong' }, '/api/operator/orgs'],
  ])('N43 count %s by address', async (_, headers, path) => {
    const from = (address: string) => call('GET', path, { headers: { ...headers, 'CF-Connecting-IP': address } })
    const [passed, last] = await untilLimited(() => from('198.51.100.7'), 2 * RATE_LIMITS.address)
    expectWithin(passed, RATE_LIMITS.address)
    expectLimited(last, 'address')
    expect((await from('198.51.100.8')).status).toBe(401)
    const org = await newOrg()
    const right = await call('GET', '/api/items', { headers: { ...org.headers, 'CF-Connecting-IP': '198.51.100.7' } })
    expect(right.status).toBe(200)
  })
})
