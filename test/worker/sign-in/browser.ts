// A browser that signs in at the identity provider: it keeps cookies, follows redirects and fills in the provider's forms.
import { expect } from 'vitest'
import { digestOf } from '../../../src/platform/digest.ts'
import { randomText } from '../../../src/platform/ids.ts'
import { fetchWorker, ORIGIN, queryText } from '../api.ts'
import { newAddress, type Session, stranger } from './team.ts'

export const LOOPBACK = 'http://127.0.0.1:9999/callback'

export interface Journey {
  verifier: string
  /** The provider's page that the service has led to. */
  url: string
}

export async function begin(orgSlug: string, redirectUri = LOOPBACK, state?: string): Promise<Journey> {
  const verifier = randomText(50)
  const query = { orgSlug, redirectUri, codeChallenge: await digestOf(verifier), ...(state && { state }) }
  const response = await visit(`/api/auth/sso/start${queryText(query)}`)
  expect(response.status, await response.clone().text()).toBe(302)
  return { verifier, url: response.headers.get('Location') ?? '' }
}

export function visit(path: string): Promise<Response> {
  return fetchWorker(path, { redirect: 'manual', headers: { 'CF-Connecting-IP': newAddress() } })
}

/** Signs in at the provider; the address of the service that it leads back to, not yet visited. */
export async function signInAtProvider(start: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const page = await response.text()
    const location = response.headers.get('Location')
    if (location?.startsWith(ORIGIN)) return location
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    if (!location && !action) throw new Error(`the provider is stuck: ${response.status} ${page.slice(0, 300)}`)
    form = location ? undefined : new URLSearchParams({ ...promptOf(page), login, password: 'any' })
    url = new URL(location ?? action ?? '', url).href
  }
  throw new Error('the provider does not come to an end')
}

function promptOf(page: string): { prompt: string } {
  return { prompt: /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '' }
}

/** Visits the callback; where the person ends. */
export async function comeBack(callback: string): Promise<URL> {
  const response = await visit(callback.slice(ORIGIN.length))
  expect(response.status, await response.clone().text()).toBe(302)
  return new URL(response.headers.get('Location') ?? '')
}

export async function travel(orgSlug: string, login: string, redirectUri?: string, state?: string) {
  const { verifier, url } = await begin(orgSlug, redirectUri, state)
  const end = await comeBack(await signInAtProvider(url, login))
  return { verifier, end, code: end.searchParams.get('code') ?? '', error: end.searchParams.get('error') }
}

export function fetchSession(code: string, codeVerifier: string) {
  return stranger().post<Session>('/auth/sso/token', { code, codeVerifier })
}
