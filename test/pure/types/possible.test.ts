// What an update that names no type path is held against (N21), and how little work that is (N60).
import { describe, expect, it } from 'vitest'
import type { PropertyDefinition } from '../../../src/features/types/contract.ts'
import { holdAgainstAll } from '../../../src/features/types/possible.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { kindNamed } from '../../../src/kinds.ts'
import { typeChecksOf, unchangedTypes } from '../../../src/platform/db/commit/type-checks.ts'
import { VERDICTS_MAX_BYTES } from '../../../src/platform/limits.ts'

const type = (typePath: string, ...properties: PropertyDefinition[]) => ({ typePath, label: null, properties })
const related = { slug: 'related', propertyType: 'object_ref_list' } as const

function held(types: TypeTable, patch: Record<string, unknown>) {
  const guard = unchangedTypes(types.stamp)
  holdAgainstAll(guard, types, { op: 'update', kind: kindNamed('item'), id: 'i', patch }, 0, false)
  return guard
}

/** A list that counts how often one of its parts is looked at. */
function counted(values: readonly unknown[]) {
  const looked = { parts: 0 }
  const list = new Proxy([...values], {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looked.parts++
      return Reflect.get(target, name)
    },
  })
  return { list, looked }
}

describe('N21 an update without a type path', () => {
  const types = new TypeTable(1, [
    type('item', { slug: 'a', propertyType: 'number' }, related),
    type('item:x', { slug: 'a', propertyType: 'string', required: true }),
    type('item:x:y', { slug: 'b', propertyType: 'object_reference' }),
    type('item:x:y:z', { slug: 'b', propertyType: 'string' }),
  ])

  it('is judged under each path by the nearest definition', () => {
    const faulty = (patch: Record<string, unknown>) =>
      held(types, patch).verdicts.flatMap(({ typePath, errors }) => (errors.length ? [typePath] : []))
    expect(faulty({ a: 1 })).toEqual(['item:x', 'item:x:y', 'item:x:y:z'])
    expect(faulty({ a: 'text' })).toEqual(['item'])
    expect(faulty({ a: null })).toEqual(['item:x', 'item:x:y', 'item:x:y:z'])
    expect(held(types, { b: 'text', c: 1 }).verdicts).toEqual([])
    expect(held(types, { a: 1 }).verdicts[1]).toEqual({
      index: 0,
      typePath: 'item:x',
      errors: [{ path: '/a', message: 'Expected a text.' }],
    })
  })

  it('refers to what the nearest definition says, and to what all have from the root whatever the path', () => {
    const { references, typedReferences } = held(types, { related: ['p', 'q'], b: 'r' })
    expect(references).toEqual([
      [0, 'related/0', null, 'p'],
      [0, 'related/1', null, 'q'],
    ])
    expect(typedReferences).toEqual([
      [0, 'item', null, null],
      [0, 'item:x', null, null],
      [0, 'item:x:y', 'b', 'r'],
      [0, 'item:x:y:z', null, null],
    ])
  })

  it('says where a reference stands by a JSON Pointer, whatever its slug', () => {
    const odd = new TypeTable(1, [type('item', { ...related, slug: 'a/b~c' })])
    expect(held(odd, { 'a/b~c': ['p'] }).references).toEqual([[0, 'a~1b~0c/0', null, 'p']])
  })
})

describe('N60 an update without a type path', () => {
  const paths = Array.from({ length: 50 }, (_, at) => `item:t${at}`)

  it('is refused before anything is made of a long list that many types take for references', () => {
    const types = new TypeTable(1, [type('item'), ...paths.map(path => type(path, { ...related }))])
    const { list, looked } = counted(Array.from({ length: 100_000 }, (_, at) => `id${at}`))
    expect(() => held(types, { related: list })).toThrow()
    // To see whether it is one of texts, and what it takes; never once for each type.
    expect(looked.parts).toBe(2 * list.length)
    const few = Array.from({ length: 200 }, (_, at) => `id${at}`)
    const { typedReferences, bytes } = held(types, { related: few })
    expect(typedReferences).toHaveLength(few.length * paths.length + 1)
    // What it is taken for is what it takes, or a little more.
    const sent = typeChecksOf({ ...unchangedTypes(1), typedReferences }, () => true).values.typedReferences
    expect(bytes).toBeGreaterThan(sent.length)
    expect(bytes).toBeLessThan(1.5 * sent.length)
    const most = Math.floor((few.length * VERDICTS_MAX_BYTES) / bytes)
    const many = Array.from({ length: 2 * most }, (_, at) => `id${at}`)
    expect(held(types, { related: many.slice(0, most - 10) }).bytes).toBeLessThanOrEqual(VERDICTS_MAX_BYTES)
    expect(() => held(types, { related: many })).toThrow()
  })

  it('is looked at once by all types that say the same, and no further than to its first fault', () => {
    const options = Array.from({ length: 1000 }, (_, at) => `o${at}`)
    const types = new TypeTable(
      1,
      paths.map(path => type(path, { slug: 'a', propertyType: 'multi_select', options: [...options] })),
    )
    const { list, looked } = counted([...options, ...Array.from({ length: 60_000 }, (_, at) => `v${at}`)])
    expect(held(types, { a: list }).verdicts).toHaveLength(paths.length)
    expect(looked.parts).toBe((options.length + 1) * paths.length)
  })
})
