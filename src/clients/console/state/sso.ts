// Single sign-on in a browser (N11): the verifier stays in this tab until the provider leads back.
import { ssoAddress } from '../../typescript/index.ts'
import { postOpen } from './open-call.ts'
import { signedIn } from './session.ts'

const KEPT = 'selvedge.sso'

interface Begun {
  verifier: string
  state: string
  next: string
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

export async function beginSso(baseUrl: string, orgSlug: string): Promise<void> {
  const begun: Begun = { verifier: random(), state: random(), next: location.pathname + location.search }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier))
  const codeChallenge = base64url(new Uint8Array(digest))
  sessionStorage.setItem(KEPT, JSON.stringify(begun))
  const redirectUri = `${location.origin}/console/sso`
  location.assign(ssoAddress({ baseUrl, orgSlug, redirectUri, state: begun.state, codeChallenge }))
}

/** The address to go on with. */
export async function finishSso(answer: URLSearchParams): Promise<string> {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  const begun = text === null ? undefined : (JSON.parse(text) as Begun)
  const refusal = answer.get('error_description') ?? answer.get('error')
  if (refusal !== null) throw new Error(refusal)
  const code = answer.get('code')
  if (!begun || code === null || answer.get('state') !== begun.state) {
    throw new Error('This sign-in was not begun in this tab. Begin again.')
  }
  await postOpen('/auth/sso/token', { code, codeVerifier: begun.verifier, cookie: true })
  await signedIn()
  return begun.next.startsWith('/console') ? begun.next : '/console/'
}
