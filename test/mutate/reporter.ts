// Writes a line for each test file that begins or ends, for runs.ts to read.
import { appendFileSync } from 'node:fs'
import type { TestCase, TestModule } from 'vitest/node'
import { required } from './environment.ts'
import type { FileEnd } from './runs.ts'

const out = required('MUTATE_OUT')
const write = (line: object) => appendFileSync(out, `${JSON.stringify(line)}\n`)

export default class LineReporter {
  onTestModuleQueued({ moduleId }: TestModule): void {
    write({ type: 'start', file: moduleId })
  }

  /** A sign of life. */
  onTestCaseResult(): void {
    write({ type: 'test' })
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()]
    const failed = tests.find(test => test.result().state === 'failed')
    const end: FileEnd = {
      type: 'end',
      project: module.project.name,
      file: module.moduleId,
      isOk: module.ok(),
      failure: failed ? `${failed.fullName}: ${messageOf(failed)}` : (module.errors()[0]?.message ?? null),
      sharedHits: module.meta().sharedHits ?? [],
      tests: tests
        .filter(test => test.result().state !== 'skipped')
        .map(test => ({
          name: test.fullName,
          ms: Math.round(test.diagnostic()?.duration ?? 0),
          hits: test.meta().hits ?? [],
        })),
    }
    write(end)
  }
}

const messageOf = (test: TestCase) => (test.result().errors?.[0]?.message ?? '').split('\n')[0]?.slice(0, 160)
