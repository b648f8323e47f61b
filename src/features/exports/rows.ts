// The rows of a CSV export that a load reads again (N51).
import type { Entity } from '../../platform/db/row.ts'
import { ownValue } from '../../platform/own-value.ts'
import { Issues } from '../loads/issues.ts'
import type { Property, TypeSource } from '../loads/rows/property.ts'
import { Matcher } from '../loads/rows/property-matcher.ts'
import type { LoadTarget } from '../loads/targets.ts'
import { besideText, type CellOf, definedCell, ownText, shownText, typedCell, UNCHANGED } from './cell-text.ts'
import type { ExportColumns } from './columns.ts'

/** The key of an entity that the page refers to, by its id; undefined where there is no such entity. */
export type KeyOf = (id: string) => { federatedId: unknown } | undefined

type RowCells = (entity: Entity) => string[]

export function loadedRows(target: LoadTarget, columns: ExportColumns, typesOf: TypeSource, keyOf: KeyOf): RowCells {
  const cells = cellsBy(target, columns, typesOf, id => keyOf(id) !== undefined)
  const own = target.hasFamilies ? itemCells(keyOf) : entityCells(target)
  return entity => {
    const ofRow = own(entity)
    const cellsOfRow = cells(entity)
    return columns.names.map((name, at) => ofRow(name) ?? cellsOfRow[at]?.(ownValue(entity, name)) ?? '')
  }
}

/** The cells of each column, by the type path of the entity: what it defines, or else what the configuration says of the column. */
function cellsBy(
  target: LoadTarget,
  { names, types }: ExportColumns,
  typesOf: TypeSource,
  isThere: (id: string) => boolean,
) {
  const known = new Map<string, CellOf[]>()
  return ({ typePath, itemFamilyId }: Entity): CellOf[] => {
    const isOption = typeof itemFamilyId === 'string'
    const key = `${isOption} ${String(typePath)}`
    const made = known.get(key) ?? cellsOf(String(typePath), isOption)
    known.set(key, made)
    return made
  }

  function cellsOf(typePath: string, isOption: boolean): CellOf[] {
    const matcher = new Matcher([{ target, properties: typesOf(typePath) }])
    return names.map(name => cellFor(name, matcher.match(name)[0]?.property, isOption))
  }

  function cellFor(name: string, property: Property | undefined, isOption: boolean): CellOf {
    // In this type the column means another property, by its label.
    if (property && property.slug !== name) return () => UNCHANGED
    if (property?.archived) return besideText
    // What a family has its options have from it: it stands on the family's row alone.
    if (property?.level === 'family' && isOption) return () => UNCHANGED
    if (property) return existing(property, isThere)
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    return type ? typedCell(name, type) : shownText
  }
}

/** A reference to what is gone would be refused. */
function existing(property: Property, isThere: (id: string) => boolean): CellOf {
  const cell = definedCell(property)
  if (!isReference(property)) return cell
  return value => (idsIn(value).every(isThere) ? cell(value) : UNCHANGED)
}

export const isReference = ({ propertyType }: Property) =>
  propertyType === 'object_reference' || propertyType === 'object_ref_list'

export const idsIn = (value: unknown): string[] => [value].flat().filter((id): id is string => typeof id === 'string')

type OwnCells = (entity: Entity) => (column: string) => string | undefined

/** A name that is not there would be made of the key. */
function entityCells({ fields, reserved }: LoadTarget): OwnCells {
  const special = reserved.filter(name => !['typePath', 'name', 'federatedId'].includes(name))
  return entity => {
    const written = new Map(special.map(name => [name, listText(entity[name])]))
    const isSame = fields !== undefined && readsSame(fields, special, written, entity)
    return column => {
      if (['typePath', 'name', 'federatedId'].includes(column)) return ownText(entity[column])
      if (column === 'identifier') return entity.identifier === undefined ? '' : ownText(entity.identifier)
      const text = written.get(column)
      return text === undefined || isSame ? text : UNCHANGED
    }
  }
}

const listText = (value: unknown) => (Array.isArray(value) ? value.join('|') : shownText(value))

/** By the very function that a load makes properties of these columns with. */
function readsSame(
  fields: NonNullable<LoadTarget['fields']>,
  columns: readonly string[],
  written: ReadonlyMap<string, string>,
  entity: Entity,
): boolean {
  const issues = new Issues()
  const cells = columns.map(name => written.get(name) ?? '')
  const textOf = (name: string) => (columns.includes(name) ? (written.get(name) ?? '') : undefined)
  const made = fields({ line: 0, issues, textOf })
  return (
    issues.errors + issues.warnings === 0 &&
    cells.every(cell => cell === '' || ownText(cell) === cell) &&
    Object.entries(made).every(
      ([name, value]) => JSON.stringify(value ?? null) === JSON.stringify(entity[name] ?? null),
    )
  )
}

/** An option's row speaks of its family as well: what would make them differ from what they are is left alone. */
function itemCells(keyOf: KeyOf): OwnCells {
  return entity => {
    const isOption = typeof entity.itemFamilyId === 'string'
    const family = isOption ? keyOf(String(entity.itemFamilyId)) : undefined
    const isNamedByOption = entity.name === entity.optionName
    return column => {
      switch (column) {
        case 'itemFamilyFederatedId':
          return ownText(isOption ? family?.federatedId : entity.federatedId)
        case 'itemOptionFederatedId':
          return isOption ? ownText(entity.federatedId) : ''
        case 'typePath':
          return ownText(entity.typePath)
        case 'name':
          return isOption ? UNCHANGED : ownText(entity.name)
        case 'optionName':
          return isOption ? (isNamedByOption ? ownText(entity.optionName) : UNCHANGED) : UNCHANGED
        case 'optionGroup':
          return isOption ? ownText(entity.optionGroup) : UNCHANGED
        case 'identifier':
          return entity.identifier === undefined ? '' : ownText(entity.identifier)
        default:
          return undefined
      }
    }
  }
}
