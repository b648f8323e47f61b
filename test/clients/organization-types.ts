// Types of an organization as generators are given them: what the service answers, made without a service.
import { schemaOfAll } from '../../src/features/entities/type-schemas.ts'
import { TypeTable } from '../../src/features/types/table.ts'
import '../../src/kinds.ts'

export const ROWS: ConstructorParameters<typeof TypeTable>[1] = [
  {
    typePath: 'item',
    label: 'Item',
    properties: [
      { slug: 'season', label: 'Season', propertyType: 'choice', options: ['SS27', { value: 'FW27', label: 'Fall' }] },
      { slug: 'price', label: 'Price */ of it', propertyType: 'currency', indexed: true },
      { slug: 'markets', propertyType: 'multi_select', options: ['eu', 'us'] },
      { slug: 'launch date', propertyType: 'date' },
      { slug: 'isNew', propertyType: 'boolean' },
      { slug: 'class', label: 'Old class', propertyType: 'string', archived: true },
      { slug: 'notes', propertyType: 'json' },
    ],
  },
  {
    typePath: 'item:shoe',
    label: 'Shoe',
    properties: [
      { slug: 'heel', propertyType: 'number', required: true },
      { slug: 'isNew', label: 'Newness', propertyType: 'choice', options: ['very', 'not'] },
    ],
  },
  { typePath: 'item:shoe:boot', label: null, properties: [{ slug: 'shaft', propertyType: 'number' }] },
  // These two differ in punctuation alone, and the third is named like a variant of the root.
  { typePath: 'item:shoe-boot', label: null, properties: [] },
  { typePath: 'item:create', label: null, properties: [] },
  {
    typePath: 'custom-entity:trim',
    label: 'Trim',
    properties: [{ slug: 'none', propertyType: 'choice', options: [] }],
  },
  { typePath: 'nothing:like-it', label: null, properties: [] },
]

export const organizationTypes = (rows = ROWS) =>
  schemaOfAll(new TypeTable(1, rows), { variant: 'read', baseUrl: 'https://selvedge.test/api' })
