// Which tests a mutant is tried with: those that pass by it, the likeliest to notice first.
import type { CoveredFile } from './coverage.ts'
import type { Numbered } from './switched.ts'

/** Tests of one file. */
export interface Trial {
  project: string
  file: string
  names: string[]
  ms: number
}

/** Of each file a few: of a hundred tests that all pass by, the first ones notice. */
const TESTS_OF_A_FILE = 25

/** Slower ones might not end in time by themselves. */
const TEST_MAX_MS = 8000

/** `mostMs`: how long all of them may take, as measured without a mutant. */
export function trialsFor(mutant: Numbered, all: readonly Numbered[], files: CoveredFile[], mostMs: number): Trial[] {
  const inSource = new Set(all.filter(({ file }) => file === mutant.file).map(({ id }) => id))
  // What is made once, a statement or a table, is made in another test than those that use it: all that come near follow.
  const direct = through(new Set([mutant.id]), mutant, files)
  const loading = direct.length > 0 ? [] : afterLoading(mutant, files)
  const nearest = loading.filter(trial => nearness(trial, mutant.file) > 1)
  const near = [...direct, ...nearest, ...through(inSource, mutant, files)]
  const trials = near.length > 0 ? near : loading
  const seen = new Set<string>()
  let ms = 0
  return trials.filter(trial => {
    if (seen.has(trial.file) || (ms > 0 && ms + trial.ms > mostMs)) return false
    seen.add(trial.file)
    ms += trial.ms
    return true
  })
}

function through(ids: ReadonlySet<number>, mutant: Numbered, files: readonly CoveredFile[]): Trial[] {
  return ranked(
    files.map(file => ({ ...file, tests: file.tests.filter(({ hits }) => hits.some(hit => ids.has(hit))) })),
    mutant,
  )
}

/** Of constants, which are made while test files are loaded and are passed by in no test. */
function afterLoading(mutant: Numbered, files: readonly CoveredFile[]): Trial[] {
  return ranked(
    files.filter(({ sharedHits }) => sharedHits.includes(mutant.id)),
    mutant,
  )
}

function ranked(files: readonly CoveredFile[], { file: source }: Numbered): Trial[] {
  return files
    .map(({ project, file, tests }) => {
      const quick = tests.filter(test => test.ms < TEST_MAX_MS).sort((a, b) => a.ms - b.ms)
      const chosen = quick.slice(0, TESTS_OF_A_FILE)
      const ms = chosen.reduce((sum, test) => sum + test.ms, 0)
      return { project, file, names: chosen.map(({ name }) => name), ms }
    })
    .filter(({ names }) => names.length > 0)
    .sort((a, b) => nearness(b, source) - nearness(a, source) || a.ms - b.ms)
}

/** Words that the addresses of test and source have in common; pure tests are quick. */
function nearness({ project, file }: Trial, source: string): number {
  const words = new Set(source.split(/[/.-]/))
  const common = file.split(/[/.-]/).filter(word => words.has(word) && !['src', 'test', 'ts'].includes(word))
  return common.length + (project === 'pure' ? 1 : 0)
}
