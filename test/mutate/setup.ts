// In the tests, while mutants are tried: notes which functions each test runs through, and stops at the first failure.
import { afterEach, beforeEach } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    hits?: number[]
  }
}

const own = new Set<number>()
const all = new Set<number>()
let hasFailed = false

Object.assign(globalThis, { __hits: own })

beforeEach(({ skip }) => {
  for (const hit of own) all.add(hit)
  own.clear()
  if (hasFailed) skip()
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasFailed = true
  if (own.size === 0) return
  for (const hit of own) all.add(hit)
  task.meta.hits = [...own]
  task.file.meta.hits = [...all]
})
