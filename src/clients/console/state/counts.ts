// How many entities there are of each type.
import { signal } from '@preact/signals'
import type { EntityCount } from '../../typescript/index.ts'
import { rootByName } from './catalog.ts'
import { numberText } from './format.ts'
import { client } from './session.ts'

/** What people work with; the rest of the entity types have pages of their own. */
export const DATA_TYPES = [
  'item',
  'color',
  'assortment',
  'assortment-item',
  'project-item',
  'project',
  'workspace',
  'custom-entity',
  'size-range-template',
] as const

export const counts = signal<ReadonlyMap<string, EntityCount>>(new Map())

export const countText = ({ count, isExact }: EntityCount) => numberText(count) + (isExact ? '' : '+')

export async function askCounts(): Promise<void> {
  const known = await Promise.all(DATA_TYPES.filter(name => rootByName(name)).map(countIt))
  counts.value = new Map(known.flatMap(entry => (entry ? [entry] : [])))
}

async function countIt(entityName: string): Promise<[string, EntityCount] | undefined> {
  try {
    return [entityName, await client.entities.count({ entityName })]
  } catch {
    // The navigation goes without a number; the page itself says what is wrong.
    return undefined
  }
}
