// The six steps of N30 for one row, written from the specification: what each column is called, and what its cell says. Undefined
// is a cell that is not there (N73), null or the empty text one that clears.
import { type Definition, definitionsOf, type File, type Properties, type Types } from './world.ts'

export const RESERVED: Record<string, string[]> = {
  item: ['typePath', 'name', 'itemFamilyFederatedId', 'itemOptionFederatedId', 'optionName', 'optionGroup'],
  color: ['typePath', 'name', 'federatedId', 'hex', 'red', 'green', 'blue'],
  'custom-entity': ['typePath', 'name', 'federatedId'],
  'size-range-template': ['typePath', 'name', 'federatedId', 'sizes'],
}

export type Cells = Record<string, unknown>

export const isEmpty = (value: unknown): boolean => value === '' || value === null || value === undefined

/** Nobody has written anything on such a row: it is none. */
export const isBlank = (row: readonly string[]): boolean => row.every(isEmpty)

/** Steps 1 to 3. The names are those of the file and of the mappings. */
export function columnsOf(file: File, row: readonly string[]): Cells {
  const cells: Cells = {}
  for (const [at, name] of file.header.entries()) cells[name] = booleanOf(row[at] ?? '')
  const found = { ...cells }
  for (const [key, source] of Object.entries(file.mappings)) {
    if (!(key in found)) cells[key] = source in found ? found[source] : source
  }
  for (const name of file.removed) delete cells[name]
  return cells
}

function booleanOf(text: string): unknown {
  const lower = text.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : text
}

/** Step 4: labels give way to slugs. */
export function renamed(cells: Cells, definitions: readonly Definition[], reserved: readonly string[]): Cells {
  const named: Cells = {}
  for (const [name, value] of Object.entries(cells)) {
    const isKnown = reserved.includes(name) || definitions.some(({ slug }) => slug === name)
    const byLabel = isKnown ? undefined : definitions.find(({ label }) => label.toLowerCase() === name.toLowerCase())
    named[byLabel && !(byLabel.slug in cells) ? byLabel.slug : name] = value
  }
  return named
}

/** Step 5. `original` finds a column by its name in the file as well. */
export function conditioned(cells: Cells, file: File, original: Cells): Cells {
  const made = { ...cells }
  const cellOf = (name: string): unknown => (name in made ? made[name] : original[name])
  for (const { toProperty, fromProperty, when, default: otherwise } of file.conditionals) {
    const target = toProperty in made ? toProperty : nameOf(toProperty, made, original)
    const value = when
      ? cellOf(when.column) === when.equals
        ? when.value
        : otherwise
      : fromProperty !== undefined
        ? copied(cellOf(fromProperty), otherwise)
        : otherwise
    if (value !== undefined) made[target] = value
  }
  return made
}

const copied = (value: unknown, otherwise: unknown): unknown =>
  isEmpty(value) && otherwise !== undefined ? otherwise : value

/** A column that step 4 has given another name is still known by its header. */
function nameOf(header: string, made: Cells, original: Cells): string {
  if (!(header in original)) return header
  return Object.keys(made).find(name => name.toLowerCase().replaceAll('_', ' ') === header.toLowerCase()) ?? header
}

export interface Read {
  values: Properties
  /** Columns whose cells cannot be read. */
  faults: string[]
}

/** A cell by its propertyType; undefined where it is left out (an unknown option), `faults` where it is wrong. */
export function readValue(definition: Definition, value: unknown, known: ReadonlySet<string>): unknown | Fault {
  if (value === undefined) return undefined
  if (isEmpty(value)) return null
  const text = String(value)
  const parts = text.split('|')
  switch (definition.propertyType) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : new Fault()
    case 'boolean':
      return typeof value === 'boolean' ? value : new Fault()
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? text : new Fault()
    case 'choice':
      return optionOf(definition, text)
    case 'multi_select': {
      const options = parts.map(part => optionOf(definition, part))
      return options.includes(undefined) ? undefined : options
    }
    case 'object_reference':
      return known.has(text) ? text : new Fault()
    case 'object_ref_list':
      return parts.every(part => known.has(part)) ? parts : new Fault()
    default:
      return text
  }
}

export class Fault {}

function optionOf({ options = [] }: Definition, text: string): string | undefined {
  const exact = options.find(({ value }) => value === text)
  return (exact ?? options.find(({ label }) => label.toLowerCase() === text.toLowerCase()))?.value
}

export function targetsOf({ loadType }: File): string[] {
  return loadType
    .map(type => type.toLowerCase().replaceAll('_', '-'))
    .map(kind => (kind === 'assortment' ? 'assortment-item' : kind))
}

export function matching(types: Types, targets: readonly string[], typePath: string): Definition[] {
  return targets.flatMap((target, at) => definitionsOf(types, at === 0 ? typePath : target))
}
