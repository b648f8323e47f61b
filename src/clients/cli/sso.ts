// Single sign-on at a terminal (N11): a browser signs in, and brings a code back to an address of this machine that only this
// command listens to. The code alone is worth nothing: the verifier never leaves this process before the exchange.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, login, ssoAddress } from '../typescript/index.ts'
import { Failure } from './failure.ts'
import type { World } from './terminal.ts'

const PATIENCE_MS = 300_000
const CALLBACK_PATH = '/callback'

export interface SsoOptions {
  baseUrl: string
  orgSlug: string
  signal: AbortSignal
}

export async function loginBySso(world: World, options: SsoOptions): Promise<Client> {
  const { baseUrl, orgSlug } = options
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const redirectUri = `http://127.0.0.1:${port}${CALLBACK_PATH}`
    const address = ssoAddress({ baseUrl, orgSlug, redirectUri, state, codeChallenge })
    world.stderr.write(`Sign in with your browser. If it does not open by itself, go to:\n\n  ${address}\n\n`)
    const arrival = codeAt(server, state, options.signal)
    world.openBrowser(address)
    return await login({ ...options, code: await arrival, codeVerifier })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** The code of the first call with our state; whatever else knocks is turned away. */
function codeAt(server: Server, state: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(failed('Nobody signed in within five minutes.'))
    const timer = setTimeout(tooLate, PATIENCE_MS)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      const answer = (status: number, text: string) => {
        response
          .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
          .end(`${text}\n`)
      }
      if (url.pathname !== CALLBACK_PATH || url.searchParams.get('state') !== state) return answer(404, 'Nothing here.')
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      const code = url.searchParams.get('code')
      answer(200, code ? 'You are signed in. You can close this window.' : 'Signing in failed. Look at your terminal.')
      // The page is on its way before the listener goes.
      response.once('close', () => {
        if (code) resolve(code)
        else
          reject(
            failed(url.searchParams.get('error_description') ?? url.searchParams.get('error') ?? 'No code came back.'),
          )
      })
    })
  })
}

function failed(why: string): Failure {
  return new Failure({ what: 'Single sign-on failed.', why, todo: 'Try again, or sign in with --email or --api-key.' })
}
