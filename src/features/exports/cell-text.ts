// From a stored value to the text of its cell, such that a load reads just that value again (N51). What no cell can say is
// written as a mark that the load leaves alone. Pure.

import { canonical } from '../../platform/canonical.ts'
import { isReadBack } from '../../platform/formats/csv-cell.ts'
import { type Reader, readerFor } from '../loads/rows/cell-readers.ts'
import { readerOf } from '../loads/rows/column-plan.ts'
import type { Property, PropertyType } from '../loads/rows/property.ts'

/** In CSV exports: the cell is left alone when the file is loaded again. */
export const UNCHANGED = '(unchanged)'

type Text = (value: unknown) => string

const asText: Text = value => (typeof value === 'string' ? value : JSON.stringify(value))
const asList: Text = value => (Array.isArray(value) ? value.map(asText).join('|') : asText(value))

const TEXTS: Partial<Record<PropertyType, Text>> = {
  number: decimal,
  currency: decimal,
  percent: decimal,
  multi_select: asList,
  object_ref_list: asList,
  json: value => JSON.stringify(value),
}

/** Without an exponent, as loads take numbers. */
function decimal(value: unknown): string {
  const text = asText(value)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (whole === '') return text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return (
    sign + (point >= digits.length ? digits.padEnd(point, '0') : `${digits.slice(0, point)}.${digits.slice(point)}`)
  )
}

export type CellOf = (value: unknown) => string

function cellBy(text: Text, read: Reader, isRequired: boolean): CellOf {
  return value => {
    // An empty cell clears; where the type wants a value, that would be refused.
    if (value === undefined || value === null) return isRequired ? UNCHANGED : ''
    const cell = text(value)
    const isSafe = cell !== '' && cell !== UNCHANGED && isReadBack(cell)
    return isSafe && isSame(read(cell), value) ? cell : UNCHANGED
  }
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))

/** Of a property that a type defines. */
export function definedCell(property: Property): CellOf {
  return cellBy(TEXTS[property.propertyType] ?? asText, readerFor(property), property.required)
}

/** Of a column that is read by the type that the configuration names. */
export function typedCell(slug: string, type: PropertyType): CellOf {
  return cellBy(TEXTS[type] ?? asText, readerOf(slug, type), false)
}

/** Of a column that means something by itself, such as a key: a text that is there. */
export const ownText: CellOf = value =>
  typeof value === 'string' && value !== '' && value !== UNCHANGED && isReadBack(value) ? value : UNCHANGED

/** For people and spreadsheets: a list of plain texts is written as loads read it, anything else as GET shows it. */
export const shownText: CellOf = value => {
  if (value === undefined || value === null) return ''
  return isPlainList(value) ? value.join('|') : asText(value)
}

const isPlainList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string' && /^[^|]+$/.test(each))

/** Beside cells that are read back: of a column that loads leave out. */
export const besideText: CellOf = value => {
  const text = shownText(value)
  return text.includes('\0') ? UNCHANGED : text
}

/** How values of these JSON types are best read, where no type says it. */
export function columnTypeOf(jsonTypes: ReadonlySet<string>): PropertyType {
  const are = (...types: string[]) => [...jsonTypes].every(type => types.includes(type))
  if (are('text')) return 'string'
  if (are('integer', 'real')) return 'number'
  return are('true', 'false') ? 'boolean' : 'json'
}
