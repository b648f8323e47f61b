import { afterEach, describe, expect, it, vi } from 'vitest'
import { RATE_LIMITS } from '../../../src/platform/limits.ts'
import { type Answer, call, env, newOrg, OPERATOR_KEY, operator } from '../api.ts'
import { inOneMinute } from '../minute.ts'

afterEach(() => vi.restoreAllMocks())

function expectLimited(answer: Answer, tier: keyof typeof RATE_LIMITS) {
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
  expect(answer.headers.get('RateLimit-Policy')).toBe(`"${tier}";q=${RATE_LIMITS[tier]};w=60`)
  expect(answer.headers.get('RateLimit')).toMatch(new RegExp(`^"${tier}";r=0;t=\\d+$`))
}

let visitors = 0
const newAddress = () => `198.51.100.${++visitors}`

describe('rate limits', () => {
  it('N43 let 600 requests a minute through for a key of the standard tier, then answer 429 with its headers', async () => {
    const limit = vi.spyOn(env.RATE_STANDARD, 'limit')
    const { first, between, last, refused } = await inOneMinute(async () => {
      const org = await newOrg({ tier: 'standard' })
      const first = await org.get('/items')
      const { key } = limit.mock.calls.at(-1)?.[0] ?? {}
      // Counted as the service counts them, without all that a request costs besides.
      const others = Array.from({ length: RATE_LIMITS.standard - 2 }, () => env.RATE_STANDARD.limit({ key: key ?? '' }))
      const between = await Promise.all(others)
      return { first, between, last: await org.get('/items'), refused: await org.get('/items') }
    })
    expect(first.headers.get('RateLimit-Policy')).toBe('"standard";q=600;w=60')
    expect(between.every(({ success }) => success)).toBe(true)
    expect(last.status).toBe(200)
    expectLimited(refused, 'standard')
    const other = await newOrg({ tier: 'standard' })
    expect((await other.get('/items')).status).toBe(200)
  })

  it('N76 answer 429 at once, without a delay', async () => {
    const org = await newOrg({ tier: 'standard' })
    const wait = vi.spyOn(scheduler, 'wait')
    vi.spyOn(env.RATE_STANDARD, 'limit').mockResolvedValue({ success: false })
    expectLimited(await org.get('/items'), 'standard')
    expect(wait).not.toHaveBeenCalled()
  })

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

  it('N83 say that the look-up of a key, and the operator key, are counted by address', async () => {
    const org = await newOrg()
    const { body } = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'not used yet' })
    vi.spyOn(env.RATE_HIGH, 'limit').mockResolvedValue({ success: false })
    const key = { 'X-Api-Key': body.key, 'X-Api-Org': org.slug }
    const answers = [
      await call('GET', '/api/items', { headers: key }),
      await call('GET', '/api/operator/orgs', { headers: { 'X-Operator-Key': OPERATOR_KEY } }),
    ]
    for (const answer of answers) {
      expectLimited(answer, 'high')
      expect(answer.body).toMatchObject({
        detail: 'More than 6000 requests in 60 seconds from this address. Slow down.',
      })
    }
  })

  it('N60 count an organization over all its keys: more keys are no larger share', async () => {
    const limit = vi.spyOn(env.RATE_STANDARD_ORG, 'limit')
    const { refused, other } = await inOneMinute(async () => {
      const org = await newOrg({ tier: 'standard' })
      await org.get('/items')
      const { key } = limit.mock.calls.at(-1)?.[0] ?? {}
      const others = Array.from({ length: RATE_LIMITS['standard-organization'] }, () =>
        env.RATE_STANDARD_ORG.limit({ key: key ?? '' }),
      )
      await Promise.all(others)
      const { body } = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, { name: 'second' })
      const refused = await call('GET', '/api/items', { headers: { 'X-Api-Key': body.key, 'X-Api-Org': org.slug } })
      return { refused, other: await (await newOrg({ tier: 'standard' })).get('/items') }
    })
    expectLimited(refused, 'standard-organization')
    expect(other.status).toBe(200)
  })

  it.each([
    ['wrong keys', { 'X-Api-Key': 'app:mistyped', 'X-Api-Org': 'x' }, '/api/items'],
    ['wrong operator keys', { 'X-Operator-Key': 'wrong' }, '/api/operator/orgs'],
  ])('N43 count %s by address', async (_, headers, path) => {
    const from = (address: string) => call('GET', path, { headers: { ...headers, 'CF-Connecting-IP': address } })
    const org = await newOrg()
    const { statuses, refused, right } = await inOneMinute(async () => {
      const address = newAddress()
      const statuses: number[] = []
      for (let at = 0; at < RATE_LIMITS.address; at++) statuses.push((await from(address)).status)
      const rightHeaders = { ...org.headers, 'CF-Connecting-IP': address }
      const refused = await from(address)
      return { statuses, refused, right: await call('GET', '/api/items', { headers: rightHeaders }) }
    })
    expect(statuses).toEqual(Array(60).fill(401))
    expectLimited(refused, 'address')
    expect((await from(newAddress())).status).toBe(401)
    expect(right.status).toBe(200)
  })
})
