// The session of the console: a cookie that no script can read (N45). It counts only where the browser itself says that a page
// of ours asks; to everybody else it is as if it were not there.

const NAME = 'selvedge-session'

/** On https a browser takes it only from this very host, secure and for all paths: no other host of the domain can set it (N83). */
const isSecure = (url: string) => url.startsWith('https:')
const nameAt = (url: string) => (isSecure(url) ? `__Host-${NAME}` : NAME)

/** Whether a page of this service asks, by the word of the browser, which no page can change. */
export function isOwnPage({ headers, url }: Request): boolean {
  const site = headers.get('Sec-Fetch-Site')
  return site === null ? headers.get('Origin') === new URL(url).origin : site === 'same-origin'
}

/** The token of the session, where the cookie counts. Two cookies of the same name count as none, since either may be forged. */
export function sessionTokenOf(request: Request): string | undefined {
  const cookies = request.headers.get('Cookie')
  if (cookies === null || request.headers.has('X-Operator-Key') || !isOwnPage(request)) return undefined
  const found = cookies.split(';').flatMap(pair => {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s)
    return name === nameAt(request.url) ? [value] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** `seconds` 0 takes it back. */
export function sessionCookie(url: string, token: string, seconds: number): string {
  const secure = isSecure(url) ? '; Secure' : ''
  return `${nameAt(url)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
