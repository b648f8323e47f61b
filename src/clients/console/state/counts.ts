// How many entities there are of each type.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
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

/** Of what people work with, or of one of these types that was written to. */
export const askCounts = (entityName?: string) => askCountsOf(DATA_TYPES.filter(name => (entityName ?? name) === name))

export async function askCountsOf(entityNames: readonly string[]): Promise<void> {
  const known = await Promise.all(entityNames.filter(name => rootByName(name)).map(countIt))
  counts.value = new Map([...counts.value, ...known.flatMap(entry => (entry ? [entry] : []))])
}

/** Asks when something that was seen under way has ended. */
export function useCountsAfter(hasEnded: boolean | undefined): void {
  const wasSeen = useRef(false)
  useEffect(() => {
    if (hasEnded && wasSeen.current) void askCounts()
    if (hasEnded !== undefined) wasSeen.current = !hasEnded
  }, [hasEnded])
}

async function countIt(entityName: string): Promise<[string, EntityCount] | undefined> {
  try {
    return [entityName, await client.entities.count({ entityName })]
  } catch {
    // The navigation goes without a number; the page itself says what is wrong.
    return undefined
  }
}
