// Holds the rules of the house about imports, the table and SQL, so that they cannot rot.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesAmong } from './import-circles.ts'
import {
  all,
  codeOf,
  importing,
  inFeature,
  named,
  offences,
  offenders,
  type Source,
  sources,
  stringsIn,
  withoutComments,
  worker,
} from './sources.ts'

const made = (file: string, ...imports: string[]): Source => ({ file, imports, text: '' })

describe('imports', () => {
  it('the rules look at sources at all', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(importing(sources, /./).length).toBeGreaterThan(200)
  })

  it('the Worker imports no client and no script', () => {
    expect(importing(worker, /^src\/(clients|scripts)\//)).toEqual([])
  })

  it('clients take nothing from the Worker but the formats of files; the console also the shapes of the preview of loads', () => {
    const clients = sources.filter(({ file }) => file.startsWith('src/clients/'))
    const taken = importing(clients, /^src\/(platform(?!\/formats\/)|features|app|index|kinds|queue)/)
    const shapes = / imports src\/features\/loads\/preview-shape\.ts$/
    expect(taken.filter(each => !each.startsWith('src/clients/console/') || !shapes.test(each))).toEqual([])
  })

  it('the platform imports nothing outside itself', () => {
    const platform = sources.filter(({ file }) => file.startsWith('src/platform/'))
    expect(importing(platform, /^(src|test)\/(?!platform\/)/)).toEqual([])
  })

  it('no files import each other in a circle, types included', () => {
    expect(circlesAmong([made('a', 'b'), made('b', 'c'), made('c', 'a'), made('d', 'a')])).toEqual(['a b c'])
    expect(circlesAmong(sources)).toEqual([])
  })

  it('routes import no store and no Drizzle', () => {
    expect(
      importing(
        sources.filter(named('routes.ts')),
        /(^|[/-])store\.ts$|\/store\/|^drizzle-orm|platform\/db\/(client|commit|schema)/,
      ),
    ).toEqual([])
  })

  it('only the places where HTTP is spoken know Hono', () => {
    const verbs = worker.filter(({ file }) => inFeature(file) && !/\/(routes|gate)\.tsx?$/.test(file))
    expect(importing(verbs, /^hono(\/|$)|^@hono\//)).toEqual([])
  })

  it('our own files are named with their ending', () => {
    expect(importing(all, /^(src|test)\/(?!.*\.(ts|tsx|css|json|js|md\?raw)$)/)).toEqual([])
  })
})

describe('features', () => {
  /** Imports run down only, and within a level in no circle. */
  const LEVELS = [
    ['organizations', 'history', 'types', 'indexes'],
    ['entities', 'audit'],
    ['auth', 'files', 'outbound', 'search'],
    ['assortments', 'sign-in', 'operator'],
    ['invitations', 'members', 'sso', 'backup', 'moves'],
    ['loads'],
    ['exports', 'reverts'],
    ['workflows'],
    ['events'],
    ['agents'],
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

  it('is sent by no connection of Drizzle, which knows no deadline', () => {
    expect(importing(worker, /^drizzle-orm\/d1/)).toEqual([])
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
