// What a bulk edit may send: never a cleared property that the person has not asked for.
import { describe, expect, it } from 'vitest'
import { bulkChange } from '../../../src/clients/console/state/bulk-change.ts'

const draft = { slug: '', text: '', isClearing: false }

describe('a bulk edit', () => {
  it('opens without a property and cannot be sent', () => {
    expect(bulkChange(draft, undefined, undefined)).toEqual({ missing: 'Choose a property.' })
  })

  it('with an empty value cannot be sent, and clears the property only where that is chosen', () => {
    expect(bulkChange({ ...draft, slug: 'season' }, undefined, 'SS27')).toHaveProperty('missing')
    expect(bulkChange({ ...draft, slug: 'season', isClearing: true }, undefined, 'SS27')).toEqual({ value: null })
  })

  it('reads the value by the property', () => {
    const price = { slug: 'price', propertyType: 'currency' as const }
    expect(bulkChange({ ...draft, slug: 'price', text: '12.5' }, price, undefined)).toEqual({ value: 12.5 })
    expect(bulkChange({ ...draft, slug: 'price', text: 'dear' }, price, undefined)).toHaveProperty('fault')
  })
})
