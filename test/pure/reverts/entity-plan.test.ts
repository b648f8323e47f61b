// What taking changes back means for one entity (N52), by its records alone.
import { describe, expect, it } from 'vitest'
import { planEntity } from '../../../src/features/reverts/entity-plan.ts'
import type { Recorded } from '../../../src/features/reverts/selection.ts'
import { kindNamed } from '../../../src/kinds.ts'

type Line = [by: string, changeType: Recorded['changeType'], detail?: Record<string, unknown>]

const recordsOf = (lines: readonly Line[]): Recorded[] =>
  lines.map(([createdById, changeType, detail], at) => ({
    seq: at + 1,
    entityType: 'item',
    entityId: 'i',
    changeType,
    createdOn: at,
    createdById,
    createdByType: createdById.startsWith('revert') ? 'loader' : 'app',
    version: at + 1,
    source: 'changes',
    detail: detail ? JSON.stringify(detail) : null,
  }))

/** What `mine` did is taken back; `revert` did so before. */
function plan(lines: readonly Line[], data?: Record<string, unknown>) {
  const present = data && { version: lines.length, data }
  const isMatched = ({ createdById }: Recorded) => createdById === 'mine'
  const revertedBy = ({ createdById }: Recorded) => (createdById === 'revert' ? isMatched : undefined)
  return planEntity(recordsOf(lines), present, { kind: kindNamed('item'), isMatched, revertedBy })
}

const price = (oldValue: unknown, newValue: unknown) => ({ price: { oldValue, newValue } })
const nothing = { action: undefined, left: [] }

describe('the plan for one entity (N52)', () => {
  const undone: Line[] = [
    ['mine', 'create'],
    ['mine', 'update', price(1, 2)],
    ['revert', 'delete', { name: 'A', price: 2 }],
  ]

  it('has nothing to do, and nothing to tell, where a revert has deleted what was made and changed', () => {
    expect(plan(undone)).toMatchObject(nothing)
  })

  it('leaves alone what somebody has brought back after that', () => {
    expect(plan([...undone, ['other', 'create']], { name: 'A', price: 2 })).toMatchObject(nothing)
  })

  it('leaves a value alone that somebody has brought back by a delete and a restore', () => {
    const lines: Line[] = [
      ['mine', 'update', { ...price(1, 2), size: { oldValue: 'S', newValue: 'M' } }],
      ['other', 'delete', { name: 'A', price: 2, size: 'M' }],
      ['other', 'create'],
    ]
    expect(plan(lines, { name: 'A', price: 5, size: 'M' })).toMatchObject({
      action: { op: 'update', patch: { size: 'S' } },
      left: [{ property: 'price', reason: 'changed_since' }],
    })
  })

  const again: Line[] = [
    ['mine', 'update', price(1, 2)],
    ['mine', 'delete', { name: 'A', price: 2, size: 'M' }],
    ['mine', 'create'],
  ]

  it('gives back what was before where the same hand has deleted and restored it', () => {
    const { action, left } = plan(again, { name: 'Old', price: 3, note: 'x' }) ?? {}
    expect(action).toMatchObject({ op: 'update', patch: { name: 'A', price: 1, size: 'M', note: null } })
    expect(left).toEqual([])
    const more: Line[] = [...again, ['mine', 'update', price(3, 4)]]
    expect(plan(more, { name: 'A', price: 4, size: 'M' })).toMatchObject({ action: { patch: { price: 1 } } })
    const gone: Line[] = [...more, ['mine', 'delete', { name: 'A', price: 4 }]]
    expect(plan(gone)).toMatchObject({ action: { op: 'create', data: { name: 'A', price: 1, size: 'M' } } })
  })

  it('leaves alone what others have changed after that', () => {
    const lines: Line[] = [...again, ['other', 'update', price(3, 7)]]
    expect(plan(lines, { name: 'Old', price: 7 })).toMatchObject({
      action: { patch: { name: 'A', size: 'M' } },
      left: [{ property: 'price', reason: 'changed_since' }],
    })
  })
})
