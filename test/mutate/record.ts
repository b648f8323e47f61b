// Setup of the coverage run: notes which mutants each test passes by, and which are passed by before and between the tests.
import { afterEach, beforeEach, vi } from 'vitest'
import { mutation } from './mutation.ts'

declare module 'vitest' {
  interface TaskMeta {
    hits?: number[]
    /** Of the file: while it was loaded, and in what is done once for all its tests. */
    sharedHits?: number[]
  }
}

// As in attempt.ts: each file sees its own modules being loaded.
vi.resetModules()
const between = new Set<number>()
mutation.hits = between

beforeEach(() => {
  mutation.hits = new Set()
})

afterEach(({ task }) => {
  task.meta.hits = [...(mutation.hits ?? [])]
  task.file.meta.sharedHits = [...between]
  mutation.hits = between
})
