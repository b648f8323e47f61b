// Two real OpenID Connect providers on this machine, started in Node before the tests of the Worker. Whoever signs in there is
// whom they say: the login is the email. `unverified…` has an email that the provider does not vouch for, `nameless…` none,
// and `other|email` is somebody else with that email.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { TestProject } from 'vitest/node'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider-client.ts'

const CALLBACKS = 'https://selvedge.test/api/auth/sso/callback/'

declare module 'vitest' {
  export interface ProvidedContext {
    issuer: string
    /** Of another company; it knows the same people. */
    otherIssuer: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [first, second] = [await startProvider(), await startProvider()]
  project.provide('issuer', first.issuer)
  project.provide('otherIssuer', second.issuer)
  return async () => {
    await Promise.all([first.stop(), second.stop()])
  }
}

async function startProvider(): Promise<{ issuer: string; stop(): Promise<void> }> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answer = silently(() => {
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [CALLBACKS] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      cookies: { keys: ['cookie key of the tests'] },
      findAccount: (_context: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(login) }),
    })
    // One client serves every organization of the tests, each of which has a callback address of its own.
    provider.Client.prototype.redirectUriAllowed = address => address.startsWith(CALLBACKS)
    return provider.callback()
  })
  return { issuer, stop: () => new Promise(resolve => server.close(() => resolve())) }
}

function claimsOf(login: string): Record<string, unknown> {
  if (login.startsWith('nameless')) return { sub: login }
  const email = login.split('|').at(-1)
  return { sub: login, email, email_verified: !login.startsWith('unverified') }
}

/** The provider warns at length that its keys and pages are for development: here they are. */
function silently<T>(work: () => T): T {
  const { info, warn } = console
  console.info = console.warn = () => undefined
  try {
    return work()
  } finally {
    Object.assign(console, { info, warn })
  }
}
