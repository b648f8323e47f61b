// The sources and the tests as text, with what they import, for the rules of the house.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

export interface Source {
  /** Relative to the root, with slashes. */
  file: string
  text: string
  /** What it imports: packages by their names, our own files relative to the root. */
  imports: string[]
}

export function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

export function read(file: string): Source {
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

export const sources = filesBelow('src').map(read)
export const tests = filesBelow('test').map(read)
export const all = [...sources, ...tests]
export const worker = sources.filter(({ file }) => !file.startsWith('src/clients/') && !file.startsWith('src/scripts/'))

export const offenders = (chosen: Source[], isOffence: (source: Source) => boolean) =>
  chosen.filter(isOffence).map(source => source.file)
export const importing = (chosen: Source[], target: RegExp) =>
  chosen.flatMap(({ file, imports }) =>
    imports.filter(name => target.test(name)).map(name => `${file} imports ${name}`),
  )

export const inFeature = (file: string) => file.startsWith('src/features/')
export const named = (name: string) => (source: Source) => path.posix.basename(source.file) === name

/** The lines of some text of each source that hold what they must not. */
export const offences = (chosen: Source[], textOf: (source: Source) => string, pattern: RegExp) =>
  chosen.flatMap(source =>
    textOf(source)
      .split('\n')
      .filter(line => pattern.test(line))
      .map(line => `${source.file}: ${line.trim().slice(0, 120)}`),
  )

export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
}

/** What stands between quotes, a line each; of templates without what is put into them. */
export function stringsIn(text: string): string {
  const strings = withoutComments(text).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...strings]
    .map(([, one, two, three]) => (one ?? two ?? three ?? '').replaceAll(/\$\{[^{}]*\}/g, ''))
    .join('\n')
}

/** Code without comments and without the text of strings. */
export function codeOf(text: string): string {
  return withoutComments(text).replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
}
