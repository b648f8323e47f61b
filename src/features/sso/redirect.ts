// Where a person may be sent back to after single sign-on: a page of this service, or the command line's own loopback
// address (RFC 8252). Anything else would hand codes to strangers. Pure.

const REDIRECT_MAX_LENGTH = 1000

export function parseRedirect(text: string, ownOrigin: string): URL | undefined {
  if (text.length > REDIRECT_MAX_LENGTH || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password || url.hash || text.includes('#')) return undefined
  return url.origin === ownOrigin || isLoopback(url) ? url : undefined
}

/** By number only: the name `localhost` may lead elsewhere. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]')
}

export function withParameters(text: string, parameters: Record<string, string | null>): string {
  const url = new URL(text)
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}
