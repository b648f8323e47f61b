// Reads the sources and holds the rules of the house plan, so that they cannot rot.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const LINES_MAX = 300
const TEST_LINES_MAX = 400

interface Source {
  /** Relative to the root, with slashes. */
  file: string
  text: string
  /** What it imports: packages by their names, our own files relative to the root. */
  imports: string[]
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

function read(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
  )
  const imports = [...found].map(match => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target
  })
  return { file, text, imports }
}

const sources = filesBelow('src').map(read)
const tests = filesBelow('test').map(read)
const all = [...sources, ...tests]
const worker = sources.filter(({ file }) => !file.startsWith('src/clients/') && !file.startsWith('src/scripts/'))

const offenders = (chosen: Source[], isOffence: (source: Source) => boolean) =>
  chosen.filter(isOffence).map(source => source.file)
const importing = (chosen: Source[], target: RegExp) =>
  chosen.flatMap(({ file, imports }) =>
    imports.filter(name => target.test(name)).map(name => `${file} imports ${name}`),
  )

/** A feature's store is a file, or a folder where it has much to store. */
const STORE = /store\.ts$|\/store\//

const inFeature = (file: string) => file.startsWith('src/features/')
const named = (name: string) => (source: Source) => path.posix.basename(source.file) === name

/** Code without comments and without the text of strings. */
function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
}

describe('imports', () => {
  it('the rules look at sources at all', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(importing(sources, /./).length).toBeGreaterThan(200)
  })

  it('the Worker imports no client and no script', () => {
    expect(importing(worker, /^src\/(clients|scripts)\//)).toEqual([])
  })

  it('clients take nothing from the Worker', () => {
    const clients = sources.filter(({ file }) => file.startsWith('src/clients/'))
    expect(importing(clients, /^src\/(platform|features|app|index|kinds|queue|env)/)).toEqual([])
  })

  it('the platform knows no feature, no table of types and no application', () => {
    const platform = sources.filter(({ file }) => file.startsWith('src/platform/'))
    expect(importing(platform, /^src\/(features|console|clients|kinds|app|index|queue)/)).toEqual([])
  })

  it('routes import no store and no Drizzle', () => {
    expect(
      importing(
        sources.filter(named('routes.ts')),
        /store\.ts$|\/store\/|^drizzle-orm|platform\/db\/(client|commit|schema)/,
      ),
    ).toEqual([])
  })

  it('only the places where HTTP is spoken know Hono', () => {
    const verbs = worker.filter(({ file }) => inFeature(file) && !/\/(routes|gate)\.tsx?$/.test(file))
    expect(importing(verbs, /^hono(\/|$)|^@hono\//)).toEqual([])
  })

  it('only stores and platform/db import Drizzle', () => {
    const others = worker.filter(({ file }) => !file.startsWith('src/platform/db/') && !STORE.test(file))
    expect(importing(others, /^drizzle-orm/)).toEqual([])
  })

  it('our own files are named with their ending', () => {
    expect(importing(all, /^(src|test)\/(?!.*\.(ts|tsx|json|js)$)/)).toEqual([])
  })
})

describe('SQL', () => {
  const SQL = /\b(SELECT\s+[\w*(,.'" ${}]+\s+FROM|INSERT INTO|DELETE FROM|UPDATE \w+ (AS \w+ )?SET|CREATE TABLE)\b/
  /** Pure text of SQL, which a store binds and sends. */
  const TEXT = /(^src\/platform\/db\/|store\.ts$|\/store\/|-sql\.ts$|\/relations\.ts$)/

  it('stands only in stores, in platform/db and in the pure files that put its text together', () => {
    expect(offenders(worker, ({ file, text }) => SQL.test(text) && !TEXT.test(file))).toEqual([])
  })

  it('reaches the database only through platform/db and the stores', () => {
    const direct = /\benv\.DB\b|\.DB\.(prepare|batch|withSession)\b/
    expect(
      offenders(
        worker,
        ({ file, text }) => direct.test(codeOf(text)) && !/^src\/platform\/db\/|store\.ts$|\/store\//.test(file),
      ),
    ).toEqual([])
  })
})

describe('files', () => {
  it(`have no more than ${LINES_MAX} lines, tests ${TEST_LINES_MAX}`, () => {
    expect(offenders(sources, ({ text }) => text.split('\n').length > LINES_MAX)).toEqual([])
    expect(offenders(tests, ({ text }) => text.split('\n').length > TEST_LINES_MAX)).toEqual([])
  })

  it('have names that say what is in them, in kebab-case', () => {
    const vague = /(^|[/-])(utils?|common|helpers?|misc|manager|impl|dto)\.tsx?$|\/types\.tsx?$/
    // Where `types` is the word of the specification, for what describes entities.
    const isTheWord = (file: string) =>
      file.startsWith('src/features/types/') || file.startsWith('src/clients/cli/commands/')
    expect(offenders(all, ({ file }) => vague.test(file) && !isTheWord(file))).toEqual([])
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.tsx?$/
    expect(offenders(all, ({ file }) => !kebab.test(path.posix.basename(file)))).toEqual([])
  })

  it('hold no any, no assertion that something is there, and no suppression', () => {
    const any = /:\s*any\b(?=\s*[,;)=|&{\n[\]])|<any\b|\bas any\b/
    const assertion = /[\w)\]]!(?=[.;,)\]\n[])/
    const suppression = /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/
    const self = 'test/pure/import-rules.test.ts'
    const others = all.filter(({ file }) => file !== self)
    expect(offenders(others, ({ text }) => any.test(withoutTemplates(codeOf(text))))).toEqual([])
    expect(offenders(others, ({ text }) => assertion.test(withoutTemplates(codeOf(text))))).toEqual([])
    expect(offenders(others, ({ text }) => suppression.test(text))).toEqual([])
  })

  it('skip no test and leave none alone', () => {
    const skipped = /\b(it|test|describe)(\.\w+)*\.(skip|only|todo|fails)\b/
    expect(
      offenders(tests, ({ file, text }) => file !== 'test/pure/import-rules.test.ts' && skipped.test(codeOf(text))),
    ).toEqual([])
  })

  it('have named exports, but for the entry of the Worker and settings of tools', () => {
    expect(offenders(sources, ({ file, text }) => /^export default/m.test(text) && file !== 'src/index.ts')).toEqual([])
  })

  it('pure files read no clock and no randomness', () => {
    const pure = sources.filter(({ text }) => /^\/\/.*\bPure\.$/m.test(text))
    expect(pure.length).toBeGreaterThan(3)
    expect(
      offenders(pure, ({ text }) =>
        /\bDate\.now\(|\bnew Date\(\)|Math\.random|performance\.now|\bfetch\(|getRandomValues/.test(codeOf(text)),
      ),
    ).toEqual([])
  })
})

/** Templates hold text of other languages, such as SQL. */
function withoutTemplates(code: string): string {
  return code
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, '``')
    .replaceAll(/\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, '0')
}
