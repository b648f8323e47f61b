// N114: every operation, parameter and property of the API document is described, and no description stands unused.
import { expect, it } from 'vitest'
import { documentWithTypes } from '../../../src/features/entities/document-types.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { Describer } from '../../../src/platform/http/openapi/describe.ts'
import { DESCRIPTIONS } from '../../../src/reference.ts'
import { described, document, type Json, resolved, text } from './api-document.ts'

const REMEDY = 'add a description to the contract or to the descriptions.ts beside it'

const isDescribed = ({ description }: Json) => typeof description === 'string' && description.length > 0

/** The properties of a schema that lack a description, at any depth. */
function undescribed(schema: Json, place: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const parts = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf, schema.allOf].flat()
  return [
    ...properties.flatMap(([name, property]) => [
      ...(isDescribed(property) ? [] : [`${place}.${name}: ${REMEDY}`]),
      ...undescribed(property, `${place}.${name}`),
    ]),
    ...parts.flatMap(part => (typeof part === 'object' && part !== null ? undescribed(part as Json, place) : [])),
  ]
}

const inSchemas = (schemas: Record<string, Json>) =>
  Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name))

it('N114 every operation and every parameter of the API document has a description', () => {
  const operations = described.filter(({ operation }) => !isDescribed(operation as unknown as Json))
  expect(operations.map(({ operation }) => `${operation.operationId}: ${REMEDY}`)).toEqual([])
  const parameters = described.flatMap(({ operation }) =>
    operation.parameters.map(parameter => ({
      place: `${operation.operationId} ${'name' in parameter ? parameter.name : parameter.$ref}`,
      parameter: ('$ref' in parameter ? resolved(parameter.$ref) : parameter) as Json,
    })),
  )
  expect(parameters.length).toBeGreaterThan(400)
  const bare = parameters.filter(({ parameter }) => !isDescribed(parameter))
  expect(bare.map(({ place }) => `${place}: ${REMEDY}`)).toEqual([])
})

it('N114 every property of every schema of the API document has a description', () => {
  expect(inSchemas(document.components.schemas)).toEqual([])
})

it('N114 every property of the API document of an organization has a description, and every title is unique', () => {
  const types = new TypeTable(1, [
    {
      typePath: 'item:shoe',
      label: 'Shoe',
      properties: [
        { slug: 'heel', propertyType: 'number' },
        { slug: 'season', label: 'Season', propertyType: 'choice', options: ['SS27'] },
      ],
    },
    { typePath: 'project:shoe', label: 'Shoe', properties: [] },
  ])
  const { components } = documentWithTypes(document as unknown as Json, types) as unknown as typeof document
  expect(components.schemas.ItemShoe).toBeDefined()
  expect(inSchemas(components.schemas)).toEqual([])
  const titles = Object.values(components.schemas).flatMap(({ title }) => (title === undefined ? [] : [title]))
  expect(titles).toHaveLength(new Set(titles).size)
})

it('the tables of descriptions have no entry that the API document does not need', () => {
  const describer = new Describer(DESCRIPTIONS)
  for (const { operation } of described) {
    describer.operation(operation.operationId)
    for (const parameter of operation.parameters) {
      if ('name' in parameter) describer.parameter(operation.operationId, parameter.name)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) describer.describe(name, schema)
  expect([...describer.unused]).toEqual([])
})

it('the API document names no decision number', () => {
  expect(text.match(/\bN\d{1,3}\b/g) ?? []).toEqual([])
})
