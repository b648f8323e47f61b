// Held against a library that everybody uses: what both take means the same; where it is lenient, we are not.
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import {
  ipv4Text,
  isIpv4,
  isPublic,
  isWithin,
  parseAddress,
  parseBlock,
  siteText,
} from '../../../src/platform/ip-address.ts'

const RUNS = { numRuns: 3000 }

const bitsOf = (bytes: number[]) => bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n)
const mapped = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
const theirs = (text: string) => bitsOf(mapped(ipaddr.parse(text)).toByteArray())

/** As the rule for outbound calls was written over the library. */
function isPublicToThem(text: string): boolean {
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

/** Near the edges of every block that the library knows. */
const edges = [ipaddr.IPv4, ipaddr.IPv6].flatMap(kind => {
  const ranges = Object.values(
    (kind.prototype as unknown as { SpecialRanges: Record<string, unknown[]> }).SpecialRanges,
  )
  return ranges
    .flatMap(range => (Array.isArray(range[0]) ? range : [range]) as [ipaddr.IPv4 | ipaddr.IPv6, number][])
    .flatMap(([network, bits]) => {
      const width = network instanceof ipaddr.IPv4 ? 32 : 128
      const first = bitsOf(network.toByteArray())
      const behind = first + (1n << BigInt(width - bits))
      return [first - 1n, first, behind - 1n, behind].map(edge => textOf(BigInt.asUintN(width, edge), width))
    })
})

function textOf(address: bigint, width: number): string {
  const bytes = Array.from({ length: width / 8 }, (_, at) => Number((address >> BigInt(width - 8 * (at + 1))) & 0xffn))
  return ipaddr.fromByteArray(bytes).toString()
}

/** The library takes `::192.0.2.7` for a mapped address; it is one of IPv6 whose last bits are written like that. */
const isCompatible = (text: string) => /^::[\d.]+\./.test(text)
const anyIpv6 = fc.ipV6().filter(text => !isCompatible(text))
const ipv6 = fc.oneof(
  anyIpv6,
  fc.ipV4().map(text => `::ffff:${text}`),
  fc.bigInt({ min: 0n, max: 2n ** 125n - 1n }).map(low => textOf((1n << 125n) + low, 128)),
)
const address = fc.oneof(fc.ipV4(), ipv6, fc.constantFrom(...edges))
const nearlyAddress = fc.string({
  unit: fc.constantFrom('0', '1', '25', 'f', 'ffff', ':', '::', '.', '%', 'x', '/', ' ', '-'),
  maxLength: 24,
})

describe('an address', () => {
  it('is what the library takes it for', () => {
    fc.assert(
      fc.property(address, text => {
        expect(parseAddress(text)).toBe(theirs(text))
        expect(parseAddress(text.toUpperCase())).toBe(theirs(text))
      }),
      RUNS,
    )
  })

  it('is nothing that the library refuses', () => {
    fc.assert(
      fc.property(nearlyAddress, text => {
        const parsed = parseAddress(text)
        if (parsed !== undefined && !isCompatible(text)) expect(parsed).toBe(theirs(text))
      }),
      { numRuns: 20_000 },
    )
  })

  it('of IPv6 may end like one of IPv4', () => {
    expect(parseAddress('::192.0.2.7')).toBe(theirs('::c000:207'))
    expect(parseAddress('64:ff9b::192.0.2.7')).toBe(theirs('64:ff9b::c000:207'))
    expect(isPublic(parseAddress('::8.8.8.8') ?? 0n)).toBe(false)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.1000',
    '01.2.3.4',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '1.2.3.',
    '1.2.3.-4',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4\n',
    '１.2.3.4',
    ':',
    ':::',
    '1::2::3',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '::00001',
    '::g',
    '::1%eth0',
    '::1%1',
    '[::1]',
    '::1.2.3',
    '::01.2.3.4',
    '::0x1.2.3.4',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3.4%1',
    '::1\n',
  ])('is not %j', text => expect(parseAddress(text)).toBeUndefined())

  it('N41 can be that of a stranger wherever the library knows no range for it', () => {
    fc.assert(
      fc.property(address, text => {
        expect([text, isPublic(parseAddress(text) ?? 0n)]).toEqual([text, isPublicToThem(text)])
      }),
      RUNS,
    )
    for (const edge of edges) expect([edge, isPublic(parseAddress(edge) ?? 0n)]).toEqual([edge, isPublicToThem(edge)])
  })

  it('is written as the library writes it: one of IPv4 whole, of IPv6 its site', () => {
    fc.assert(
      fc.property(address, text => {
        const parsed = parseAddress(text) ?? 0n
        const known = ipaddr.process(text)
        expect(isIpv4(parsed)).toBe(known.kind() === 'ipv4')
        const site = () => `${ipaddr.IPv6.networkAddressFromCIDR(`${known}/48`)}/48`
        expect(isIpv4(parsed) ? ipv4Text(parsed) : siteText(parsed)).toBe(isIpv4(parsed) ? known.toString() : site())
      }),
      RUNS,
    )
  })
})

describe('a block', () => {
  it('N9 holds what it holds for the library', () => {
    const same = fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4(), fc.nat(32)), fc.tuple(anyIpv6, anyIpv6, fc.nat(128)))
    fc.assert(
      fc.property(same, fc.boolean(), ([network, other, length], isOwn) => {
        const text = isOwn ? network : other
        const block = parseBlock(`${network}/${length}`)
        const expected = ipaddr.parse(text).match(ipaddr.parseCIDR(`${network}/${length}`))
        // A mapped address is one of IPv4 to us, in whatever way it is written.
        if (isIpv4(theirs(text)) !== isIpv4(theirs(network))) return
        expect(block && isWithin(theirs(text), block)).toBe(expected)
      }),
      RUNS,
    )
  })

  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '::ffff:192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '192.0.2.7', false],
    ['::/0', '::ffff:192.0.2.7', false],
  ])('%s and %s: %s', (block, text, expected) => {
    expect(isWithin(theirs(text), parseBlock(block) ?? { address: 0n, bits: 128 })).toBe(expected)
  })

  it.each([
    '192.0.2.0/33',
    '::/129',
    '192.0.2.0/',
    '192.0.2.0/-1',
    '192.0.2.0/024',
    '192.0.2.0/0x8',
    '192.0.2.0/255.255.255.0',
    '192.0.2.0/24/24',
    '192.0.2/24',
    '/24',
    'local',
  ])('is not %j', text => expect(parseBlock(text)).toBeUndefined())
})
