import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appended,
  decide,
  type Received,
  type TaskInput,
  type TaskState,
} from '../../../src/features/workflows/task/machine.ts'
import { jsonBytes } from '../../../src/platform/json-size.ts'
import {
  TASK_LOG_LINE_MAX_LENGTH,
  TASK_LOGS_MAX_BYTES,
  TASK_LOGS_MAX_LINES,
  TASK_OUTPUT_MAX_BYTES,
} from '../../../src/platform/limits.ts'

const NOW = Date.parse('2026-11-15T10:00:00.000Z')

const state = (own: Partial<TaskState> = {}): TaskState => ({
  orgId: 'o',
  taskId: 't',
  processId: 'p',
  status: 'awaiting',
  output: { native: 1, both: 'native' },
  logs: [],
  timeoutSeconds: 60,
  openedOn: NOW,
  deadline: NOW + 60_000,
  kept: null,
  outcome: null,
  ...own,
})

const received = (own: Partial<Received['callback']> = {}, fingerprint = 'f'): TaskInput & { type: 'callback' } => ({
  type: 'callback',
  callback: { status: 'SUCCESS', ...own },
  fingerprint,
  actorId: 'a',
  now: NOW,
})

const settle = (failure: string | null = null): TaskInput => ({
  type: 'settle',
  output: { answer: 1 },
  earlier: [],
  logs: [],
  failure,
  actorId: 'a',
  now: NOW,
})

describe('a callback that was kept', () => {
  it('N60 leaves out the output of the task itself where both together would be too large to be stored', () => {
    const half = 'x'.repeat(TASK_OUTPUT_MAX_BYTES * 0.6)
    const active = state({ status: 'active', output: {}, deadline: null })
    const { state: waiting, verdict } = decide(active, received({ output: { theirs: half } }))
    expect(verdict).toBe('kept')
    const settled = decide(waiting, { ...settle(), output: { own: half } } as TaskInput)
    expect(settled.patch?.task).toMatchObject({ status: 'complete', output: { theirs: half } })
    expect(jsonBytes(settled.patch?.task.output)).toBeLessThanOrEqual(TASK_OUTPUT_MAX_BYTES)
    expect(JSON.stringify(settled.patch?.task.logs)).toContain('left out')
  })
})

describe('a callback', () => {
  it('N38 merges its output at the top level and wins over native values', () => {
    const { patch } = decide(state(), received({ output: { both: 'callback', own: { x: 1 } } }))
    expect(patch?.task.output).toEqual({ native: 1, both: 'callback', own: { x: 1 } })
  })

  it('N38 keeps the newest lines, as many and as long as the limits say, to the byte', () => {
    const numbered = Array.from({ length: TASK_LOGS_MAX_LINES + 1 }, (_, at) => `line ${at}`)
    expect(appended(numbered, [], 0)).toEqual(numbered.slice(1))
    // In JSON, a line has two quotes, and a comma behind it.
    const half = 'x'.repeat(TASK_LOGS_MAX_BYTES / 2 - 3)
    expect(appended([half, half], [], 0)).toHaveLength(2)
    expect(appended([half, `${half}x`], [], 0)).toHaveLength(1)
    const [line = ''] = appended([], ['y'.repeat(TASK_LOG_LINE_MAX_LENGTH + 1)], 0)
    expect(line).toBe(`1970-01-01T00:00:00.000Z ${'y'.repeat(TASK_LOG_LINE_MAX_LENGTH)}`)
  })

  it('N38 stamps each line with the time of its receipt', () => {
    const { patch } = decide(state({ logs: ['2026-11-15T09:00:00.000Z before'] }), received({ logs: ['a', 'b'] }))
    expect(patch?.task.logs).toEqual([
      '2026-11-15T09:00:00.000Z before',
      '2026-11-15T10:00:00.000Z a',
      '2026-11-15T10:00:00.000Z b',
    ])
  })

  it('N38 sets the subtext of task and process only where it has one', () => {
    expect(decide(state(), received({ subtext: 'x' })).patch).toMatchObject({
      task: { subtext: 'x' },
      process: { subtext: 'x', status: 'active' },
    })
    expect(decide(state(), received()).patch?.task).not.toHaveProperty('subtext')
  })

  it('N38 is repeated by its fingerprint alone, and refused after any other end', () => {
    const done = decide(state(), received()).state
    expect(decide(done, received())).toEqual({ verdict: 'repeated', state: done })
    expect(decide(done, received({}, 'other'))).toEqual({ verdict: 'refused', state: done })
    const late = decide(state(), { type: 'timeout', now: NOW + 60_000 }).state
    expect(decide(late, received()).verdict).toBe('refused')
  })

  it('N38 is kept while the task’s own code runs, and applied when it waits', () => {
    const kept = decide(state({ status: 'active', deadline: null }), received({ status: 'FAILURE', logs: 'early' }))
    expect(kept).toMatchObject({ verdict: 'kept', state: { status: 'active' } })
    expect(kept.patch).toBeUndefined()
    const settled = decide(kept.state, settle())
    expect(settled.patch?.task).toMatchObject({ status: 'failed', output: { answer: 1 } })
    expect(decide(settled.state, received({ status: 'FAILURE', logs: 'early' })).verdict).toBe('repeated')
  })

  it('N38 that was kept decides even where the answer to the call was lost', () => {
    const kept = decide(state({ status: 'active', deadline: null }), received()).state
    const { state: ended } = decide(kept, settle('No answer.'))
    expect(ended).toMatchObject({ status: 'complete', logs: [expect.stringContaining('No answer.')] })
  })
})

describe('the other ends', () => {
  it('N39 times out at the deadline and not before', () => {
    expect(decide(state(), { type: 'timeout', now: NOW + 59_999 }).verdict).toBe('refused')
    expect(decide(state(), { type: 'timeout', now: NOW + 60_000 }).state.outcome).toMatchObject({ by: 'timeout' })
    expect(decide(state({ status: 'active', deadline: null }), { type: 'timeout', now: NOW * 2 }).verdict).toBe(
      'refused',
    )
  })

  it('N37 waits timeoutSeconds from the moment its own code has ended; a failure of that code ends it', () => {
    const active = state({ status: 'active', deadline: null })
    expect(decide(active, settle()).state).toMatchObject({ status: 'awaiting', deadline: NOW + 60_000 })
    expect(decide(active, settle('Broken.')).state).toMatchObject({ status: 'failed', outcome: { by: 'failure' } })
  })

  it('N37 ends once, whatever comes in whatever order', () => {
    const input = fc.oneof(
      fc
        .record({ fingerprint: fc.constantFrom('a', 'b'), status: fc.constantFrom('SUCCESS', 'FAILURE') })
        .map(({ fingerprint, status }) => received({ status: status as 'SUCCESS' }, fingerprint)),
      fc.constant<TaskInput>({ type: 'timeout', now: NOW + 100_000 }),
      fc.constant<TaskInput>({ type: 'cancel', actorId: 'a', now: NOW }),
      fc.constantFrom(settle(), settle('Broken.')),
    )
    const first = state({ status: 'active', deadline: null })
    fc.assert(
      fc.property(fc.array(input, { maxLength: 12 }), inputs => {
        let current = first
        let ends = 0
        for (const next of inputs) {
          const decision = decide(current, next)
          if (!current.outcome && decision.state.outcome) ends++
          if (current.outcome) expect(decision.state).toBe(current)
          if (decision.state !== current && decision.verdict !== 'kept') expect(decision.patch).toBeDefined()
          current = decision.state
        }
        expect(ends).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('logs', () => {
  it('N38 keep the last 1,000 lines, and of long ones those that fit', () => {
    const lines = Array.from({ length: 1200 }, (_, n) => `line ${n}`)
    expect(appended([], lines, NOW)).toHaveLength(1000)
    expect(appended([], lines, NOW)[0]).toMatch(/line 200$/)
    const long = appended(
      [],
      Array.from({ length: 100 }, () => 'ä'.repeat(9000)),
      NOW,
    )
    expect(long.length).toBeGreaterThan(10)
    expect(new TextEncoder().encode(JSON.stringify(long)).length).toBeLessThanOrEqual(260 * 1024)
  })
})
