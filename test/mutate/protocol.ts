// What the command and the process that runs the tests tell each other.

export interface TestRef {
  project: string
  /** From the root of the project. */
  file: string
  /** Vitest's id of the test; none: the whole file. */
  ids: string[]
}

export interface CoveredTest {
  id: string
  ms: number
  hits: number[]
}

export interface CoveredFile {
  project: string
  file: string
  /** By any of its tests, or by what is done once for all of them. */
  hits: number[]
  tests: CoveredTest[]
}

export type Request =
  | { type: 'cover' }
  | { type: 'try'; file: string; text: string; tests: TestRef[]; patienceMs: number }
  | { type: 'end' }

export type Reply =
  | { type: 'ready' }
  | { type: 'covered'; files: CoveredFile[]; failed: string[] }
  | { type: 'tried'; killedBy: string | null; testsRun: number }
