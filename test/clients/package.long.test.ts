// The package as its users get it: packed, installed into an empty project, imported, run, compiled against.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, MODULES } from './compiled.ts'
import { fakeServer } from './fake-server.ts'
import { organizationTypes } from './organization-types.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'selvedge-package-'))
  await run('npm', ['run', 'package', '--', '--pack-destination', folder], { cwd: root })
  const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? ''
  await writeFile(path.join(folder, 'package.json'), '{"name": "user", "private": true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const installed = (file: string) => readFile(path.join(folder, 'node_modules/selvedge', file), 'utf8')

describe('the package', () => {
  it('brings the client and the command, and nothing else', async () => {
    const packed = await readdir(path.join(folder, 'node_modules/selvedge'), { recursive: true })
    const beside = packed.filter(name => !/^(esm|cjs)\/[\w-]+\.d\.ts$|^(README\.md|LICENSE|esm|cjs|client)$/.test(name))
    const code = ['cjs/index.js', 'cli.js', 'esm/index.js']
    const manifests = ['cjs/package.json', 'client/package.json', 'package.json']
    expect(beside.sort()).toEqual([...code, ...manifests].sort())
    expect(await readdir(path.join(folder, 'node_modules'))).toEqual(['.bin', '.package-lock.json', 'selvedge'])
    expect(await installed('package.json')).not.toMatch(/dependencies|scripts|private/i)
  })

  it.each(['esm', 'cjs'])('has a client that needs no module of Node (%s)', async format => {
    const code = await installed(`${format}/index.js`)
    expect(code).not.toMatch(/\bimport\b\s*[({'"]|\bfrom\s*['"]|\brequire\(|\bBuffer\b|node:/)
  })

  it.each([
    ['module', "import { login, ApiError } from 'selvedge/client'"],
    ['module', "import { login, ApiError } from 'selvedge'"],
    ['commonjs', "const { login, ApiError } = require('selvedge/client')"],
    ['commonjs', "const { login, ApiError } = require('selvedge')"],
  ])('can be loaded by a %s: %s', async (type, loading) => {
    const server = await fakeServer(() => ({ json: { results: [], nextPageKey: null } }))
    const script = `${loading}
      login({ baseUrl: '${server.baseUrl}', apiKey: 'k', orgSlug: 'o' })
        .then(client => client.entities.list({ entityName: 'item' }))
        .then(page => console.log(page.results.length, typeof ApiError))`
    const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: folder })
    expect(stdout).toBe('0 function\n')
  })

  it('has a command that npx finds', async () => {
    const { stdout } = await run('npx', ['--offline', 'selvedge', '--help'], { cwd: folder })
    expect(stdout).toContain('upload-and-load')
    const failed = await run('npx', ['--offline', 'selvedge', 'whoami'], {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: folder, SELVEDGE_API_KEY: '', API_KEY: '' },
    }).catch(error => error)
    expect(failed.code).toBe(4)
  })
})

describe('the declarations', () => {
  const node = { lib: ['ES2022'], types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')] }
  const browser = { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] }
  const worker = { lib: ['ES2022'], types: [path.join(root, 'node_modules/@cloudflare/workers-types')] }
  const modern = { module: 'NodeNext', moduleResolution: 'NodeNext' }

  it.each([
    ['a browser', 'mts', { ...browser, ...modern }],
    ['Node', 'mts', { ...node, ...modern }],
    ['Node in CommonJS', 'cts', { ...node, ...modern }],
    ['a Worker', 'mts', { ...worker, ...modern, skipLibCheck: true }],
    ['a bundler', 'ts', { ...browser, module: 'ESNext', moduleResolution: 'bundler' }],
    ['the resolution of Node 10', 'ts', { ...node, module: 'CommonJS', moduleResolution: 'node10' }],
  ])(
    'are accepted by the compiler of a strict project for %s',
    async (name, ending, options) => {
      const project = path.join(folder, name.replaceAll(' ', '-'))
      await mkdir(project)
      const file = `user.${ending}`
      await writeFile(path.join(project, file), await readFile(path.join(import.meta.dirname, 'user-project.txt')))
      const compilerOptions = {
        target: 'ES2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        noEmit: true,
        ...options,
      }
      await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
      const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
      const outcome = await run(process.execPath, [compiler, '-p', project]).catch(error => error)
      expect(outcome.stdout).toBe('')
    },
    120_000,
  )
})

describe('N54 types that were generated', () => {
  let project = ''
  const files = () => ['user.ts', 'selvedge-types.ts'].map(file => path.join(project, file))

  beforeAll(async () => {
    project = path.join(folder, 'registered')
    await mkdir(project)
    await writeFile(path.join(project, 'package.json'), '{"type": "module", "private": true}')
    await writeFile(path.join(project, 'types.json'), JSON.stringify(organizationTypes()))
    await run(
      'npx',
      ['--offline', 'selvedge', 'types', 'generate', '--from', 'types.json', '--out', 'selvedge-types.ts'],
      {
        cwd: project,
      },
    )
    const program = await readFile(path.join(import.meta.dirname, 'registered-project.txt'), 'utf8')
    await writeFile(path.join(project, 'user.ts'), program)
  })

  it.each(Object.keys(MODULES) as (keyof typeof MODULES)[])(
    'tell every wrong name, property, option, criterion and order from the right ones (%s)',
    async modules => {
      const program = await readFile(path.join(project, 'user.ts'), 'utf8')
      const wrong = program.split('\n').flatMap((line, at) => (line.endsWith('// wrong') ? [at + 1] : []))
      const complaints = complaintsOf(files(), modules)
      const unexpected = complaints.filter(({ file, line }) => file !== 'user.ts' || !wrong.includes(line))
      expect(unexpected).toEqual([])
      expect([...new Set(complaints.map(({ line }) => line))]).toEqual(wrong)
      expect(wrong.length).toBeGreaterThan(25)
    },
  )
})
