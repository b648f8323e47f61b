// N54: the API document of an organization has its types in it, and generators of other languages get them.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { documentWithTypes } from '../../../src/features/entities/document-types.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { document, type Json } from './api-document.ts'

const rows: ConstructorParameters<typeof TypeTable>[1] = [
  {
    typePath: 'item',
    label: null,
    properties: [{ slug: 'season', propertyType: 'choice', options: ['SS27', 'FW27'], required: true }],
  },
  { typePath: 'item:shoe', label: 'Shoe', properties: [{ slug: 'heel', propertyType: 'number', archived: true }] },
  { typePath: 'item:page', label: null, properties: [] },
  { typePath: 'color', label: null, properties: [{ slug: 'a/b', propertyType: 'json' }] },
]
const plain = document as unknown as Json
const typed = documentWithTypes(plain, new TypeTable(1, rows))
const schemas = (typed.components as { schemas: Record<string, Json> }).schemas

describe('N54 the API document of an organization', () => {
  it('tells the types of each entity type apart, and leaves room for paths that nobody has described', () => {
    const refs = ['ItemPage2', 'ItemShoe', 'ItemOfAnotherType'].map(name => ({ $ref: `#/components/schemas/${name}` }))
    expect(schemas.Item).toEqual({ anyOf: refs })
    expect(schemas.ItemShoeCreate).toMatchObject({
      required: ['typePath', 'season'],
      properties: { season: { enum: ['SS27', 'FW27'] }, heel: { deprecated: true }, typePath: { const: 'item:shoe' } },
    })
    expect(schemas.ItemOfAnotherType).toMatchObject({ properties: { season: {}, roles: {} } })
    expect(schemas.ItemPage).toEqual(document.components.schemas.ItemPage)
    expect(schemas.Color).toMatchObject({ properties: { 'a/b': {}, hex: {} } })
    expect(documentWithTypes(plain, new TypeTable(0, []))).toEqual(plain)
  })

  it('is read by linter and generator', async () => {
    const config = await createConfig({ extends: ['minimal'] })
    const problems = await lintFromString({ source: JSON.stringify(typed), config })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    const types = astToString(await openapiTS(structuredClone(typed) as never, { silent: true }))
    expect(types).toContain('typePath: "item:shoe"')
    expect(types).toMatch(/season: "SS27" \| "FW27"/)
  })
})
