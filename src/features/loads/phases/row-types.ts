// The types of rows that do not name theirs (N32): an entity keeps the type it has, a new option has that of its family, whose
// first row in the file speaks for it. A later row of a family is read by the family's type, whatever it names.
import type { LoadScope } from '../checkpoint.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import { saysNoneForOptions, typePathTold } from '../drafts/item-claims.ts'
import type { ItemRow } from '../drafts/item-rows.ts'
import type { RowType } from '../rows/pipeline.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import type { LoadState } from '../state.ts'
import { readClaims } from '../store/claims.ts'
import { typePathsOf } from '../store/existing.ts'

type Stored = ReadonlyMap<string, string>

/** By line, for rows that have to be read again. */
export async function typesOfRows(
  { db, org }: LoadScope,
  loadId: string,
  state: LoadState,
  reading: Reading,
  root: string,
): Promise<Map<number, RowType>> {
  const find = (keys: string[]): Promise<Stored> => typePathsOf(db, org.id, root, [...new Set(keys)])
  const untyped = reading.entities.filter(({ isNamed }) => !isNamed)
  if (untyped.length > 0) return typesOfEntities(untyped, await find(untyped.map(({ key }) => key)), root)
  if (!mayDiffer(state, reading.items)) return new Map()
  const inExport = isExport(state.configuration)
  const rows = reading.items.filter(row => (inExport ? isUnsure(row) : mayBeOfAnother(row)))
  const families = [...new Set(rows.map(({ familyKey }) => familyKey))]
  const [stored, claims] = await Promise.all([
    find(rows.flatMap(({ familyKey, optionKey }) => (optionKey === undefined ? [familyKey] : [familyKey, optionKey]))),
    state.chunks > 0 && !state.remembers ? readClaims(db, loadId, 'item', families) : [],
  ])
  const spokenFor = claims
    .filter(({ role }) => role === 'family')
    .map(claim => [claim.key, typePathTold(claim) ?? stored.get(claim.key) ?? root] as const)
  if (inExport) return typesInExport(reading.items, rows, stored, new Map(spokenFor), root)
  return typesOfItems(reading.items, stored, new Map(spokenFor), root)
}

/** A file in which every row names the one type that all of them have needs no look at what is stored. */
function mayDiffer({ typePaths }: LoadState, rows: readonly ItemRow[]): boolean {
  return typePathsIn(typePaths, rows).length > 1 || rows.some(({ typePath }) => typePath === undefined)
}

/** A later row of a family is read by the family's type. */
const mayBeOfAnother = ({ typePath, optionKey }: ItemRow) => typePath === undefined || optionKey === undefined

/** Of a row that names no type path. */
const UNNAMED = ''

/** Type paths that rows have named: as many as it takes to know that there are several. */
export function typePathsIn(known: readonly string[], rows: readonly ItemRow[]): string[] {
  const paths = new Set(known)
  for (const { typePath = UNNAMED } of rows) {
    if (paths.size > 1) break
    paths.add(typePath)
  }
  return [...paths]
}

function typesOfEntities(rows: Reading['entities'], stored: Stored, root: string): Map<number, RowType> {
  return new Map(
    rows.flatMap(({ line, key }) => {
      const typePath = stored.get(key) ?? root
      return typePath === root ? [] : [[line, { typePath }] as const]
    }),
  )
}

function typesOfItems(
  rows: readonly ItemRow[],
  stored: Stored,
  familyTypes: Map<string, string>,
  root: string,
): Map<number, RowType> {
  const types = new Map<number, RowType>()
  for (const { line, familyKey, optionKey, typePath: named } of rows) {
    const settled = familyTypes.get(familyKey)
    const ofFamily = settled ?? named ?? stored.get(familyKey) ?? root
    familyTypes.set(familyKey, ofFamily)
    if (optionKey === undefined && settled !== undefined) {
      if (settled !== (named ?? root)) types.set(line, { typePath: settled, isSettled: true })
    } else if (named === undefined) {
      const typePath = (optionKey !== undefined && stored.get(optionKey)) || ofFamily
      if (typePath !== ofFamily) types.set(line, { typePath, ofFamily })
      else if (typePath !== root) types.set(line, { typePath })
    }
  }
  return types
}

/** In an export each row names the type path of its own entity: only what a family is told by the row of an option is not read by that. */
function typesInExport(
  rows: readonly ItemRow[],
  unsure: readonly ItemRow[],
  stored: Stored,
  spokenFor: ReadonlyMap<string, string>,
  root: string,
): Map<number, RowType> {
  const familyTypes = new Map(spokenFor)
  for (const { familyKey, optionKey, typePath } of rows) {
    if (optionKey === undefined && typePath !== undefined) familyTypes.set(familyKey, typePath)
  }
  return new Map(
    unsure.flatMap(({ line, familyKey, optionKey = familyKey, typePath: named }) => {
      const ofFamily = familyTypes.get(familyKey) ?? stored.get(familyKey) ?? named ?? root
      const typePath = named ?? stored.get(optionKey) ?? ofFamily
      if (typePath !== ofFamily) return [[line, { typePath, ofFamily }] as const]
      return typePath === (named ?? root) ? [] : [[line, { typePath }] as const]
    }),
  )
}

function isUnsure({ typePath, optionKey, values }: ItemRow): boolean {
  return typePath === undefined || (optionKey !== undefined && !values.every(saysNoneForOptions))
}
