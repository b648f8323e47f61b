// The session of the console: a cookie that no script can read (N45). It counts only where the browser itself says that a page
// of ours asks; to everybody else it is as if it were not there.

const NAME = 'selvedge-session'
/** Requests for pages and scripts go without it. */
const PATH = '/api'

/** Whether a page of this service asks, by the word of the browser, which no page can change. */
export function isOwnPage({ headers, url }: Request): boolean {
  const site = headers.get('Sec-Fetch-Site')
  return site === null ? headers.get('Origin') === new URL(url).origin : site === 'same-origin'
}

/** The token of the session, where the cookie counts. Of two with the same name nobody knows which is ours. */
export function sessionTokenOf(request: Request): string | undefined {
  const cookies = request.headers.get('Cookie')
  if (cookies === null || request.headers.has('X-Operator-Key') || !isOwnPage(request)) return undefined
  const found = cookies.split(';').flatMap(pair => {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s)
    return name === NAME ? [value] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** `seconds` 0 takes it back. */
export function sessionCookie(url: string, token: string, seconds: number): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${NAME}=${token}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
