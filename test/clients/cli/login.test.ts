import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { credentialsPath } from '../../../src/clients/cli/profiles.ts'
import { type FakeServer, fakeServer, problem } from '../fake-server.ts'
import { type Bench, bench } from './command.ts'

const session = { accessToken: 't0ken', expiresOn: '2999-01-01T00:00:00.000Z', user: { id: 'u1', email: 'a@b.c' } }

const me = {
  credential: { id: 's1', kind: 'session', expiresOn: '2999-01-01T00:00:00.000Z' },
  org: { id: 'o1', slug: 'demo' },
  user: { id: 'u1', email: 'a@b.c', role: 'admin' },
  role: 'admin',
  scope: 'write',
  tier: 'standard',
}

function service(): Promise<FakeServer> {
  return fakeServer(({ path: asked, method }) => {
    if (asked === '/api/auth/login') return { json: session }
    if (asked === '/api/auth/me') return { json: me }
    if (asked === '/api/auth/logout') return { status: 204 }
    if (asked === '/api/api-keys' && method === 'POST')
      return { status: 201, json: { id: 'k1', name: 'ci', key: 'app:new' } }
    return { json: { results: [], nextPageKey: null } }
  })
}

function fileOf({ env }: Bench): string {
  return path.join(env.XDG_CONFIG_HOME ?? '', 'selvedge', 'credentials.json')
}

describe('login', () => {
  it('keeps a key from the environment in a file that only its owner can read', async () => {
    const server = await service()
    const own = await bench()
    const env = { SELVEDGE_API_KEY: 'app:secret' }
    const { code, stdout, stderr } = await own.command(['login', '--base-url', server.baseUrl, '--org', 'demo'], {
      env,
    })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('Signed in to demo')
    expect(stderr).not.toContain('app:secret')
    expect((await stat(fileOf(own))).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(fileOf(own)))).mode & 0o777).toBe(0o700)
    expect((await own.command(['entities', 'list', 'item'])).code).toBe(0)
    expect(server.asked.at(-1)?.headers).toMatchObject({ 'x-api-key': 'app:secret', 'x-api-org': 'demo' })
  })

  it('asks for what is missing and does not show the password', async () => {
    const server = await service()
    const own = await bench()
    const answers = { Address: server.baseUrl, Organization: 'demo', Email: 'a@b.c', Password: 'pass word' }
    const ran = await own.command(['login'], { terminal: 80, answers })
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/Organization.*Email.*Password/s)
    expect(ran.stderr).not.toContain('pass')
    expect(server.asked[0]?.json).toEqual({ email: 'a@b.c', password: 'pass word', orgSlug: 'demo' })
  })

  it('takes the password from the environment or the first line of stdin', async () => {
    const server = await service()
    const own = await bench()
    const words = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--email', 'a@b.c']
    expect((await own.command(words, { stdin: 'piped\n' })).code).toBe(0)
    expect((await own.command(words, { env: { SELVEDGE_PASSWORD: 'from env' } })).code).toBe(0)
    expect(server.asked.map(each => each.json)).toMatchObject([{ password: 'piped' }, { password: 'from env' }])
    expect((await own.command(words)).code).toBe(2)
  })

  it.each(['__proto__', 'constructor'])(
    'keeps a profile under any name, and knows none that is not there: %s',
    async name => {
      const server = await service()
      const own = await bench()
      const profile = ['--profile', name]
      expect((await own.command(['whoami', ...profile])).code).toBe(4)
      expect((await own.command(['profiles', 'use', name])).code).toBe(2)
      const words = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:mine', ...profile]
      expect((await own.command(words)).code).toBe(0)
      expect((await own.command(['whoami', ...profile])).stdout).toContain(`profile ${name}`)
      expect((await own.command(['profiles', 'list'])).stdout).toContain(`\t${name}\t`)
      expect((await own.command(['logout', ...profile])).stderr).toContain('Signed out of demo')
      expect((await own.command(['logout', ...profile])).stderr).toContain(`There is no profile ${name}.`)
    },
  )

  it('takes a secret as it is: only the end of its line is no part of it', async () => {
    const server = await service()
    const own = await bench()
    const words = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--email', 'a@b.c']
    const password = ' pass word\t '
    for (const end of ['\n', '\r\n', '']) await own.command(words, { stdin: `${password}${end}` })
    await own.command(words, { terminal: 80, answers: { Password: '  typed  ' } })
    const sent = server.asked.map(({ json }) => (json as { password: string }).password)
    expect(sent).toEqual([password, password, password, '  typed  '])
    expect((await own.command(words, { stdin: ' \n' })).code).toBe(2)
  })

  it('is not kept from its file by what a killed run has left', async () => {
    const server = await service()
    const own = await bench()
    await mkdir(path.dirname(fileOf(own)), { recursive: true })
    await writeFile(`${fileOf(own)}.${process.pid}.new`, '')
    const words = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:mine']
    const { code, stderr } = await own.command(words)
    expect(code, stderr).toBe(0)
  })

  it('keeps nothing when the credential is refused', async () => {
    const server = await fakeServer(() => problem(401, 'unauthorized'))
    const own = await bench()
    const words = ['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:wrong']
    expect((await own.command(words)).code).toBe(4)
    await expect(stat(fileOf(own))).rejects.toThrow()
  })

  it('gives advice that helps: other words for a wrong password than for a wrong key', async () => {
    const server = await fakeServer(() => problem(401, 'unauthorized'))
    const own = await bench()
    const words = ['login', '--base-url', server.baseUrl, '--org', 'demo']
    const password = await own.command([...words, '--email', 'a@b.c'], { stdin: 'wrong\n' })
    expect(password.stderr).toContain('Email, password and organization do not fit together: a@b.c in demo.')
    expect(password.stderr).toContain('selvedge operator password-reset demo a@b.c')
    const key = await own.command([...words, '--api-key', 'app:wrong'])
    expect(key.stderr).toContain('belongs to another organization than demo')
    for (const { stderr } of [password, key]) expect(stderr).not.toContain('selvedge login')
  })

  it('is not needed where the variables of a local start are set, all three', async () => {
    const server = await service()
    const own = await bench()
    const local = { API_KEY: 'app:local', ORG_SLUG: 'demo', BASE_URL: server.baseUrl }
    expect((await own.command(['entities', 'list', 'item'], { env: local })).code).toBe(0)
    expect(server.asked.at(-1)?.headers).toMatchObject({ 'x-api-key': 'app:local', 'x-api-org': 'demo' })
    const full = { SELVEDGE_API_KEY: 'app:own', SELVEDGE_ORG: 'o', SELVEDGE_BASE_URL: server.baseUrl }
    await own.command(['entities', 'list', 'item'], { env: { ...local, ...full } })
    expect(server.asked.at(-1)?.headers).toMatchObject({ 'x-api-key': 'app:own', 'x-api-org': 'o' })
    const foreign = { API_KEY: 'of something else' }
    expect((await own.command(['entities', 'list', 'item'], { env: foreign })).code).toBe(4)
    await own.command(['login', '--api-key', 'app:mine'], { env: local })
    await own.command(['entities', 'list', 'item'], { env: local })
    expect(server.asked.at(-1)?.headers['x-api-key']).toBe('app:mine')
  })

  it('sends the key of a local start to no other service, and no other key to that', async () => {
    const [server, other] = [await service(), await service()]
    const own = await bench()
    const local = { API_KEY: 'of something else', ORG_SLUG: 'demo', BASE_URL: other.baseUrl }
    expect((await own.command(['login', '--base-url', server.baseUrl, '--org', 'demo'], { env: local })).code).toBe(2)
    expect((await own.command(['login', '--org', 'another'], { env: local })).code).toBe(2)
    expect((await own.command(['login'], { env: { ...local, SELVEDGE_API_KEY: 'app:own' } })).code).toBe(2)
    expect([...server.asked, ...other.asked]).toEqual([])
    expect((await own.command(['login', '--org', 'demo'], { env: local })).code).toBe(0)
    expect(other.asked[0]?.headers['x-api-key']).toBe('of something else')
  })

  it('says so when a session has ended', async () => {
    const server = await service()
    const own = await bench()
    await own.command(['login', '--base-url', server.baseUrl, '--org', 'demo', '--email', 'a@b.c'], { stdin: 'x\n' })
    await writeFile(fileOf(own), (await readFile(fileOf(own), 'utf8')).replace('2999', '2001'))
    const { code, stderr } = await own.command(['entities', 'list', 'item'])
    expect(code).toBe(4)
    expect(stderr).toContain('2001-01-01')
  })

  it('closes a file that others can read and says so; a broken one is named', async () => {
    const server = await service()
    const own = await bench()
    await own.command(['login', '--base-url', server.baseUrl, '--org', 'demo', '--api-key', 'app:k'])
    await chmod(fileOf(own), 0o644)
    expect((await own.command(['profiles', 'list'])).stderr).toContain('readable by others')
    expect((await stat(fileOf(own))).mode & 0o777).toBe(0o600)
    await writeFile(fileOf(own), '{"current": 1}')
    const { code, stderr } = await own.command(['profiles', 'list'])
    expect(code).toBe(1)
    expect(stderr).toContain(fileOf(own))
  })
})

describe('profiles', () => {
  it('are chosen by --profile, the environment, or the current one', async () => {
    const server = await service()
    const own = await bench()
    const login = (name: string) => ['login', '--base-url', server.baseUrl, '--org', name, '--api-key', `app:${name}`]
    await own.command([...login('one'), '--profile', 'one'])
    await own.command([...login('two'), '--profile', 'two'])
    const usedBy = async (words: string[], env = {}) => {
      await own.command([...words, 'entities', 'list', 'item'], { env })
      return server.asked.at(-1)?.headers['x-api-key']
    }
    expect(await usedBy([])).toBe('app:two')
    expect(await usedBy(['--profile', 'one'])).toBe('app:one')
    expect(await usedBy([], { SELVEDGE_PROFILE: 'one' })).toBe('app:one')
    const byKey = { SELVEDGE_API_KEY: 'app:env', SELVEDGE_ORG: 'o', SELVEDGE_BASE_URL: server.baseUrl }
    expect(await usedBy([], byKey)).toBe('app:env')
    expect(await usedBy(['--profile', 'one'], byKey)).toBe('app:one')
    await own.command(['profiles', 'use', 'one'])
    expect(await usedBy([])).toBe('app:one')
    const listed = await own.command(['profiles', 'list'])
    expect(listed.stdout).toContain('*\tone\tone\t')
    expect(listed.stdout).not.toContain('app:')
    expect((await own.command(['profiles', 'remove', 'none'])).code).toBe(2)
    await own.command(['profiles', 'remove', 'two'])
    expect(await usedBy([])).toBe('app:one')
  })

  it('whoami tells who is signed in where', async () => {
    const server = await service()
    const { command } = await bench(server)
    const { stdout } = await command(['whoami', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ source: 'environment', orgSlug: 'demo', user: 'a@b.c', scope: 'write' })
  })

  it('log out ends the session at the service and forgets it', async () => {
    const server = await service()
    const own = await bench()
    await own.command(['login', '--base-url', server.baseUrl, '--org', 'demo', '--email', 'a@b.c'], { stdin: 'x\n' })
    expect((await own.command(['logout'])).code).toBe(0)
    expect(server.asked.at(-1)).toMatchObject({ path: '/api/auth/logout', headers: { authorization: 'Bearer t0ken' } })
    expect((await own.command(['whoami'])).code).toBe(4)
  })

  it.each([['logout'], ['profiles', 'remove', 'one']])(
    'makes no other profile the current one: %s %s %s',
    async (...words) => {
      const server = await service()
      const own = await bench()
      for (const profile of ['two', 'one']) {
        const to = ['--base-url', server.baseUrl, '--org', 'demo', '--profile', profile]
        await own.command(['login', ...to], { env: { SELVEDGE_API_KEY: `app:${profile}` } })
      }
      expect((await own.command(words)).code).toBe(0)
      const { code, stderr } = await own.command(['whoami'])
      expect(code).toBe(4)
      expect(stderr).toContain('None of the profiles is the current one: two.')
      expect(stderr).toContain('selvedge profiles use NAME')
      expect((await own.command(['logout'])).stderr).toContain('Nobody is signed in.')
      expect((await own.command(['whoami'], { env: { SELVEDGE_PROFILE: 'two' } })).code).toBe(0)
      await own.command(['profiles', 'use', 'two'])
      expect((await own.command(['whoami'], { env: { SELVEDGE_PROFILE: '' } })).code).toBe(0)
    },
  )

  it('stand in the configuration folder of the system', () => {
    const world = { env: {}, platform: 'linux', homeFolder: '/home/me' }
    expect(credentialsPath(world)).toBe('/home/me/.config/selvedge/credentials.json')
    expect(credentialsPath({ ...world, env: { XDG_CONFIG_HOME: '/x' } })).toBe('/x/selvedge/credentials.json')
    expect(credentialsPath({ ...world, platform: 'win32', env: { APPDATA: '/app' } })).toBe(
      '/app/selvedge/credentials.json',
    )
  })
})

describe('getApiKey', () => {
  it('prints the key alone on stdout, this once, and can keep it as a profile', async () => {
    const server = await service()
    const own = await bench(server)
    const { code, stdout, stderr } = await own.command([
      'getApiKey',
      '--name',
      'ci',
      '--scope',
      'read',
      '--save-as',
      'ci',
    ])
    expect([code, stdout]).toEqual([0, 'app:new\n'])
    expect(stderr).toContain('shown this once')
    expect(server.asked[0]).toMatchObject({ path: '/api/api-keys', json: { name: 'ci', scope: 'read' } })
    await own.command(['entities', 'list', 'item', '--profile', 'ci'])
    expect(server.asked.at(-1)?.headers['x-api-key']).toBe('app:new')
  })

  it('tells a key that it takes a person, and how to become one', async () => {
    const own = await bench(await fakeServer(() => problem(403, 'forbidden')))
    for (const words of [['getApiKey'], ['keys', 'rotate', 'k1'], ['users', 'list']]) {
      const { code, stderr } = await own.command(words)
      expect(code).toBe(1)
      expect(stderr).toContain('A key cannot do this; a person can.')
      expect(stderr).toContain('selvedge login --email YOUR_EMAIL')
      expect(stderr).toContain('--profile default')
    }
  })
})
