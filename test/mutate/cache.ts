// What lies under node_modules/.cache/mutate: the sources with their mutants, the files of the run under way.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mutantsOf } from './mutants.ts'
import { type Numbered, switched } from './switched.ts'
import { ROOT, targets } from './targets.ts'

export const CACHE = path.join(ROOT, 'node_modules/.cache/mutate')
export const SOURCES = path.join(CACHE, 'sources')
/** Of this command alone: several may run at once. */
export const RUN = process.env.MUTATE_RUN ?? path.join(CACHE, `run-${process.pid}`)

/** All mutants, numbered, and their sources written for the plugin of vitest.config.ts. */
export function prepared(): Numbered[] {
  const all: Numbered[] = []
  for (const source of targets()) {
    const mutants = mutantsOf(source).map((mutant, at) => ({ ...mutant, id: all.length + at }))
    const file = path.join(SOURCES, source.file)
    mkdirSync(path.dirname(file), { recursive: true })
    writeIfOther(file, switched(source, mutants))
    all.push(...mutants)
  }
  return all
}

function writeIfOther(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

export const hashOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(path.join(ROOT, file)))
    .digest('hex')

/** Of all that decides what a test runs through, but for the test file itself. */
export function fingerprint(): string {
  const hash = createHash('sha256')
  const mutants = /^test\/mutate\/(mutants|sql-mutants|place|switched|targets|record)\.ts$/
  for (const folder of ['src', 'drizzle', 'test/worker', 'test/pure', 'test/mutate']) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const file = path.posix.join(folder, name.split(path.sep).join('/'))
      if (!/\.(ts|tsx|sql)$/.test(file) || file.endsWith('.test.ts')) continue
      if (folder !== 'test/mutate' || mutants.test(file)) hash.update(file).update(hashOf(file))
    }
  }
  return hash.digest('hex')
}
