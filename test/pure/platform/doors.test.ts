// Small doors that stand wherever they are used: what is local, what an error may tell.
import { describe, expect, it, vi } from 'vitest'
import { resultOf } from '../../../src/features/workflows/actions/call.ts'
import type { Env } from '../../../src/platform/env.ts'
import { faultOf } from '../../../src/platform/errors.ts'
import { isLocal } from '../../../src/platform/pace.ts'

vi.mock('cloudflare:workers', () => ({ exports: {} }))

describe('what is local', () => {
  it.each([
    ['local', true],
    ['test', true],
    ['production', false],
    ['staging', false],
    ['', false],
    [undefined, false],
    ['constructor', false],
  ])('%s: %s', (environment, local) => {
    expect(isLocal({ ENVIRONMENT: environment as Env['ENVIRONMENT'] })).toBe(local)
  })
})

describe('an error of the database', () => {
  it('is 503 where a repeat may help', () => {
    expect(faultOf(new Error('D1_ERROR: D1 DB is overloaded.')).code).toBe('unavailable')
    expect(faultOf(new Error('D1_ERROR: no such column')).code).toBe('internal')
  })
})

describe('an answer from outside', () => {
  const answered = (text: string) =>
    resultOf({ answered: true, status: 200, contentType: 'application/json', text, isCut: false }, 'erp', 1, true)

  it('is read as JSON, unless it holds names that reach prototypes', () => {
    expect(answered('{"a": 1}')).toMatchObject({ output: { body: { a: 1 } } })
    const hostile = '{"__proto__": {"isAdmin": true}}'
    expect(answered(hostile)).toMatchObject({ output: { body: hostile } })
  })
})
