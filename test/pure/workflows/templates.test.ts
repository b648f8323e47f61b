import { describe, expect, it } from 'vitest'
import { EXPRESSIONS_MAX_CHARACTERS, EXPRESSIONS_MAX_WORK } from '../../../src/features/workflows/limits.ts'
import { filled, runScope } from '../../../src/features/workflows/templates.ts'
import { Budget } from '../../../src/features/workflows/work.ts'

const scope = runScope({ day: '2027-01-02', name: 'Linen', text: 'x'.repeat(100_000) }, {})
const fill = (value: unknown, budget = new Budget()) => filled(value, scope, budget)

describe('the expressions of a config', () => {
  it('N35 give dates as texts, and none where there is none', () => {
    expect(fill({ on: 'new Date({event.day})', list: '[new Date({event.day})]' })).toEqual({
      on: '2027-01-02T00:00:00.000Z',
      list: ['2027-01-02T00:00:00.000Z'],
    })
    expect(fill('new Date({event.name})')).toBeNull()
  })

  it('N60 share one budget of work', () => {
    const budget = new Budget()
    budget.spend(EXPRESSIONS_MAX_WORK)
    expect(fill('{event.name}', budget)).toBe('Linen')
    expect(() => fill('{event.name}', budget)).toThrow('used up all work')
  })

  it('N60 make no more together than a task may hold', () => {
    const many = Array.from({ length: EXPRESSIONS_MAX_CHARACTERS / 100_000 + 1 }, () => '{event.text}')
    expect(() => fill(many)).toThrow(`more than ${EXPRESSIONS_MAX_CHARACTERS} characters`)
  })

  it('N31 tell of a text that looks like an expression and is none', () => {
    const budget = new Budget()
    expect(fill('{event.name} (new', budget)).toBe('Linen (new')
    expect(budget.warnings).toEqual([expect.stringContaining('taken as text')])
  })
})
