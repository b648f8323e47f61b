// How many entities there are of each type. Where the service cannot count yet, only whether there are any.
import { signal } from '@preact/signals'
import type { Criteria } from '../../typescript/index.ts'
import { rootByName } from './catalog.ts'
import { isMissingHere } from './fault-words.ts'
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

export interface Count {
  count: number
  isExact: boolean
}

/** By entity type; the number is unknown where the service does not count. */
export const counts = signal<ReadonlyMap<string, Count | 'some'>>(new Map())

/** Whether the service counts: found out by the first question, which the others wait for. */
let canCount: Promise<boolean> | undefined

export const countText = ({ count, isExact }: Count) => numberText(count) + (isExact ? '' : '+')

/** Undefined where the service does not count. */
export async function countOf(
  path: string,
  query: { criteria?: Criteria | undefined; q?: string | undefined } = {},
  signal?: AbortSignal,
): Promise<Count | undefined> {
  const ask = () => client.request<Count>({ method: 'GET', path: `/${path}/count`, query, signal })
  if (canCount) return (await canCount) ? ask() : undefined
  const first = ask()
  canCount = first.then(
    () => true,
    error => !isMissingHere(error),
  )
  return (await canCount) ? first : undefined
}

export async function askCounts(): Promise<void> {
  const first = await countIt('item')
  const rest = await Promise.all(DATA_TYPES.filter(name => name !== 'item').map(countIt))
  counts.value = new Map([first, ...rest].flatMap(entry => (entry ? [entry] : [])))
}

async function countIt(entityName: string): Promise<[string, Count | 'some'] | undefined> {
  const root = rootByName(entityName)
  if (!root) return undefined
  try {
    const count = await countOf(root.path)
    if (count) return [entityName, count]
    const { results } = await client.entities.list({ entityName, queryParams: { limit: 1 } })
    return results.length > 0 ? [entityName, 'some'] : [entityName, { count: 0, isExact: true }]
  } catch {
    // The navigation goes without a number; the page itself says what is wrong.
    return undefined
  }
}
