// The program on the page of the TypeScript client: it compiles under strict settings, and it runs against the real service.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fencesOf, read, root } from '../../markdown.ts'
import type { Service } from './start.ts'

const run = promisify(execFile)
const CLIENT = path.join(root, 'src/clients/typescript/index.ts')

export function program(started: () => Service): void {
  describe('the program on the page of the TypeScript client', () => {
    let folder = ''

    beforeAll(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'selvedge-program-'))
      const blocks = fencesOf(read('src/clients/typescript/README.md')).filter(({ language }) => language === 'ts')
      const text = blocks.map(block => block.text).join('\n')
      writeFileSync(path.join(folder, 'program.ts'), text.replace("'selvedge/client'", JSON.stringify(CLIENT)))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('compiles in a strict project', async () => {
      const compilerOptions = {
        target: 'ES2023',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        moduleDetection: 'force',
        types: ['node'],
        typeRoots: [path.join(root, 'node_modules/@types')],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        noEmit: true,
      }
      writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
      const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
      const outcome = await run(process.execPath, [compiler, '-p', folder]).catch(error => error)
      expect(outcome.stdout).toBe('')
    })

    it('does what it says', async () => {
      const { baseUrl, orgSlug, apiKey } = started().key
      const env = { ...process.env, BASE_URL: baseUrl, ORG_SLUG: orgSlug, API_KEY: apiKey }
      const args = [path.join(folder, 'program.ts')]
      const { stdout } = await run(process.execPath, args, { env })
      for (const expected of ['#DC143C', 'style,price\nLS-7,49', '100', 'created: 1', 'create {', 'delete {']) {
        expect(stdout).toContain(expected)
      }
    })
  })
}
