import { describe, expect, it } from 'vitest'
import { beginRun } from '../../../src/features/workflows/begin-run.ts'
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
})
