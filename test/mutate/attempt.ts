// One attempt, in a test file of its own (attempts.ts): tests of some files run with one mutant on, up to the first that fails.
import { afterAll, afterEach, beforeEach, describe, it, type RunnerTask, vi } from 'vitest'
import { mutation } from './mutation.ts'

/** More than any test asks; a second or two. */
const QUESTIONS_MAX = 200_000_000

export interface FileToTry {
  file: string
  /** The tests that pass by the mutant. */
  names: string[]
  load(): Promise<unknown>
}

/** What this process knows of a mutant: the test that has killed it. */
const { killed } = mutation

export function attempt(mutant: number, files: FileToTry[]): void {
  run(mutant, files, (file, name) => killed.set(mutant, { file, name }))
}

/** After it: the test that has failed passes without the mutant. */
export function control(mutant: number, files: FileToTry[]): void {
  const by = killed.get(mutant)
  const again = files.filter(({ file }) => file === by?.file).map(file => ({ ...file, names: [by?.name ?? ''] }))
  run(-1, again, () => {})
  it('ends', () => {})
}

function run(active: number, files: readonly FileToTry[], onFailure: (file: string, name: string) => void): void {
  // What is made once, a statement or a table, must be made with the mutant on.
  vi.resetModules()
  mutation.active = active
  mutation.left = QUESTIONS_MAX
  let hasFailed = false
  for (const { file, names, load } of files) {
    describe(file, async () => {
      const wanted = new Set([LOADING, ...names])
      const failed = (name: string) => {
        hasFailed = true
        onFailure(file, name)
      }
      beforeEach(({ task, skip }) => {
        if (hasFailed || !wanted.has(nameOf(task))) skip()
      })
      afterEach(({ task }) => {
        if (task.result?.state === 'fail') failed(nameOf(task))
      })
      await load().catch(error => {
        it(LOADING, () => {
          throw error
        })
      })
    })
  }
  afterAll(() => {
    mutation.active = -1
    mutation.left = Number.POSITIVE_INFINITY
  })
}

const LOADING = 'loading the file'

/** With its suites, but for that of its file. */
function nameOf({ name, suite }: RunnerTask): string {
  return suite?.suite ? `${nameOf(suite)} > ${name}` : name
}
