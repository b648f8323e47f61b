// Which addresses outbound calls may go to (N41). Pure. It judges what is written in the URL; names that resolve to a
// private address are stopped by the network that a Worker's calls leave through, which reaches none.

const MAX_URL_LENGTH = 2048

/** [network, prefix length] that are not the public internet. */
const PRIVATE_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa', 'onion']

export interface AddressRules {
  /** On a developer's machine: plain http and private addresses are allowed. */
  isLocal: boolean
}

/** Why the address is refused; undefined where it may be called. */
export function addressFault(text: string, { isLocal }: AddressRules): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `The address is longer than ${MAX_URL_LENGTH} characters.`
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'Expected an absolute https address.'
  }
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'Expected an https address.'
  if (url.username || url.password) return 'The address must not hold a user or a password.'
  if (url.hash) return 'The address must not hold a fragment.'
  if (!isLocal && isPrivateHost(url.hostname)) return 'Private and loopback addresses are not called.'
  return undefined
}

/** The hostname as the URL parser writes it: numbers of any notation have become dotted decimals. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1))
  const ipv4 = ipv4Number(host)
  if (ipv4 !== undefined) return isPrivateIpv4(ipv4)
  return !host.includes('.') || PRIVATE_SUFFIXES.some(suffix => host === suffix || host.endsWith(`.${suffix}`))
}

function ipv4Number(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}

function isPrivateIpv4(address: number): boolean {
  return PRIVATE_IPV4.some(([network, prefix]) => {
    const size = 2 ** (32 - prefix)
    return Math.floor(address / size) === Math.floor((ipv4Number(network) ?? 0) / size)
  })
}

function isPrivateIpv6(text: string): boolean {
  const groups = ipv6Groups(text)
  if (!groups) return true
  const [first = 0, second = 0] = groups
  const last32 = (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0)
  const isZeroUpTo = (end: number) => groups.slice(0, end).every(group => group === 0)
  // Addresses that carry an IPv4 address: mapped, compatible (with :: and ::1), translated, 6to4.
  if (isZeroUpTo(5) && groups[5] === 0xffff) return isPrivateIpv4(last32)
  if (isZeroUpTo(6)) return true
  if (first === 0x64 && second === 0xff9b) return true
  if (first === 0x2002) return isPrivateIpv4(second * 65_536 + (groups[2] ?? 0))
  // Only 2000::/3 is routed; of it 2001:db8::/32 is for books and 2001::/23 for protocols.
  if (first < 0x2000 || first > 0x3fff) return true
  return first === 0x2001 && (second === 0xdb8 || second < 0x200)
}

function ipv6Groups(text: string): number[] | undefined {
  const [head = '', tail] = text.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)))
  const left = read(head)
  const right = tail === undefined ? [] : read(tail)
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right]
  return groups.length === 8 && groups.every(group => group >= 0 && group <= 0xffff) ? groups : undefined
}

/** A path below a configured address; undefined where it would lead elsewhere. */
export function addressBelow(base: string, path: string): string | undefined {
  if (path === '') return base
  const root = new URL(base)
  const [pathOnly = '', query] = path.split(/\?(.*)/s)
  // A backslash is a slash to the URL parser, and dots climb.
  if (/[\\#\s\p{Cc}]/u.test(path) || pathOnly.split('/').some(part => /^(\.|%2e){1,2}$/i.test(part))) return undefined
  root.pathname = `${root.pathname.replace(/\/$/, '')}/${pathOnly.replace(/^\/+/, '')}`
  if (query !== undefined) root.search = query
  return root.href
}
