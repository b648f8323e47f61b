// Which columns a grid has: the common fields, what the types define, and what the rows hold beyond that.
import type { Entity, TypeProperty } from '../../typescript/index.ts'
import { propertiesBelow } from './catalog.ts'
import { labelOf } from './labels.ts'
import { ownValue } from './own-value.ts'
import { leadsTo } from './references.ts'

export { labelOf } from './labels.ts'

export interface Column {
  slug: string
  label: string
  property: TypeProperty | undefined
  isReadOnly: boolean
  isNumber: boolean
  /** What the service can sort by. */
  isSortable: boolean
}

const READ_ONLY = new Set(['id', 'orgId', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'version', 'summary'])
const SORTABLE = new Set(['name', 'federatedId', 'identifier', 'createdOn', 'updatedOn'])
const NUMBERS = new Set(['number', 'currency', 'percent'])
const SHOWN_AT_FIRST = 8

export function columnOf(slug: string, property?: TypeProperty): Column {
  return {
    slug,
    label: labelOf(slug, property),
    property,
    isReadOnly: READ_ONLY.has(slug),
    isNumber: NUMBERS.has(property?.propertyType ?? ''),
    isSortable: SORTABLE.has(slug) || Boolean(property?.indexed),
  }
}

/** Every column that makes sense for these rows, in the order in which people look for them. */
export function columnsFor(root: string, rows: readonly Entity[]): Column[] {
  const properties = new Map(propertiesBelow(root).map(property => [property.slug, property]))
  const inRows = new Set(rows.flatMap(row => Object.keys(row).filter(slug => row[slug] !== null)))
  const own = [...inRows].filter(slug => !READ_ONLY.has(slug) && !properties.has(slug))
  const slugs = [
    'federatedId',
    'name',
    ...properties.keys(),
    ...own,
    'typePath',
    'updatedOn',
    'createdOn',
    'version',
    'id',
  ]
  return [...new Set(slugs)].map(slug => columnOf(slug, properties.get(slug)))
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
