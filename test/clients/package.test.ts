// The package as its users get it: packed, installed into an empty project, imported, run, compiled against.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeServer } from './fake-server.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'selvedge-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root })
  const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? ''
  await writeFile(path.join(folder, 'package.json'), '{"name": "user", "private": true, "type": "module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('brings the client and the command, and nothing else', async () => {
    const installed = path.join(folder, 'node_modules/selvedge')
    const packed = await readdir(installed, { recursive: true })
    const beside = packed.filter(name => !/^dist\/client\/|^(README\.md|LICENSE|dist|dist\/client)$/.test(name))
    expect(beside.sort()).toEqual(['dist/cli.js', 'package.json'])
    expect(await readdir(path.join(folder, 'node_modules'))).toEqual(['.bin', '.package-lock.json', 'selvedge'])
    const { dependencies } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
  })

  it('has a client that needs no module of Node', async () => {
    const code = await readFile(path.join(folder, 'node_modules/selvedge/dist/client/index.js'), 'utf8')
    expect(code).not.toMatch(/\bimport\b\s*[({'"]|\bfrom\s*['"]|\brequire\(|\bBuffer\b|node:/)
  })

  it('can be imported as selvedge/client', async () => {
    const server = await fakeServer(() => ({ json: { results: [], nextPageKey: null } }))
    const script = `import { login, ApiError } from 'selvedge/client'
      const client = await login({ baseUrl: '${server.baseUrl}', apiKey: 'k', orgSlug: 'o' })
      const page = await client.entities.list({ entityName: 'item' })
      console.log(page.results.length, typeof ApiError)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
    expect(stdout).toBe('0 function\n')
  })

  it('has a command that npx finds', async () => {
    const { stdout } = await run('npx', ['--offline', 'selvedge', '--help'], { cwd: folder })
    expect(stdout).toContain('upload-and-load')
    const failed = await run('npx', ['--offline', 'selvedge', 'whoami'], {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: folder, SELVEDGE_API_KEY: '' },
    }).catch(error => error)
    expect(failed.code).toBe(4)
  })

  it.each([
    ['a browser', { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] }],
    ['Node', { lib: ['ES2022'], types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')] }],
    ['a Worker', { lib: ['ES2022'], types: [path.join(root, 'node_modules/@cloudflare/workers-types')] }],
  ])('is accepted by the compiler of a strict project for %s', async (name, options) => {
    const project = path.join(folder, name.replaceAll(' ', '-'))
    await mkdir(project)
    await writeFile(path.join(project, 'user.ts'), await readFile(path.join(import.meta.dirname, 'user-project.txt')))
    const compilerOptions = {
      ...options,
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: name === 'a Worker',
      noEmit: true,
    }
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }))
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
    const outcome = await run(process.execPath, [compiler, '-p', project]).catch(error => error)
    expect(outcome.stdout).toBe('')
  })
})
