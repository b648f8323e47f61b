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

const inFeature = (file: string) => file.startsWith('src/features/')
const named = (name: string) => (source: Source) => path.posix.basename(source.file) === name

/** The lines of some text of each source that hold what they must not. */
const offences = (chosen: Source[], textOf: (source: Source) => string, pattern: RegExp) =>
  chosen.flatMap(source =>
    textOf(source)
      .split('\n')
      .filter(line => pattern.test(line))
      .map(line => `${source.file}: ${line.trim().slice(0, 120)}`),
  )

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
}

/** What stands between quotes, a line each; of templates without what is put into them. */
function stringsIn(text: string): string {
  const strings = withoutComments(text).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...strings]
    .map(([, one, two, three]) => (one ?? two ?? three ?? '').replaceAll(/\$\{[^{}]*\}/g, ''))
    .join('\n')
}

/** Code without comments and without the text of strings. */
function codeOf(text: string): string {
  return withoutComments(text).replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
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

  it('our own files are named with their ending', () => {
    expect(importing(all, /^(src|test)\/(?!.*\.(ts|tsx|json|js)$)/)).toEqual([])
  })
})

describe('features', () => {
  /** Imports run down only, and within a level in no circle. */
  const LEVELS = [
    ['organizations', 'history', 'types'],
    ['entities', 'audit'],
    ['auth', 'files', 'outbound'],
    ['assortments', 'sign-in', 'operator'],
    ['invitations', 'members', 'sso'],
    ['loads'],
    ['workflows'],
    ['events'],
  ]
  const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]
  const levelOf = (feature: string) => LEVELS.findIndex(level => level.includes(feature))
  const ways = sources.flatMap(({ file, imports }) => {
    const from = featureOf(file)
    return imports.flatMap(target => {
      const to = featureOf(target)
      return from && to && from !== to ? [{ from, to, text: `${file} imports ${target}` }] : []
    })
  })

  it('have a place in the order, each of them', () => {
    const found = new Set(sources.flatMap(({ file }) => featureOf(file) ?? []))
    expect([...found].sort()).toEqual(LEVELS.flat().sort())
  })

  it('import none that stands above them', () => {
    expect(ways.length).toBeGreaterThan(50)
    expect(ways.filter(({ from, to }) => levelOf(to) > levelOf(from)).map(({ text }) => text)).toEqual([])
  })

  it('import each other in no circle', () => {
    const reached = (from: string, seen = new Set<string>()): Set<string> => {
      for (const way of ways) {
        if (way.from !== from || seen.has(way.to)) continue
        seen.add(way.to)
        reached(way.to, seen)
      }
      return seen
    }
    expect(LEVELS.flat().filter(feature => reached(feature).has(feature))).toEqual([])
  })

  it('do not import what is built of them: the table, the application, the queue', () => {
    expect(
      importing(
        sources.filter(({ file }) => inFeature(file)),
        /^src\/(kinds|app|queue|cron|index|reference)\.ts$/,
      ),
    ).toEqual([])
  })
})

describe('the table law', () => {
  const isKind = named('kind.ts')
  const found = (pattern: RegExp) =>
    sources
      .filter(isKind)
      .flatMap(({ file, text }) => [...text.matchAll(pattern)].map(match => ({ file, name: match[1] })))
  const names = found(/\bkind\(\s*'([a-z-]+)'/g).map(({ name }) => name)
  const rows = found(/export const (\w+) = kind\(/g)
  const others = worker.filter(source => !isKind(source))

  it('nothing branches on the name of an entity type but its row', () => {
    expect(names).toContain('custom-entity')
    const name = `'(${names.join('|')})'`
    // Comparisons, cases, and rows that are asked for by name. What a store selects by is no branch.
    const branch = new RegExp(
      `[=!]==?\\s*${name}|${name}\\s*[=!]==|\\bcase ${name}|\\b(kindNamed|findKind|targetNamed)\\(${name}\\)`,
    )
    expect(offences(others, ({ text }) => withoutComments(text), branch)).toEqual([])
  })

  it('nor on a row that another feature owns: that is the same in disguise', () => {
    expect(rows.map(({ name }) => name)).toContain('CUSTOM_ENTITY')
    const isDisguised = ({ file, text }: Source) => {
      const foreign = rows.filter(row => path.posix.dirname(row.file) !== file.split('/').slice(0, 3).join('/'))
      const row = `\\b(${foreign.map(({ name }) => name).join('|')})(\\.name)?\\b`
      return new RegExp(`[=!]==?\\s*${row}|${row}\\s*[=!]==|\\bcase ${row}`).test(withoutComments(text))
    }
    expect(isDisguised({ file: 'src/features/loads/x.ts', text: 'kind.name === ITEM.name', imports: [] })).toBe(true)
    expect(offenders(others, isDisguised)).toEqual([])
  })
})

describe('SQL', () => {
  /** Stores, and the pure files that put the text of a statement together for them. */
  const TEXT = /(^src\/platform\/db\/|store\.ts$|\/store\/|-sql\.ts$|\/relations\.ts$)/
  const SQL = /\b(SELECT\s+[\w*(,.'" ${}]+\s+FROM|INSERT INTO|DELETE FROM|UPDATE \w+ (AS \w+ )?SET|CREATE TABLE)\b/

  it('stands only in stores, in platform/db and in the pure files that put its text together', () => {
    expect(offenders(worker, ({ file, text }) => SQL.test(text) && !TEXT.test(file))).toEqual([])
  })

  it('is made by Drizzle in those places alone', () => {
    expect(
      importing(
        worker.filter(({ file }) => !TEXT.test(file)),
        /^drizzle-orm/,
      ),
    ).toEqual([])
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

  const isSchema = ({ file }: Source) => file.startsWith('src/platform/db/schema/')
  const schema = sources.filter(isSchema).map(({ text }) => text)
  const found = (pattern: RegExp) =>
    schema.flatMap(text => [...text.matchAll(pattern)].map(match => match[1] ?? match[2] ?? ''))

  it('names no table, column or index in a string: only the schema does', () => {
    const tables = found(/sqliteTable\(\s*'(\w+)'/g)
    const spelled = found(/'([a-z]+(?:_[a-z0-9]+)+)'/g)
    expect(tables).toContain('published_events')
    expect(spelled).toContain('created_by_id')
    const name = new RegExp(`\\b(${spelled.join('|')})\\b|\\b(FROM|JOIN|INTO|UPDATE)\\s+"?(${tables.join('|')})\\b`)
    const others = worker.filter(source => !isSchema(source))
    expect(offences(others, ({ text }) => stringsIn(text), name)).toEqual([])
  })

  it('writes entities and their records in platform/db/commit alone', () => {
    const offending = worker
      .filter(({ file }) => !file.startsWith('src/platform/db/commit/'))
      .flatMap(({ file, text }) => {
        const aliases = [...text.matchAll(/const (\w+) = named\((?:entities|changes)\b/g)].map(match => match[1])
        const table = `(${['entities', 'changes', ...aliases].join('|')})`
        const writes = new RegExp(
          `insertInto\\(${table}\\b|(INTO|UPDATE|DELETE FROM) \\$\\{(from\\()?${table}\\b|\\.(insert|update|delete)\\(${table}\\)`,
          'g',
        )
        return [...text.matchAll(writes)].map(match => `${file}: ${match[0]}`)
      })
    // Records that the organization's retention has let go (N25).
    expect(offending).toEqual(['src/features/history/store.ts: DELETE FROM ${changes'])
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
