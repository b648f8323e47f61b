// What goes with the kind of a property, and with that of an entity.
import { expect, it } from 'vitest'
import { canBeChanged, canBeMade } from '../../../src/clients/console/state/entity-acts.ts'
import { canBeIndexed, ofKind } from '../../../src/clients/console/state/property-kind.ts'
import { KINDS } from '../../../src/kinds.ts'

it('N46 a property that becomes a list is not indexed any more: the service would refuse it', () => {
  const brim = { slug: 'brim', label: 'Brim', propertyType: 'string', indexed: true, required: true } as const
  expect(ofKind(brim, 'number')).toEqual({ ...brim, propertyType: 'number' })
  const { indexed: _, ...rest } = brim
  expect(ofKind(brim, 'multi_select')).toEqual({ ...rest, propertyType: 'multi_select' })
  expect(canBeIndexed(ofKind(brim, 'json'))).toBe(false)
})

it('N46 what is offered for entities of a type is what the service has for them', () => {
  for (const { name, operations } of KINDS) {
    const offered = { create: canBeMade(name), update: canBeChanged(name), delete: canBeChanged(name) }
    for (const [act, isOffered] of Object.entries(offered)) {
      expect(isOffered, `${act} ${name}`).toBe(operations.some(each => each === act))
    }
  }
})
