// Which hosts are the service's own zone (N84). A Worker's `fetch` to its own zone goes straight to the origin, past Workers and the
// firewall: calls to the service itself are dispatched inside it, and other hosts of the zone need the operator's permission.

export interface OwnZone {
  /** Host and port of each address that leads to this service. */
  own: readonly string[]
  /** Further hosts of the zone that the operator allows. */
  allowed: readonly string[]
}

/** Registries that sell names one level deeper, such as co.uk. */
const SECOND_LEVEL = /^(ac|co|com|edu|gov|ne|net|or|org)\.[a-z]{2}$/

const plain = (host: string) => host.toLowerCase().replace(/\.?(:\d+)?$/, '')

/** The domain that a host was registered under; on workers.dev an account's subdomain. */
function zoneOf(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host
  const labels = host.split('.')
  const top = labels.slice(-2).join('.')
  return labels.slice(top === 'workers.dev' || SECOND_LEVEL.test(top) ? -3 : -2).join('.')
}

export function isForbiddenInZone(hostname: string, { own, allowed }: OwnZone): boolean {
  const host = plain(hostname)
  const ownHosts = own.map(plain)
  if (allowed.includes(host) || ownHosts.includes(host)) return false
  return ownHosts.some(each => zoneOf(each) === zoneOf(host))
}

/** Whether a call to the address is a call of the service itself. */
export function isOwnAddress(url: string, zone: OwnZone | undefined): boolean {
  return zone?.own.includes(new URL(url).host) ?? false
}
