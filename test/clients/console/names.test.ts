// What a publish would list, families that are whole beyond a page, and filters by name.
import { describe, expect, it } from 'vitest'
import { criterionWords } from '../../../src/clients/console/state/criteria-words.ts'
import { arranged } from '../../../src/clients/console/state/families.ts'
import { lastMembers, publishDifference } from '../../../src/clients/console/state/publish-difference.ts'
import { withWholeFamilies } from '../../../src/clients/console/state/whole-families.ts'
import type { Entity, Page } from '../../../src/clients/typescript/index.ts'

describe('the review before a publish', () => {
  it('names what was added, changed and dropped since the last one', () => {
    const itemIds = lastMembers(['a', 'b', 'x'], ['c'], ['x'])
    expect(itemIds).toEqual(['a', 'b', 'c'])
    const member = (itemId: string, updatedOn = '2027-01-01T00:00:00.000Z') => ({ itemId, updatedOn })
    const now = [member('a'), member('c', '2027-03-01T00:00:00.000Z'), member('d', '2027-03-01T00:00:00.000Z')]
    expect(publishDifference(now, { itemIds, createdOn: '2027-02-01T00:00:00.000Z' })).toEqual({
      added: ['d'],
      changed: ['c'],
      removed: ['b'],
    })
    expect(publishDifference(now, undefined)).toEqual({ added: ['a', 'c', 'd'], changed: [], removed: [] })
  })
})

describe('families of a list that is longer than a page', () => {
  const row = (id: string, itemFamilyId?: string) => ({ id, itemFamilyId }) as unknown as Entity
  const page = (rows: Entity[], nextPageKey: string | null): Page<Entity> => ({ results: rows, nextPageKey })

  it('are read with their options and, where an option comes first, with the family', async () => {
    const asked: unknown[] = []
    const whole = await withWholeFamilies(page([row('f'), row('g1', 'g')], 'next'), true, async criteria => {
      asked.push(criteria)
      return 'id' in criteria ? [row('g')] : [row('f1', 'f'), row('g1', 'g'), row('g2', 'g')]
    })
    expect(asked).toEqual([{ id: ['g'] }, { itemFamilyId: ['f', 'g'] }])
    expect(arranged(whole.results).map(({ id }) => id)).toEqual(['f', 'f1', 'g', 'g1', 'g2'])
  })

  it('are drawn once where a later page brings a row again', () => {
    const rows = [row('f'), row('f1', 'f'), row('h'), row('f1', 'f')]
    expect(arranged(rows).map(({ id }) => id)).toEqual(['f', 'f1', 'h'])
  })

  it('ask for nothing more where the list is whole', async () => {
    const all = page([row('f1', 'f')], null)
    expect(await withWholeFamilies(all, true, () => Promise.reject(new Error('asked')))).toBe(all)
  })
})

describe('a filter in words', () => {
  it('names what its values lead to', () => {
    const show = (value: unknown) => (value === 'id1' ? 'Trail Jacket' : String(value))
    expect(criterionWords('id1', show)).toBe('is Trail Jacket')
    expect(criterionWords({ in: ['id1', 'x'] }, show)).toBe('is one of Trail Jacket, x')
    expect(criterionWords('id1')).toBe('is id1')
  })
})
