// Who is signed in, and the one client that every page calls. The session is a cookie that no script can read (N45).
import { signal } from '@preact/signals'
import { ApiError, type Client, connect, type Me } from '../../typescript/index.ts'
import { keep, kept, keyOf } from './kept.ts'
import { forgetUnsaved } from './unsaved.ts'

export const BASE_URL = `${location.origin}/api`

/** Undefined: not asked yet; null: nobody. */
export const me = signal<Me | null | undefined>(undefined)

let writes = 0
/** Goes up when this tab begins to write something, and when that has been answered: what was read before may be old. */
export const writesSoFar = () => writes

/**
 * A refused session anywhere leads to the sign-in page, over the page that was open. All tabs have one session: what this tab
 * shows must be the organization that it is of.
 */
const watchful: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  // Also when the session has ended: what goes on meanwhile must not end up with whoever signs in next.
  const org = (me.value ?? last)?.org.slug
  if (org !== undefined && !asksWhoCame(input)) headers.set('X-Api-Org', org)
  const isWrite = init?.method !== undefined && init.method !== 'GET'
  if (isWrite) writes++
  const response = await fetch(input, { ...init, headers })
  if (isWrite) writes++
  if (response.status === 401 && me.value) me.value = null
  return response
}

/** The client asks by texts alone. */
const asksWhoCame = (input: RequestInfo | URL) => input === `${BASE_URL}/auth/me`

/** How far this tab has read and written: after a reload it sees its own writes still, from the nearest copy (N59). */
const BOOKMARK = 'selvedge.bookmark'

export const client: Client = connect({
  baseUrl: BASE_URL,
  cookie: true,
  fetch: watchful,
  maxRetries: 2,
  bookmark: sessionStorage.getItem(BOOKMARK) ?? undefined,
  onBookmark: bookmark => {
    if (bookmark === undefined) sessionStorage.removeItem(BOOKMARK)
    else sessionStorage.setItem(BOOKMARK, bookmark)
  },
})

/** Why nobody knows who is signed in: the service does not answer. */
export const meFault = signal<unknown>(undefined)

/** Whether this browser has signed in at all: else the question would only be refused. */
const SIGNED_IN = 'signedIn'

/** Who was here last: what they have typed stays for them alone. */
let last: Me | undefined
export const whoWasHere = () => last

/** How often somebody has come back to what they left: what was refused meanwhile is asked for again. */
export const returns = signal(0)

const isOther = (now: Me) => last !== undefined && (last.org.id !== now.org.id || last.user?.id !== now.user?.id)

/** Throws where somebody comes back and the service does not answer: they are told where they signed in. */
export async function askWhoIAm(comesAnother = nobodyIsHere): Promise<void> {
  meFault.value = undefined
  if (!kept(SIGNED_IN, false)) return nobodyIsHere()
  try {
    const now = await client.me()
    if (isOther(now)) return comesAnother()
    if (last) returns.value++
    last = now
    me.value = now
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) nobodyIsHere()
    else if (last) throw error
    else meFault.value = error
  }
}

function nobodyIsHere(): void {
  me.value = null
}

export async function signedIn(): Promise<void> {
  keep(SIGNED_IN, Date.now())
  await askWhoIAm(() => {
    // Nothing that somebody else saw or typed stays in memory.
    forgetUnsaved()
    location.reload()
  })
}

// Another tab has signed in or out.
addEventListener('storage', ({ key }) => {
  // What fails in the background is told by what somebody does next.
  if (key === keyOf(SIGNED_IN) && last) askWhoIAm().catch(() => undefined)
})

export async function signOut(): Promise<void> {
  await client.logout()
  keep(SIGNED_IN, undefined)
  sessionStorage.removeItem(BOOKMARK)
  location.reload()
}

export const isAdmin = () => me.value?.role === 'admin'
export const orgSlug = () => me.value?.org.slug ?? ''
