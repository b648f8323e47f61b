// Forms derive from the JSON Schema of a type (N53): what they let through is what the schema takes, which is what the API takes.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf, fieldFault, formFields } from '../../../src/clients/console/state/form-schema.ts'
import { schemaFault } from '../../../src/clients/console/state/schema-check.ts'
import { entitySchema } from '../../../src/features/entities/json-schema.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { KINDS, kindNamed } from '../../../src/kinds.ts'
import { bodies, examples } from '../../pure/types/generated.ts'

const TYPES = 20
const OF_EACH_TYPE = 50
const EXACT = KINDS.filter(kind => kind.ownRoot && kind.operations.includes('create'))

describe('the check of a form', () => {
  it('N53 takes what a validator takes, and refuses what it refuses', () => {
    const ajv = new Ajv2020({ ownProperties: true })
    addFormats.default(ajv)
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(examples(EXACT), fc.nat(), (each, seed) => {
        const definitions = each.table.definitionsOf(each.typePath)
        for (const variant of ['create', 'update'] as const) {
          const schema = entitySchema({ ...each, definitions }, variant)
          const isValid = ajv.compile(schema)
          for (const body of fc.sample(bodies(each, definitions), { numRuns: OF_EACH_TYPE, seed })) {
            const fault = schemaFault(schema, body)
            seen[isValid(body) ? 'taken' : 'refused']++
            if ((fault === undefined) === isValid(body)) continue
            throw new Error(JSON.stringify({ variant, fault, errors: isValid.errors, body, schema }))
          }
        }
      }),
      { numRuns: TYPES, seed: 53, endOnFailure: true },
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(TYPES * OF_EACH_TYPE * 0.3)
  })

  it('N53 says which options a list can have, the first of many', () => {
    const options = Array.from({ length: 22 }, (_, at) => ({ value: `o${at}`, label: `Option ${at}` }))
    const table = new TypeTable(1, [
      {
        typePath: 'color',
        label: null,
        properties: [
          { slug: 'many', propertyType: 'multi_select', options },
          { slug: 'few', propertyType: 'multi_select', options: ['wash', 'dry clean'] },
          { slug: 'ids', propertyType: 'object_ref_list' },
        ],
      },
    ])
    const definitions = table.definitionsOf('color')
    const fields = formFields(entitySchema({ kind: kindNamed('color'), typePath: 'color', definitions }, 'update'))
    const hintOf = (slug: string) => fields.find(field => field.slug === slug)?.hint
    expect(hintOf('few')).toBe('Several with | between them: wash, dry clean.')
    expect(hintOf('many')).toMatch(/ them: Option 0, Option 1, .*, Option 19 and 2 more\.$/)
    expect(hintOf('ids')).toMatch(/Several with \| between them\.$/)
  })

  it('N53 says what is wrong in words', () => {
    const table = new TypeTable(1, [
      {
        typePath: 'color',
        label: null,
        properties: [
          { slug: 'season', label: 'Season', propertyType: 'choice', options: ['SS27'], required: true },
          { slug: 'launch', propertyType: 'date' },
          { slug: 'page', propertyType: 'url' },
          { slug: 'old', propertyType: 'string', archived: true },
        ],
      },
    ])
    const definitions = table.definitionsOf('color')
    const schema = entitySchema({ kind: kindNamed('color'), typePath: 'color', definitions }, 'create')
    const fields = formFields(schema)
    expect(fields.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['name', 'federatedId', 'hex', 'red', 'season', 'launch', 'page']),
    )
    expect(fields.some(({ slug }) => ['old', 'id', 'version', 'typePath'].includes(slug))).toBe(false)
    expect(fields.find(({ slug }) => slug === 'season')).toMatchObject({
      label: 'Season',
      isRequired: true,
      property: { propertyType: 'choice', options: [{ value: 'SS27', label: 'SS27' }] },
    })
    expect(fields.find(({ slug }) => slug === 'red')?.hint).toBe('0 to 255.')
    expect(fieldFault(schema, 'red', 256)).toBe('The most is 255.')
    expect(fieldFault(schema, 'red', 1.5)).toBe('Write a whole number.')
    expect(fieldFault(schema, 'launch', '2027-02-29')).toBe('Write a day that exists, as YYYY-MM-DD.')
    expect(fieldFault(schema, 'page', 'somewhere')).toContain('http')
    expect(fieldFault(schema, 'season', null)).toBe('This is needed.')
    expect(fieldFault(schema, 'whatever', {})).toBeUndefined()
    const texts = { name: 'Brick', red: '300', launch: '2027-03-01' }
    expect(bodyOf(fields, texts, 'color', schema)).toEqual({
      body: { typePath: 'color', name: 'Brick', red: 300, launch: '2027-03-01' },
      wrong: { red: 'The most is 255.', season: 'This is needed.' },
    })
  })
})
