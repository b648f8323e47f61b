// Addresses of the internet and blocks of them, strictly as the RFCs write them: an octal, hexadecimal or shortened IPv4 address is
// none, nor is one with a zone. An address is its 128 bits; one of IPv4 is the address of IPv6 that it is mapped to. Pure.

const WIDTH = 128
const IPV4_WIDTH = 32
/** `::ffff:0:0/96` */
const MAPPED = 0xffffn

const GROUPS = 8
const GROUP = /^[\da-f]{1,4}$/i
const OCTET = /^(?:0|[1-9]\d{0,2})$/
const EMBEDDED = /^(.*:)([\d.]+\.[\d.]+)$/

export interface Block {
  address: bigint
  /** How many of the 128 are common to all of its addresses. */
  bits: number
}

export function parseAddress(text: string): bigint | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every(octet => OCTET.test(octet) && Number(octet) <= 255)) return undefined
  return octets.reduce((address, octet) => (address << 8n) | BigInt(octet), MAPPED)
}

function parseIpv6(text: string): bigint | undefined {
  const [, before, dotted] = EMBEDDED.exec(text) ?? []
  if (dotted === undefined) return parseGroups(text)
  const low = parseIpv4(dotted)?.toString(16).slice(-8)
  return low === undefined ? undefined : parseGroups(`${before}${low.slice(0, 4)}:${low.slice(4)}`)
}

function parseGroups(text: string): bigint | undefined {
  const [head = [], tail, more] = text.split('::').map(half => (half === '' ? [] : half.split(':')))
  const missing = GROUPS - head.length - (tail?.length ?? 0)
  if (more || (tail ? missing < 1 : missing !== 0)) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])]
  if (!groups.every(group => GROUP.test(group))) return undefined
  return BigInt(`0x${groups.map(group => group.padStart(4, '0')).join('')}`)
}

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32` */
export function parseBlock(text: string): Block | undefined {
  const [network = '', length, more] = text.split('/')
  const address = parseAddress(network)
  if (address === undefined || more !== undefined) return undefined
  if (length === undefined) return { address, bits: WIDTH }
  const width = network.includes(':') ? WIDTH : IPV4_WIDTH
  if (!OCTET.test(length) || Number(length) > width) return undefined
  return { address, bits: WIDTH - width + Number(length) }
}

export const isIpv4 = (address: bigint) => address >> BigInt(IPV4_WIDTH) === MAPPED

/** No block of IPv6 holds addresses of IPv4, not even that of all. */
export function isWithin(address: bigint, block: Block): boolean {
  return isIpv4(address) === isIpv4(block.address) && (address ^ block.address) >> BigInt(WIDTH - block.bits) === 0n
}

const blocks = (texts: string) => texts.split(' ').map(text => parseBlock(text) as Block)

/** The only block of IPv6 that is routed, and all of IPv4. */
const ROUTED = blocks('2000::/3 0.0.0.0/0')

/** Of these: private, loopback, reserved, for documents and tests, or a tunnel to such. */
const SPECIAL = blocks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 ' +
    '192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ' +
    '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20',
)

/** Whether it can be that of a stranger on the internet. */
export function isPublic(address: bigint): boolean {
  const isIn = (block: Block) => isWithin(address, block)
  return ROUTED.some(isIn) && !SPECIAL.some(isIn)
}

/** `192.0.2.7` */
export function ipv4Text(address: bigint): string {
  return [24n, 16n, 8n, 0n].map(shift => (address >> shift) & 0xffn).join('.')
}

/** The block of a whole site around an address of IPv6: `2001:db8:1::/48` */
export function siteText(address: bigint): string {
  const groups = [112n, 96n, 80n].map(shift => ((address >> shift) & 0xffffn).toString(16))
  return `${groups.join(':').replace(/(^|:)0(:0)*$/, '')}::/48`
}
