import { describe, expect, it } from 'vitest'
import { beginRun, countedRuns } from '../../../src/features/workflows/begin-run.ts'
import { Budget } from '../../../src/features/workflows/work.ts'
import { WORKFLOW_MAX_DEPTH } from '../../../src/platform/limits.ts'

const note = { name: 'note', action: 'expression' as const, config: { output: { a: 1 } } }
const trigger = { key: 'go', event: { a: 1 }, depth: 1, now: '2026-01-01T00:00:00.000Z' }
const begun = (name: string | null, depth = 1) =>
  beginRun({ id: 'w', name, paths: [{ tasks: [note, note] }] }, { ...trigger, depth })
const dataOf = (write: ReturnType<typeof begun>[number] | undefined) =>
  write?.op === 'create' ? write.data : undefined

describe('a run that begins', () => {
  it('N35 has the name of its workflow, or none, and a task for each of its path', () => {
    const [process, ...tasks] = begun('Approve')
    expect(dataOf(process)).toMatchObject({ name: 'Approve', eventWorkflowId: 'w', status: 'pending', depth: 1 })
    expect(dataOf(begun(null)[0])).not.toHaveProperty('name')
    expect(tasks.map(dataOf)).toMatchObject([
      { processId: process?.id, position: 0 },
      { processId: process?.id, position: 1 },
    ])
  })

  it('N36 has failed already where the chain is too long', () => {
    expect(dataOf(begun(null, WORKFLOW_MAX_DEPTH)[0])).toMatchObject({ status: 'pending' })
    const [process, ...tasks] = begun(null, WORKFLOW_MAX_DEPTH + 1)
    expect(dataOf(process)).toMatchObject({ status: 'failed' })
    expect(tasks).toEqual([])
  })

  it('N60 that is refused is recorded once for a workflow, without the whole event, and counts for no quota', () => {
    const refusedBefore = new Set<string>()
    const event = { newData: { id: 'i', text: 'x'.repeat(1000) }, oldData: null }
    const refused = () =>
      beginRun(
        { id: 'w', name: null, paths: [{ tasks: [note] }] },
        { ...trigger, event, refusal: 'too many', refusedBefore },
      )
    const first = refused()
    expect(first.map(dataOf)).toMatchObject([{ status: 'failed', error: { code: 'quota_exceeded' } }])
    expect(dataOf(first[0])?.triggerEvent).toMatchObject({ newData: { id: 'i' }, truncated: true })
    expect(JSON.stringify(first.map(dataOf))).not.toContain('xxxx')
    expect(countedRuns(first)).toBe(0)
    expect(refused()).toEqual([])
    expect(countedRuns(begun(null))).toBe(1)
  })

  it('N35 N36 is neither refused nor recorded where no path applies', () => {
    const paths = [{ conditional: '{event.count} > 0', tasks: [note] }]
    const workflow = { id: 'w', name: null, paths }
    const loop = { ...trigger, depth: WORKFLOW_MAX_DEPTH + 1 }
    expect(beginRun(workflow, { ...loop, event: { count: 0 } })).toEqual([])
    expect(beginRun(workflow, { ...trigger, event: { count: 0 }, refusal: 'too many' })).toEqual([])
    expect(beginRun(workflow, { ...loop, event: { count: 1 } }).map(dataOf)).toMatchObject([
      { status: 'failed', error: { code: 'workflow_loop' } },
    ])
  })

  it('N60 fails where its conditionals take too much work together, and says so', () => {
    const costly =
      "['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].reduce((text, x) => text + text + x + x, {event.text}).includes('never')"
    const paths = Array.from({ length: 20 }, () => ({ conditional: costly, tasks: [note] }))
    const budget = new Budget()
    const event = { text: 'x'.repeat(900) }
    let runs: ReturnType<typeof begun> = []
    for (let n = 0; n < 100 && runs.length === 0; n++)
      runs = beginRun({ id: 'w', name: null, paths }, { ...trigger, event }, budget)
    expect(dataOf(runs[0])).toMatchObject({ status: 'failed', error: { code: 'conditional_failed' } })
    expect(JSON.stringify(dataOf(runs[0])?.error)).toContain('used up all work')
  })
})
