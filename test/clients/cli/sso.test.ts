import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Asked, fakeServer, problem } from '../fake-server.ts'
import { bench } from './command.ts'

const session = { accessToken: 't0ken', expiresOn: '2999-01-01T00:00:00.000Z', user: { id: 'u1', email: 'a@b.c' } }

/** A service whose identity provider lets everybody in, or gives the error instead. */
function service(outcome: Record<string, string>) {
  return fakeServer((asked: Asked) => {
    if (asked.path === '/api/auth/sso/start') {
      const back = new URLSearchParams({ state: asked.query.state ?? '', ...outcome })
      return { status: 302, headers: { location: `${asked.query.redirectUri}?${back}` } }
    }
    if (asked.path === '/api/auth/sso/token') return { json: session }
    return problem(404, 'not_found')
  })
}

const words = (baseUrl: string) => ['login', '--base-url', baseUrl, '--org', 'demo', '--sso']

describe('login --sso (N11)', () => {
  it('takes the code from the loopback redirect and exchanges it with the verifier', async () => {
    const server = await service({ code: 'c0de' })
    const own = await bench()
    let page: Promise<string> | undefined
    const browse = (address: string) => {
      page = fetch(address).then(answer => answer.text())
    }
    const { code, stderr } = await own.command(words(server.baseUrl), { browse })
    expect(code).toBe(0)
    expect(stderr).toContain(`${server.baseUrl}/auth/sso/start?orgSlug=demo&redirectUri=http%3A%2F%2F127.0.0.1%3A`)
    expect(await page).toContain('You are signed in')
    const [start, exchange] = server.asked
    const { code: sent, codeVerifier } = (exchange?.json ?? {}) as Record<string, string>
    expect(sent).toBe('c0de')
    const challenge = createHash('sha256')
      .update(codeVerifier ?? '')
      .digest('base64url')
    expect(start?.query.codeChallenge).toBe(challenge)
    const { stdout } = await own.command(['profiles', 'list'])
    expect(stdout).toContain('a@b.c')
  })

  it('turns away calls without its state and waits on', async () => {
    const server = await service({ code: 'c0de' })
    const own = await bench()
    const strangers: number[] = []
    const browse = async (address: string) => {
      const redirect = new URL(address).searchParams.get('redirectUri') ?? ''
      for (const tail of ['?code=evil', '?code=evil&state=guess', '/../other']) {
        strangers.push((await fetch(redirect + tail)).status)
      }
      await fetch(address)
    }
    expect((await own.command(words(server.baseUrl), { browse })).code).toBe(0)
    expect(strangers).toEqual([404, 404, 404])
    expect(server.asked.at(-1)?.json).toMatchObject({ code: 'c0de' })
  })

  it('fails with what the identity provider says', async () => {
    const server = await service({ error: 'access_denied', error_description: 'You are not a member.' })
    const own = await bench()
    const { code, stderr } = await own.command(words(server.baseUrl), { browse: address => void fetch(address) })
    expect(code).toBe(1)
    expect(stderr).toContain('You are not a member.')
  })

  it('ends at Ctrl-C', async () => {
    const own = await bench()
    const interruption = new AbortController()
    const browse = () => interruption.abort(new DOMException('Interrupted', 'AbortError'))
    const { code } = await own.command(words('http://127.0.0.1:9'), { browse, signal: interruption.signal })
    expect(code).toBe(130)
  })
})
