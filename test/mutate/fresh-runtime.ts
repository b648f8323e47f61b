// Before the first test file of a mutant: what the mutant before it has left behind is gone, also what was still under way.
import { reset } from 'cloudflare:test'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    attempt: number
  }
}

const runtime = globalThis as { __attempt?: number }

if (runtime.__attempt !== inject('attempt')) {
  runtime.__attempt = inject('attempt')
  await reset()
}
