// Which definitions hold for a type path (N20), and how little is kept of them (N60).
import { describe, expect, it } from 'vitest'
import type { PropertyDefinition } from '../../../src/features/types/contract.ts'
import { faultsOf } from '../../../src/features/types/fit.ts'
import { pathsTo, TypeTable } from '../../../src/features/types/table.ts'
import { TypeCache } from '../../../src/features/types/type-cache.ts'
import { relativeCost } from '../relative-cost.ts'

const text = (slug: string, more: Partial<PropertyDefinition> = {}): PropertyDefinition => ({
  slug,
  propertyType: 'string',
  ...more,
})
const type = (typePath: string, ...properties: PropertyDefinition[]) => ({ typePath, label: null, properties })
const all = (table: TypeTable, typePath: string) => [...table.definitionsOf(typePath).values()]

describe('N20 the definitions of a type path', () => {
  const table = new TypeTable(1, [
    type('item', text('a'), text('b')),
    type('item:x:y', text('b', { required: true }), text('c')),
    type('item:x:y:z', text('d')),
  ])

  it('are its own and those of the types above it, the nearest of each, and tell where they are from', () => {
    expect(all(table, 'item')).toEqual([text('a'), text('b')])
    expect(all(table, 'item:x')).toEqual([text('a', { inheritedFrom: 'item' }), text('b', { inheritedFrom: 'item' })])
    expect(all(table, 'item:x:y')).toEqual([
      text('a', { inheritedFrom: 'item' }),
      text('b', { required: true }),
      text('c'),
    ])
    expect(all(table, 'item:x:y:z')).toEqual([
      text('a', { inheritedFrom: 'item' }),
      text('b', { required: true, inheritedFrom: 'item:x:y' }),
      text('c', { inheritedFrom: 'item:x:y' }),
      text('d'),
    ])
    expect(all(table, 'color:x')).toEqual([])
  })

  it('are found by slug, and counted once', () => {
    const definitions = table.definitionsOf('item:x:y:z')
    expect(definitions.size).toBe(4)
    expect([definitions.get('b')?.required, definitions.has('d'), definitions.has('toString')]).toEqual([
      true,
      true,
      false,
    ])
    expect([table.definitionsOf('item:x').size, table.definitionsOf('color').size]).toEqual([2, 0])
  })

  it('are no more than those of all types above it together', () => {
    expect(['color', 'item', 'item:x', 'item:x:y:z'].map(path => table.mostProperties(path))).toEqual([0, 2, 2, 5])
  })
})

describe('N60 definitions of many type paths', () => {
  const table = new TypeTable(1, [
    type('item', text('a')),
    type('item:t', text('b')),
    ...Array.from({ length: 100 }, (_, at) => type(`item:t:d${at}`, text('own'))),
  ])

  it('that nobody has described are those of the type above them, once', () => {
    const made = Array.from({ length: 100 }, (_, at) => table.definitionsOf(`item:t:u${at}:v`))
    expect(new Set(made).size).toBe(1)
  })

  it('are looked for no deeper than type paths are', () => {
    expect(pathsTo(`item${':t'.repeat(1000)}`)).toHaveLength(9)
    expect(all(table, `item${':t'.repeat(1000)}`)).toHaveLength(2)
  })

  it('are held once for each type that defines them, however many have them from it', () => {
    const made = Array.from({ length: 100 }, (_, at) => all(table, `item:t:d${at}`))
    expect(new Set(made.flat()).size).toBe(2 + 100)
  })
})

describe('N77 entities of types with thousands of properties', () => {
  const nested = Array.from({ length: 8 }, (_, depth) => `item${':t'.repeat(depth)}`)
  const deepest = nested.at(-1)
  const leaves = Array.from({ length: 980 }, (_, at) => `${deepest}:leaf${at}`)
  const wide = (depth: number) =>
    Array.from({ length: 500 }, (_, at) => text(`p${depth}-${at}`, at === 0 ? { required: true } : {}))
  const table = new TypeTable(1, [
    ...nested.map((path, depth) => type(path, ...wide(depth))),
    ...leaves.map(path => type(path, text('own', { required: true }))),
  ])
  const required = nested.map((_, depth) => `p${depth}-0`)

  it('are checked by the fields that they have and those that are required', () => {
    const whole = Object.fromEntries([...required, 'own'].map(slug => [slug, 'x']))
    const check = () => leaves.flatMap(path => faultsOf(table.definitionsOf(path), whole, true))
    expect(check()).toEqual([])
    expect(relativeCost(check, 1)).toBeLessThan(1)
  })

  it('name each required property that is left out or null, of all types above', () => {
    const [leaf = ''] = leaves
    const faults = faultsOf(table.definitionsOf(leaf), { [required[3] ?? '']: null, own: 'x' }, true)
    expect(faults.map(({ path }) => path).sort()).toEqual(required.map(slug => `/${slug}`))
  })

  it('are required by the nearest definition alone', () => {
    const [leaf = ''] = leaves
    const archived = type(leaf, text('own', { required: true, archived: true }), text('p0-0'))
    const names = table
      .replaced([archived])
      .definitionsOf(leaf)
      .required.map(({ slug }) => slug)
    expect(names.sort()).toEqual(required.slice(1))
  })
})

describe('N77 the types that an isolate remembers', () => {
  const sized = (bytes: number) => new TypeTable(1, [], bytes)

  it('are those read last, up to a number of bytes', () => {
    const cache = new TypeCache(100)
    for (const org of ['a', 'b', 'a', 'c']) cache.set(org, sized(40))
    expect(['a', 'b', 'c'].map(org => cache.get(org) !== undefined)).toEqual([true, false, true])
    cache.set('large', sized(100))
    expect(['a', 'c', 'large'].map(org => cache.get(org) !== undefined)).toEqual([false, false, true])
  })
})
