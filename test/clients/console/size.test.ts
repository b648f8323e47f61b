// The console as it is built: how much each page weighs (N44), and that nothing of the Worker is in it but the
// pipeline of loads and the form of archives.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layOutConsole, staticImports } from '../../../src/scripts/console/lay-out.ts'
import { root } from '../../markdown.ts'

const KB = 1000
const folder = mkdtempSync(path.join(os.tmpdir(), 'console-'))
let outputs: Metafile['outputs']

beforeAll(async () => {
  ;({ outputs } = await layOutConsole(folder))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const entryOf = (name: string) => {
  const found = Object.keys(outputs).find(file => outputs[file]?.entryPoint?.endsWith(`src/${name}`))
  if (found === undefined) throw new Error(`there is no piece for ${name}`)
  return found
}

const sizeOf = (file: string) => gzipSync(readFileSync(path.resolve(root, file))).length

/** What a browser must have fetched before it shows these pieces. */
function weightOf(names: readonly string[]): number {
  const entries = ['clients/console/main.tsx', ...names].map(entryOf)
  const style = outputs[entries[0] ?? '']?.cssBundle ?? ''
  const files = new Set([style, ...entries, ...entries.flatMap(entry => staticImports(outputs, entry))])
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0)
}

const page = (name: string) => `clients/console/${name}.tsx`

describe('the weight of the console', () => {
  it('N44 N116 the first page is at most 90 KB, script and style', () => {
    expect(weightOf([page('sign-in/sign-in')])).toBeLessThan(90 * KB)
    expect(weightOf([page('home/home')])).toBeLessThan(90 * KB)
  })

  it('N44 N116 any page is at most 200 KB', () => {
    const pages = Object.values(outputs).flatMap(({ entryPoint }) => {
      const name = /clients\/console\/([a-z-]+\/[a-z-]+)\.tsx$/.exec(entryPoint ?? '')?.[1]
      return name === undefined ? [] : [name]
    })
    expect(pages.length).toBeGreaterThan(12)
    for (const name of pages) expect(weightOf([page(name)]), name).toBeLessThan(200 * KB)
  })

  it('N44 the page of a new load, with the pipeline, is at most 260 KB', () => {
    expect(weightOf([page('imports/new-load'), 'features/loads/preview.ts'])).toBeLessThan(260 * KB)
  })
})

describe('what is in the console', () => {
  const inputs = () => [...new Set(Object.values(outputs).flatMap(output => Object.keys(output.inputs)))]

  it('N44 of the Worker only the pure pipeline of loads with what that stands on, and how archives are read', () => {
    const foreign = inputs().filter(file => file.startsWith('src/') && !file.startsWith('src/clients/'))
    expect(foreign).toContain('src/features/loads/rows/pipeline.ts')
    const pure =
      /^src\/(platform\/formats\/|features\/loads\/(csv|rows|drafts)\/|features\/loads\/(preview|issues|targets)\.ts$|features\/entities\/field-text\.ts$|features\/types\/web-address\.ts$|platform\/expression\/|platform\/(errors|json-safety|kind|limits|nearest)\.ts$)/
    expect(foreign.filter(file => !pure.test(file))).toEqual([])
    expect(foreign.filter(file => /store|\/db\/|\/http\//.test(file))).toEqual([])
  })

  it('N44 few packages, and none of the Worker', () => {
    const packages = inputs().flatMap(file => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
    expect([...new Set(packages)].sort()).toEqual([
      '@preact/signals',
      '@preact/signals-core',
      'diff',
      // Its own piece, fetched when a workbook is chosen.
      'hucre',
      // Its own piece, fetched when a stored configuration is opened.
      'js-yaml',
      'preact',
      'preact-iso',
    ])
  })

  it('N44 one page names hashed files alone', () => {
    const html = readFileSync(path.join(folder, 'console/index.html'), 'utf8')
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
    expect(
      named.filter(address => !/^\/console-files\/(icon\.svg|[\w-]+-[A-Z0-9]{8}\.(js|css))$/.test(address)),
    ).toEqual(['/docs/guides'])
    expect(html).not.toContain('<style')
    expect(html).not.toMatch(/<script(?![^>]*src)/)
  })
})
