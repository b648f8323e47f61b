// Commands over items and their types, and what a model in memory says they do: statuses, states, versions, records.

import { isDeepStrictEqual } from 'node:util'
import fc, { type Arbitrary } from 'fast-check'
import type { Json } from '../api.ts'

const SLOTS = 5
const PATHS = ['item', 'item:a', 'item:a:b', 'item:c'] as const
const TYPES = ['number', 'string', 'boolean'] as const
const PROPERTIES = ['price', 'color', 'tags'] as const

type Match = 'none' | 'right' | 'stale'

export type Command =
  | { do: 'create'; body: Json }
  | { do: 'update'; slot: number; patch: Json; match: Match }
  | { do: 'delete'; slot: number; match: Match }
  | { do: 'batch'; patches: { slot: number; patch: Json }[] }
  | { do: 'upsert'; bodies: Json[] }
  | { do: 'describe'; typePath: string; slug: string; propertyType: (typeof TYPES)[number] }
  | { do: 'list'; criteria: Json }

const value = fc.constantFrom<unknown>(null, 1, 2.5, 0, true, false, 'red', 'blue', '', ['x'], ['x', 'y'], {
  deep: [null, { a: 1 }],
})
const federatedId = fc.constantFrom('f1', 'f2', 'f3')
const properties = fc.dictionary(fc.constantFrom('name', ...PROPERTIES), value, { maxKeys: 3 }).map(withName)

/** A name is a text. */
function withName({ name, ...rest }: Json): Json {
  return name === undefined ? rest : { ...rest, name: name === null ? null : `n ${JSON.stringify(name)}` }
}

const body = fc
  .tuple(
    properties,
    fc.option(federatedId, { nil: undefined }),
    fc.option(fc.constantFrom(...PATHS), { nil: undefined }),
  )
  .map(([own, key, typePath]): Json => ({ ...own, ...(key && { federatedId: key }), ...(typePath && { typePath }) }))
const patch = fc
  .tuple(properties, fc.option(fc.option(federatedId), { nil: undefined, freq: 5 }))
  .map(([own, key]): Json => ({ ...own, ...(key !== undefined && { federatedId: key }) }))
const slot = fc.nat(SLOTS - 1)
const match = fc.constantFrom<Match>('none', 'none', 'right', 'stale')

export const commands: Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), body }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), slot, patch, match }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), slot, match }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('batch' as const),
        patches: fc.uniqueArray(fc.record({ slot, patch }), { minLength: 1, maxLength: 3, selector: one => one.slot }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('upsert' as const),
        bodies: fc
          .uniqueArray(fc.tuple(federatedId, properties), { minLength: 1, maxLength: 3, selector: ([key]) => key })
          .map(list => list.map(([key, own]): Json => ({ ...own, federatedId: key }))),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('describe' as const),
        typePath: fc.constantFrom(...PATHS),
        slug: fc.constantFrom(...PROPERTIES),
        propertyType: fc.constantFrom(...TYPES),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('list' as const),
        criteria: fc.dictionary(
          fc.constantFrom('name', 'federatedId', 'typePath', ...PROPERTIES),
          fc.constantFrom<unknown>(
            null,
            1,
            true,
            'red',
            'f1',
            'item:a',
            ['red', 1],
            { gt: 1 },
            { exists: true },
            { not: 'red' },
          ),
          { maxKeys: 2 },
        ),
      }),
    },
  ),
  { minLength: 8, maxLength: 30 },
)

export interface Item {
  id: string
  version: number
  data: Json
}

export interface Recorded {
  id: string
  changeType: 'create' | 'update' | 'delete'
  version: number
  changes: Record<string, { oldValue: unknown; newValue: unknown }>
}

/** What the service is expected to hold. */
export class Model {
  /** In the order of their creation. */
  items: Item[] = []
  records: Recorded[] = []
  /** By type path, then by slug. */
  readonly types = new Map<string, Map<string, string>>()

  at(slotNumber: number): Item | undefined {
    return this.items[slotNumber]
  }

  isTaken(key: unknown, except?: string): boolean {
    return typeof key === 'string' && this.items.some(({ id, data }) => id !== except && data.federatedId === key)
  }

  byKey(key: unknown): Item | undefined {
    return this.items.find(({ data }) => data.federatedId === key)
  }

  /** A property that a path, or one above it, describes must fit; the nearest description counts. */
  fits(typePath: string, own: Json): boolean {
    return Object.entries(own).every(([name, given]) => {
      if (given === null) return true
      const parts = typePath.split(':')
      for (let depth = parts.length; depth > 0; depth--) {
        const described = this.types.get(parts.slice(0, depth).join(':'))?.get(name)
        if (described) return typeof given === described
      }
      return true
    })
  }

  create(id: string, given: Json): void {
    const data = present({ typePath: 'item', ...given })
    this.items.push({ id, version: 1, data })
    this.records.push({ id, changeType: 'create', version: 1, changes: differences({}, data) })
  }

  /** Whether anything has changed. */
  update(item: Item, given: Json): boolean {
    const data = present({ ...item.data, ...given })
    const changes = differences(item.data, data)
    if (Object.keys(changes).length === 0) return false
    item.data = data
    item.version++
    this.records.push({ id: item.id, changeType: 'update', version: item.version, changes })
    return true
  }

  delete({ id, version, data }: Item): void {
    this.items = this.items.filter(item => item.id !== id)
    this.records.push({ id, changeType: 'delete', version: version + 1, changes: differences(data, {}) })
  }
}

function present(data: Json): Json {
  return Object.fromEntries(Object.entries(data).filter(([, given]) => given !== null))
}

function differences(before: Json, after: Json): Recorded['changes'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter(name => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(
    changed.map(name => [name, { oldValue: before[name] ?? null, newValue: after[name] ?? null }]),
  )
}
