// Which addresses outbound calls may go to (N41). Pure. It judges what is written in the URL; names that resolve to a
// private address are stopped by the network that a Worker's calls leave through, which reaches none.
import { isPublic, parseAddress } from '../../platform/ip-address.ts'
import { isForbiddenInZone, type OwnZone } from './own-zone.ts'

const MAX_URL_LENGTH = 2048

const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa', 'onion']

export interface AddressRules {
  /** On a developer's machine: plain http and private addresses are allowed. */
  isLocal: boolean
  zone?: OwnZone | undefined
}

/** Why the address is refused; undefined where it may be called. */
export function addressFault(text: string, { isLocal, zone }: AddressRules): string | undefined {
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
  if (!isLocal && zone && isForbiddenInZone(url.hostname, zone)) {
    return `"${url.hostname}" is in the zone of this service, where calls bypass the firewall. The operator can allow it in OWN_ZONE_HOSTS.`
  }
  return undefined
}

/** The hostname as the URL parser writes it: numbers of any notation have become dotted decimals. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  const isIpv6 = host.startsWith('[')
  const address = parseAddress(isIpv6 ? host.slice(1, -1) : host)
  if (address !== undefined) return !isPublic(address)
  return (
    isIpv6 || !host.includes('.') || PRIVATE_SUFFIXES.some(suffix => host === suffix || host.endsWith(`.${suffix}`))
  )
}

/** A path below a configured address; undefined where it would lead elsewhere. */
export function addressBelow(base: string, path: string): string | undefined {
  if (path === '') return base
  const root = new URL(base)
  const [pathOnly = '', query] = path.split(/\?(.*)/s)
  // A backslash is a slash to the URL parser, an encoded slash one to some receivers, and dots climb.
  const parts = pathOnly.split(/\/|%2f|%5c/i)
  if (/[\\#\s\p{Cc}]/u.test(path) || parts.some(part => /^(\.|%2e){1,2}$/i.test(part))) return undefined
  if (pathOnly !== '') root.pathname = `${root.pathname.replace(/\/$/, '')}/${pathOnly.replace(/^\/+/, '')}`
  // What the operator has put there stays.
  if (query) root.search = root.search ? `${root.search}&${query}` : query
  return root.href
}
