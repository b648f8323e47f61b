// One attempt, in a test file of its own (wrappers.ts): tests of one file run with one mutant on, up to the first that fails.
import { afterAll, afterEach, beforeEach, it, type RunnerTask, vi } from 'vitest'
import { mutation } from './mutation.ts'

export interface Attempt {
  mutant: number
  file: string
  /** The tests that pass by the mutant. */
  names: string[]
  load(): Promise<unknown>
}

/** More than any test asks; a second or two. */
const QUESTIONS_MAX = 200_000_000

const { killed } = mutation

/** With its suites, without its file. */
function fullName(task: RunnerTask): string {
  return task.suite ? `${fullName(task.suite)} > ${task.name}` : task.name
}

export async function attempt({ mutant, file, names, load }: Attempt): Promise<void> {
  if (killed.has(mutant)) return nothingToDo()
  await run({ active: mutant, names, load }, name => killed.set(mutant, { file, name }))
}

/** After the attempts of a mutant: the test that has failed passes without it. */
export async function control(mutant: number, loads: Record<string, () => Promise<unknown>>): Promise<void> {
  const by = killed.get(mutant)
  const load = by && loads[by.file]
  if (!load) return nothingToDo()
  await run({ active: -1, names: [by.name], load }, () => {})
}

interface Run {
  active: number
  names: string[]
  load(): Promise<unknown>
}

async function run({ active, names, load }: Run, onFailure: (name: string) => void): Promise<void> {
  // What is made once, a statement or a table, must be made with the mutant on.
  vi.resetModules()
  mutation.active = active
  mutation.left = QUESTIONS_MAX
  let hasFailed = false
  const failed = (name: string) => {
    hasFailed = true
    onFailure(name)
  }
  const wanted = new Set(names)
  beforeEach(({ task, skip }) => {
    if (hasFailed || !wanted.has(fullName(task))) skip()
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failed(fullName(task))
  })
  afterAll(() => {
    mutation.active = -1
    mutation.left = Number.POSITIVE_INFINITY
  })
  try {
    await load()
  } catch (error) {
    failed('loading the file')
    it('loading the file', () => {
      throw error
    })
  }
}

/** A file without tests would be an error. */
function nothingToDo(): void {
  it('killed already', () => {})
}
