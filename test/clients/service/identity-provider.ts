// A real OpenID Connect provider on this machine, and a browser that signs in there: whoever comes is whom they say.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { onTestFinished, vi } from 'vitest'

const CLIENT = { clientId: 'selvedge', clientSecret: 'client-secret-of-the-tests-0123456789' }
const MOST_PAGES = 15

export async function identityProvider(redirectUri: string) {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns at length that its keys and pages are for development.
  const quiet = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')].map(spy => spy.mockImplementation(() => {}))
  answer = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['cookie key of the tests'] },
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, email: login, email_verified: true }),
    }),
  }).callback()
  for (const spy of quiet) spy.mockRestore()
  return { issuer, ...CLIENT }
}

/** Follows redirects, keeps cookies, fills in the provider's forms, until a page is the last one. */
export async function browse(address: string, login: string): Promise<void> {
  const jar = new Map<string, string>()
  let form: URLSearchParams | undefined
  let url = address
  for (let page = 0; page < MOST_PAGES; page++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form && { method: 'POST', body: form }
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      jar.set(name, value)
    }
    const text = await response.text()
    const next = response.headers.get('location') ?? /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
    if (next === undefined) return
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? ''
    form = response.headers.has('location') ? undefined : new URLSearchParams({ prompt, login, password: 'any' })
    url = new URL(next, url).href
  }
  throw new Error('The provider does not come to an end.')
}
