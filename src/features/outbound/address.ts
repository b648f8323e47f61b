// Which addresses outbound calls may go to (N41). Pure. It judges what is written in the URL; names that resolve to a
// private address are stopped by the network that a Worker's calls leave through, which reaches none.
import ipaddr from 'ipaddr.js'

const MAX_URL_LENGTH = 2048

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

/** The only block of IPv6 that is routed. */
const ROUTED = ipaddr.IPv6.parseCIDR('2000::/3')

/** The hostname as the URL parser writes it: numbers of any notation have become dotted decimals. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1))
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return isSpecial(ipaddr.IPv4.parse(host))
  return !host.includes('.') || PRIVATE_SUFFIXES.some(suffix => host === suffix || host.endsWith(`.${suffix}`))
}

function isPrivateIpv6(text: string): boolean {
  if (!ipaddr.IPv6.isValid(text)) return true
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return isSpecial(address.toIPv4Address())
  return isSpecial(address) || !address.match(ROUTED)
}

/** Private, loopback, reserved, or a tunnel to such: whatever has a range of its own. */
const isSpecial = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.range() !== 'unicast'

/** A path below a configured address; undefined where it would lead elsewhere. */
export function addressBelow(base: string, path: string): string | undefined {
  if (path === '') return base
  const root = new URL(base)
  const [pathOnly = '', query] = path.split(/\?(.*)/s)
  // A backslash is a slash to the URL parser, an encoded slash one to some receivers, and dots climb.
  const parts = pathOnly.split(/\/|%2f|%5c/i)
  if (/[\\#\s\p{Cc}]/u.test(path) || parts.some(part => /^(\.|%2e){1,2}$/i.test(part))) return undefined
  root.pathname = `${root.pathname.replace(/\/$/, '')}/${pathOnly.replace(/^\/+/, '')}`
  if (query !== undefined) root.search = query
  return root.href
}
