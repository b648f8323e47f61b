// Which tests run through which function, kept until a source or a test changes.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Mutant } from './mutants.ts'
import type { CoveredFile, TestRef } from './protocol.ts'
import { allSources, ROOT } from './targets.ts'
import { unitAt, unitsOf } from './units.ts'

const FILE = path.join(ROOT, 'node_modules/.cache/mutate/coverage.json')
/** Of one file, before others have their turn. */
const TESTS_OF_A_FILE = 40

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const folder of ['src', 'test', 'drizzle']) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(ts|tsx|sql)$/.test(name) || (folder === 'test' && /^(bench|browser|clients|kill|mutate)\b/.test(name)))
        continue
      hash.update(name).update(readFileSync(path.join(ROOT, folder, name)))
    }
  }
  return hash.digest('hex')
}

export function keptCoverage(): CoveredFile[] | undefined {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as { fingerprint: string; files: CoveredFile[] }
    return kept.fingerprint === fingerprint() ? kept.files : undefined
  } catch {
    return undefined
  }
}

export function keepCoverage(files: CoveredFile[]): void {
  mkdirSync(path.dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify({ fingerprint: fingerprint(), files }))
}

export class Coverage {
  readonly #files: readonly CoveredFile[]
  /** The number of the first function of each source. */
  readonly #first = new Map<string, number>()
  readonly #units = new Map<string, ReturnType<typeof unitsOf>>()
  readonly #ms = new Map<string, number>()

  constructor(files: readonly CoveredFile[]) {
    this.#files = files
    let first = 0
    for (const source of allSources()) {
      const units = unitsOf(source)
      this.#first.set(source.file, first)
      this.#units.set(source.file, units)
      first += units.length
    }
    for (const { tests } of files) for (const { id, ms } of tests) this.#ms.set(id, ms)
  }

  /** Tests that may notice the mutant, the likeliest first, at most so many. */
  testsFor(mutant: Mutant, most: number): TestRef[] {
    const units = this.#units.get(mutant.file) ?? []
    const first = this.#first.get(mutant.file) ?? 0
    const numbers = units.map((_, at) => first + at)
    const unit = unitAt(units, mutant.start)
    const own = unit ? [first + units.indexOf(unit)] : numbers
    // What is built once may have been built by another test: those that come near it follow.
    const refs = [
      ...this.#through(new Set(own), mutant.file),
      ...(unit ? this.#through(new Set(numbers), mutant.file) : []),
    ]
    const seen = new Set<string>()
    let left = most
    return refs.flatMap(ref => {
      const ids = ref.ids.filter(id => !seen.has(id)).slice(0, left)
      for (const id of ids) seen.add(id)
      left -= ids.length
      return ids.length > 0 ? [{ ...ref, ids }] : []
    })
  }

  msOf(refs: readonly TestRef[]): number {
    return refs.flatMap(({ ids }) => ids).reduce((sum, id) => sum + (this.#ms.get(id) ?? 0), 0)
  }

  #through(numbers: ReadonlySet<number>, source: string): TestRef[] {
    const near = this.#files
      .map(file => {
        const direct = file.tests.filter(({ hits }) => hits.some(hit => numbers.has(hit)))
        // Only what is done once for all tests of the file runs through it.
        const tests = direct.length === 0 && file.hits.some(hit => numbers.has(hit)) ? file.tests : direct
        return { file, tests: [...tests].sort((a, b) => a.ms - b.ms) }
      })
      .filter(({ tests }) => tests.length > 0)
      .sort((a, b) => nearness(b.file, source) - nearness(a.file, source) || cost(a.tests) - cost(b.tests))
    const part = (from: number, to?: number) =>
      near.map(({ file, tests }) => ({
        project: file.project,
        file: file.file,
        ids: tests.slice(from, to).map(({ id }) => id),
      }))
    return [...part(0, TESTS_OF_A_FILE), ...part(TESTS_OF_A_FILE)]
  }
}

const cost = (tests: readonly { ms: number }[]) => tests.reduce((sum, { ms }) => sum + ms, 0)

/** Words that the addresses of test and source have in common; pure tests are quick. */
function nearness({ project, file }: CoveredFile, source: string): number {
  const words = new Set(source.split(/[/.-]/))
  const common = file.split(/[/.-]/).filter(word => words.has(word) && !['src', 'test', 'ts'].includes(word))
  return common.length + (project === 'pure' ? 1 : 0)
}
