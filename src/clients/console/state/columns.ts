// Which columns a grid has: the common fields, what the types define, and what the rows hold beyond that.
import type { Entity, TypeProperty } from '../../typescript/index.ts'
import { propertiesBelow, propertyOf } from './catalog.ts'
import type { FormField } from './form-schema.ts'
import { labelOf } from './labels.ts'
import { ownValue } from './own-value.ts'
import { leadsTo } from './references.ts'

export { labelOf } from './labels.ts'

export interface Column {
  slug: string
  label: string
  /** As a type describes it. */
  property: TypeProperty | undefined
  /** By which typed text is read: as a type describes it, or as it is built in. */
  field: TypeProperty | undefined
  /** Of a row: what no type describes is of the kind that others have. */
  sample: unknown
  isReadOnly: boolean
  isNumber: boolean
  /** What the service can sort by. */
  isSortable: boolean
  /** In pixels; it does not follow what the cells hold, so that nothing jumps while they are edited or scrolled. */
  width: number
}

const READ_ONLY = new Set(['id', 'orgId', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'version', 'summary'])
const SORTABLE = new Set(['name', 'federatedId', 'identifier', 'createdOn', 'updatedOn'])
const NUMBERS = new Set(['number', 'currency', 'percent'])
const SHOWN_AT_FIRST = 8

const WIDTHS: Record<string, number> = { name: 240, federatedId: 150, version: 90 }
const NARROW = new Set(['number', 'currency', 'percent', 'boolean'])
const WIDE = new Set(['text', 'json', 'multi_select', 'object_ref_list', 'url'])

const widthOf = (slug: string, propertyType = '') =>
  ownValue(WIDTHS, slug) ?? (NARROW.has(propertyType) ? 120 : WIDE.has(propertyType) ? 220 : 170)

export const isReadOnly = (slug: string) => READ_ONLY.has(slug)

function columnOf(slug: string, property: TypeProperty | undefined, builtIn: TypeProperty | undefined): Column {
  const field = property ?? builtIn
  return {
    slug,
    label: labelOf(slug, property),
    property,
    field,
    sample: undefined,
    isReadOnly: isReadOnly(slug),
    isNumber: NUMBERS.has(field?.propertyType ?? ''),
    isSortable: SORTABLE.has(slug) || Boolean(property?.indexed),
    width: widthOf(slug, field?.propertyType),
  }
}

/** What the cell of a row takes. */
export const fieldIn = ({ slug, field }: Column, row: Entity): TypeProperty | undefined =>
  propertyOf(row.typePath, slug) ?? field

/** Every column that makes sense for these rows, in the order in which people look for them. */
export function columnsFor(root: string, rows: readonly Entity[], fields: readonly FormField[]): Column[] {
  const builtIn = new Map(fields.map(({ slug, property }) => [slug, property]))
  const properties = new Map(propertiesBelow(root).map(property => [property.slug, property]))
  const inRows = new Set(rows.flatMap(row => Object.keys(row).filter(slug => row[slug] !== null)))
  const own = [...inRows].filter(slug => !READ_ONLY.has(slug) && !properties.has(slug))
  const slugs = [
    'federatedId',
    'name',
    ...properties.keys(),
    ...own,
    ...builtIn.keys(),
    'typePath',
    'updatedOn',
    'createdOn',
    'version',
    'id',
  ]
  return [...new Set(slugs)].map(slug => ({
    ...columnOf(slug, properties.get(slug), builtIn.get(slug)),
    sample: rows.map(row => ownValue(row, slug)).find(value => value != null),
  }))
}

/** Those that are shown before anybody has chosen: filled ones first. */
export function firstColumns(columns: readonly Column[], rows: readonly Entity[]): string[] {
  const isFilled = ({ slug }: Column) => rows.some(row => (ownValue(row, slug) ?? null) !== null)
  const chosen = columns.filter(column => !column.isReadOnly && isFilled(column) && column.slug !== 'roles')
  const always = new Set(['federatedId', 'name', 'identifier'])
  const slugs = chosen.filter(({ slug }) => !always.has(slug) && slug !== 'typePath').map(({ slug }) => slug)
  const links = slugs.filter(slug => leadsTo(slug) !== undefined)
  const others = slugs.filter(slug => leadsTo(slug) === undefined)
  const identified = chosen.some(({ slug }) => slug === 'identifier') ? ['identifier'] : []
  return [
    'federatedId',
    'name',
    ...identified,
    ...[...links, ...others].slice(0, SHOWN_AT_FIRST - 4),
    'typePath',
    'updatedOn',
  ]
}
