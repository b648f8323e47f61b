// The columns of a CSV export: every property for people (N75), and the columns of a load for a file that goes back (N51).
import { isReadBack } from '../../platform/formats/csv-cell.ts'
import { COMMON_READ_ONLY, type Kind } from '../../platform/kind.ts'
import { REPORT_COLUMNS } from '../loads/rows/columns.ts'
import type { PropertyType } from '../loads/rows/property.ts'
import type { LoadTarget } from '../loads/targets.ts'
import { columnTypeOf } from './cell-text.ts'

/** The properties that are there, each with the JSON types of its values. */
export type Found = ReadonlyMap<string, ReadonlySet<string>>

export interface ExportColumns {
  names: string[]
  /** Of the columns that not every type defines. */
  types: Record<string, PropertyType>
  /** Those that a load would not read as what they are. */
  misread: string[]
}

export interface Known {
  target: LoadTarget
  /** Slugs that types define; those that are archived are not loaded. */
  defined: ReadonlyMap<string, { isArchived: boolean }>
  /** Whether a load takes a column of this name for a property that a type defines. */
  isTaken: (name: string) => boolean
  found: Found
  /** Those that were asked for; none: all. */
  asked: readonly string[] | undefined
}

export function exportColumns({ target, defined, isTaken, found, asked }: Known): ExportColumns {
  const own = new Set<string>([...target.reserved, 'identifier'])
  const isLoaded = (name: string) => !target.readOnly.includes(name) && !defined.get(name)?.isArchived
  const others = [...defined.keys(), ...[...found.keys()].sort()].filter(name => !own.has(name) && isLoaded(name))
  const keys = KEYS.filter(name => target.reserved.includes(name))
  const all = [...target.reserved, ...(found.has('identifier') ? ['identifier'] : []), ...others]
  const names = [...new Set(asked ? [...keys, ...asked] : all)]
  const types = names
    .filter(name => !own.has(name) && isLoaded(name) && (found.has(name) || defined.has(name)))
    .map((name): [string, PropertyType] => [name, columnTypeOf(found.get(name) ?? new Set())])
  const isMisread = (name: string) =>
    !isReadBack(name) || REPORT_COLUMNS.includes(name) || (!defined.has(name) && isTaken(name))
  const misread = names.filter(name => !target.reserved.includes(name) && isMisread(name))
  return { names, types: Object.fromEntries(types), misread }
}

/** What a row is found by. */
const KEYS = ['itemFamilyFederatedId', 'itemOptionFederatedId', 'federatedId']

/** Every property that a type defines or an entity has. */
export function allNames(kind: Kind, defined: readonly string[], found: Found): string[] {
  const first = ['id', 'typePath', 'name', 'federatedId']
  const own = [...Object.keys(kind.fields), ...Object.keys(kind.readOnly)].filter(name => found.has(name))
  const common = COMMON_READ_ONLY.filter(name => name !== 'id' && name !== 'orgId')
  return [...new Set([...first, ...own, ...defined, ...[...found.keys()].sort(), ...common])]
}
