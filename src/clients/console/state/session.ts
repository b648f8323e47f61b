// Who is signed in, and the one client that every page calls. The session is a cookie that no script can read (N45).
import { signal } from '@preact/signals'
import { ApiError, type Client, connect, type Me } from '../../typescript/index.ts'
import { keep, kept } from './kept.ts'

export const BASE_URL = `${location.origin}/api`

/** Undefined: not asked yet; null: nobody. */
export const me = signal<Me | null | undefined>(undefined)

/** A refused session anywhere leads to the sign-in page, which comes back to the same address. */
const watchful: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status === 401 && me.value) me.value = null
  return response
}

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
let wasSomebody = false

export async function askWhoIAm(): Promise<void> {
  meFault.value = undefined
  if (!kept(SIGNED_IN, false)) {
    me.value = null
    return
  }
  try {
    me.value = await client.me()
    wasSomebody = true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) me.value = null
    else meFault.value = error
  }
}

export async function signedIn(): Promise<void> {
  keep(SIGNED_IN, true)
  // Somebody else may have been here: nothing that they saw stays in memory.
  if (wasSomebody) location.reload()
  else await askWhoIAm()
}

export async function signOut(): Promise<void> {
  await client.logout()
  keep(SIGNED_IN, undefined)
  sessionStorage.removeItem(BOOKMARK)
  location.reload()
}

export const isAdmin = () => me.value?.role === 'admin'
export const orgSlug = () => me.value?.org.slug ?? ''
