import { describe, expect, it } from 'vitest'
import { networkOf } from '../../../src/platform/http/rate-limit.ts'

describe('what counts as one address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['local', 'local'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['::1', '::/48'],
    ['2001:db8:1:2::', '2001:db8:1::/48'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['not an address', 'not an address'],
  ])('N43 %s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
