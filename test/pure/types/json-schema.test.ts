// N53: what the schema of a type takes, the service takes for its fields, and the other way round.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentWithTypes } from '../../../src/features/entities/document-types.ts'
import { entitySchema, type Variant, variantsOf } from '../../../src/features/entities/json-schema.ts'
import { schemaBytes } from '../../../src/features/entities/schema-size.ts'
import { described, pathsOf, schemaOfAll, schemaOfType } from '../../../src/features/entities/type-schemas.ts'
import { PROPERTY_TYPES } from '../../../src/features/types/contract.ts'
import type { Definitions } from '../../../src/features/types/definitions.ts'
import { Layer } from '../../../src/features/types/definitions.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { KINDS } from '../../../src/kinds.ts'
import { jsonBytes } from '../../../src/platform/json-size.ts'
import { bodies, examples, isTaken } from './generated.ts'

/** Those of whose rules a schema can tell all. */
const EXACT = KINDS.filter(
  kind => kind.ownRoot && kind.operations.includes('create') && (!kind.rules || kind.rulesSchema),
)
const ENTITIES = 10_000
const OF_EACH_TYPE = 100
const baseUrl = 'https://selvedge.test/api'

/** Anything that a strict validator would warn of is a fault of the schema. */
function validator() {
  const complain = (...words: unknown[]) => {
    throw new Error(words.join(' '))
  }
  const ajv = new Ajv2020({
    ownProperties: true,
    strict: true,
    logger: { log: complain, warn: complain, error: complain },
  })
  addFormats.default(ajv)
  return ajv
}

const MARKS = ['archived', 'required', 'options', 'inherited', 'absent'] as const

/** What an entity shows of its type: the sorts of the properties that it has, and what is said of them. */
function sortsIn(entity: Record<string, unknown>, definitions: Definitions): Set<string> {
  const sorts = new Set<string>()
  for (const { slug, propertyType, archived, required, options, inheritedFrom } of definitions.values()) {
    if (entity[slug] == null) {
      sorts.add('absent')
      continue
    }
    const marks = [archived, required, options?.length, inheritedFrom].map((isSet, at) => isSet && MARKS[at])
    for (const sort of [propertyType, ...marks]) if (sort) sorts.add(sort)
  }
  return sorts
}

describe('N53 a type as JSON Schema', () => {
  it('takes what a create and an update take, and nothing else', () => {
    const seen = { create: { taken: 0, refused: 0 }, update: { taken: 0, refused: 0 } }
    const shown = new Map<string, { taken: number; refused: number }>()
    const ajv = validator()
    fc.assert(
      fc.property(examples(EXACT), fc.nat(), (each, seed) => {
        const definitions = each.table.definitionsOf(each.typePath)
        const entities = fc.sample(bodies(each, definitions), { numRuns: OF_EACH_TYPE, seed })
        for (const variant of ['create', 'update'] as const) {
          const isValid = ajv.compile(entitySchema({ ...each, definitions }, variant))
          for (const entity of entities) {
            const taken = isTaken(each, entity, variant)
            const verdict = taken ? 'taken' : 'refused'
            seen[variant][verdict]++
            for (const sort of sortsIn(entity, definitions)) {
              const counts = shown.get(sort) ?? { taken: 0, refused: 0 }
              counts[verdict]++
              shown.set(sort, counts)
            }
            if (isValid(entity) === taken) continue
            throw new Error(
              JSON.stringify({ variant, taken, entity, errors: isValid.errors, type: [...definitions.values()] }),
            )
          }
        }
      }),
      { numRuns: ENTITIES / OF_EACH_TYPE, seed: 53, endOnFailure: true },
    )
    for (const { taken, refused } of Object.values(seen)) {
      expect(taken + refused).toBeGreaterThanOrEqual(ENTITIES)
      expect(Math.min(taken, refused)).toBeGreaterThan(ENTITIES / 5)
    }
    expect([...shown.keys()].sort()).toEqual([...PROPERTY_TYPES, ...MARKS].sort())
    for (const [sort, { taken, refused }] of shown) expect([sort, Math.min(taken, refused) > 100]).toEqual([sort, true])
  })

  it('is the same in one document of all types, and knows every entity type', () => {
    const ajv = validator()
    let runs = 0
    const variants = fc.constantFrom<Variant>('create', 'update', 'read')
    fc.assert(
      fc.property(examples(EXACT), variants, fc.nat(), (each, variant, at) => {
        const all = `all-${++runs}`
        ajv.addSchema({ $defs: schemaOfAll(each.table, { variant, baseUrl }).$defs }, all)
        const own = ['', ':shoe', ':shoe:boot'].map(tail => each.kind.name + tail)
        const typePath = own[at % own.length] ?? ''
        const definitions = each.table.definitionsOf(typePath)
        const alone = ajv.compile(entitySchema({ kind: each.kind, typePath, definitions }, variant))
        const among = ajv.getSchema(`${all}#/$defs/${typePath}`)
        for (const body of fc.sample(bodies({ ...each, typePath }, definitions), { numRuns: 20, seed: at })) {
          if (alone(body) !== among?.(body)) throw new Error(JSON.stringify({ typePath, variant, body }))
        }
      }),
      { numRuns: 30, seed: 54, endOnFailure: true },
    )
    const none = schemaOfAll(new TypeTable(0, []), { variant: 'read', baseUrl })
    expect(Object.keys(none.$defs as object).sort()).toEqual(KINDS.map(({ name }) => name).sort())
  })

  it('says of every entity type what its example is', () => {
    const ajv = validator()
    for (const kind of KINDS.filter(({ example, ownRoot }) => example && ownRoot)) {
      const type = { kind, typePath: kind.example?.typePath ?? kind.name, definitions: new Layer([], undefined) }
      const example: unknown = JSON.parse(JSON.stringify(kind.example))
      expect(ajv.compile(entitySchema(type, 'update'))(example), kind.name).toBe(true)
    }
  })

  it('tells labels, options, what is archived, and what only the service sets', () => {
    const properties = [
      { slug: 'fit', label: 'Fit', propertyType: 'choice' as const, options: ['slim', { value: 'l', label: 'Loose' }] },
      { slug: 'old', propertyType: 'number' as const, archived: true, required: true },
      { slug: 'sku', propertyType: 'string' as const, required: true },
    ]
    const table = new TypeTable(1, [{ typePath: 'item:shoe', label: 'Shoe', properties }])
    const schema = schemaOfType(table, 'item:shoe', { baseUrl })
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Shoe',
      required: ['typePath', 'sku'],
      properties: {
        typePath: { const: 'item:shoe' },
        fit: {
          title: 'Fit',
          anyOf: [{ oneOf: [{ const: 'slim' }, { const: 'l', title: 'Loose' }] }, { type: 'null' }],
        },
        old: { deprecated: true },
        sku: { type: 'string' },
        createdOn: { readOnly: true },
      },
    })
    const read = schemaOfType(table, 'item:shoe', { variant: 'read', baseUrl })
    expect(read.required).toEqual(expect.arrayContaining(['id', 'version', 'typePath', 'sku']))
  })

  it('marks what only the service sets, and nothing else', () => {
    const table = new TypeTable(1, [{ typePath: 'item', label: null, properties: [] }])
    const { properties } = entitySchema(described(table, 'item'), 'read', 'alone') as {
      properties: Record<string, { readOnly?: true }>
    }
    const marked = (name: string) => properties[name]?.readOnly ?? false
    expect(['id', 'version', 'createdOn', 'updatedById'].map(marked)).toEqual([true, true, true, true])
    expect(['name', 'typePath', 'roles', 'itemFamilyId'].map(marked)).toEqual([false, false, false, false])
  })

  it('is refused where inheritance would make it too large, before it is made', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ slug: `p${at}`, propertyType: PROPERTY_TYPES[0] }))
    const rows = Array.from({ length: 300 }, (_, at) => ({ typePath: `item:t${at}`, label: null, properties: [] }))
    const table = new TypeTable(1, [{ typePath: 'item', label: null, properties: many }, ...rows])
    expect(() => schemaOfAll(table, { baseUrl })).toThrow(/one by one/)
    expect(schemaOfType(table, 'item:t1', { baseUrl })).toMatchObject({ title: 'item:t1' })
  })

  it('is refused where few properties with very many options would make it too large', () => {
    const options = Array.from({ length: 1000 }, (_, at) => `${at}-${'o'.repeat(450)}`)
    const large = { slug: 'a', propertyType: 'choice' as const, options }
    const rows = Array.from({ length: 50 }, (_, at) => ({ typePath: `item:t${at}`, label: null, properties: [] }))
    const root = { typePath: 'item', label: null, properties: [large] }
    const table = new TypeTable(1, [root, ...rows])
    // There it is inherited by reference.
    expect(JSON.stringify(schemaOfAll(table, { baseUrl })).length).toBeLessThan(1_000_000)
    expect(() => documentWithTypes({ components: { schemas: {} } }, table)).toThrow(/one by one/)
    const own = new TypeTable(1, [root, ...rows.map(row => ({ ...row, properties: [large] }))])
    expect(() => schemaOfAll(own, { baseUrl })).toThrow(/one by one/)
    expect(schemaOfType(own, 'item:t1', { baseUrl })).toMatchObject({ title: 'item:t1' })
  })

  it.each(['alone', 'among others'] as const)('is no larger than was told before it was made: %s', place => {
    fc.assert(
      fc.property(examples(EXACT), ({ table }) => {
        const planned = pathsOf(table).map(path => {
          const type = described(table, path)
          return { ...type, variants: variantsOf(type.kind) }
        })
        const made = planned.flatMap(type => type.variants.map(variant => entitySchema(type, variant, place)))
        const told = schemaBytes(table, planned, place)
        expect(told).toBeGreaterThanOrEqual(jsonBytes(made))
        expect(told).toBeLessThan(2 * jsonBytes(made))
      }),
      { numRuns: 20, seed: 53 },
    )
  })
})
