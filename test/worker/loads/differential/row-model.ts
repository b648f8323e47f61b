// What one row of an ITEM load says (N32): of its family, of itself, for each entity type that the load writes.
import {
  type Cells,
  columnsOf,
  conditioned,
  Fault,
  isEmpty,
  matching,
  RESERVED,
  readValue,
  renamed,
  targetsOf,
} from './pipeline-model.ts'
import { type Definition, definitionsOf, type File, type Properties, type Types, type World } from './world.ts'

export interface Said {
  /** Level `family`, and the columns `<slug>Family`: words for the family, whichever row they stand on. */
  family: Properties
  /** Level `override` in its plain column, on the family's own row. */
  ownOverride: Properties
  /** Of the row's own entity. */
  own: Properties
}

export interface Row {
  line: number
  family: string
  option: string | null
  typePath: string
  /** As its cell names it. */
  namedType: string
  name: string | undefined
  optionName: string | undefined
  optionGroup: string | undefined
  said: Record<string, Said>
  /** The assortment that it goes to. */
  place: string | null
  membership: 'add' | 'keep' | 'drop'
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : isEmpty(value) ? '' : String(value)

export interface Reader {
  file: File
  types: Types
  world: World
  known: ReadonlySet<string>
  /** The type of each family that a row has spoken for. */
  familyTypes: Map<string, string>
  errors: Set<number>
}

export function readRow(reader: Reader, row: readonly string[], line: number): Row | undefined {
  const { file, types, errors } = reader
  const targets = targetsOf(file)
  const original = columnsOf(file, row)
  const family = textOf(original.itemFamilyFederatedId) ?? ''
  const option = textOf(original.itemOptionFederatedId) || null
  const fallback = fallbackOf(reader, family, option)
  const isLater = option === null && reader.familyTypes.has(family)
  const first = isLater ? fallback : textOf(original.typePath) || fallback
  const reserved = RESERVED.item ?? []
  const cells = conditioned(renamed(original, matching(types, targets, first), reserved), file, original)
  const namedType = textOf(cells.typePath) ?? ''
  const typePath = isLater ? fallback : namedType || fallback
  if (family !== '' && !reader.familyTypes.has(family)) {
    reader.familyTypes.set(family, namedType || reader.world.items[family]?.typePath || 'item')
  }
  const final = renamed(cells, matching(types, targets, typePath), reserved)
  const said = sayings(reader, final, typePath, option === null, line)
  if (family === '' || family === option) errors.add(line)
  const { place, membership } = placeOf(reader, final, original, line)
  if (family === '') return undefined
  return {
    line,
    family,
    option,
    typePath,
    namedType,
    name: textOf(cells.name),
    optionName: textOf(cells.optionName),
    optionGroup: textOf(cells.optionGroup),
    said,
    place,
    membership,
  }
}

/** A row that names no type is of the type that its entity has, else its family, in the file or stored. */
function fallbackOf({ world, familyTypes }: Reader, family: string, option: string | null): string {
  const own = option === null ? undefined : world.items[option]?.typePath
  return own ?? familyTypes.get(family) ?? world.items[family]?.typePath ?? 'item'
}

function sayings(
  reader: Reader,
  cells: Cells,
  typePath: string,
  isFamily: boolean,
  line: number,
): Record<string, Said> {
  const { file, types, errors, known } = reader
  const targets = targetsOf(file)
  const said: Record<string, Said> = {}
  const steering = [file.split?.addField, file.split?.dropField]
  const matched = new Set<string>()
  for (const [at, target] of targets.entries()) {
    const definitions = definitionsOf(types, at === 0 ? typePath : target)
    const says: Said = { family: {}, ownOverride: {}, own: {} }
    said[target] = says
    for (const [column, cell] of Object.entries(cells)) {
      if (RESERVED.item?.includes(column)) continue
      const meant = meaningOf(column, definitions)
      if (!meant) continue
      matched.add(column)
      const place = placeFor(meant, isFamily)
      if (meant.definition.archived || !place) continue
      const value = readValue(meant.definition, cell, known)
      if (value instanceof Fault) errors.add(line)
      else if (value !== undefined) offer(says[place], meant.definition.slug, value, meant.part)
    }
  }
  const main = said[targets[0] ?? 'item']
  for (const [column, cell] of Object.entries(cells)) {
    if (matched.has(column) || RESERVED.item?.includes(column) || steering.includes(column)) continue
    if (definitionsOf(types, typePath).length > 0 || cell === undefined || !main) continue
    main.own[column] = isEmpty(cell) ? null : cell
  }
  return said
}

interface Meaning {
  definition: Definition
  part: 'row' | 'Family' | 'Option'
}

function meaningOf(column: string, definitions: readonly Definition[]): Meaning | undefined {
  const exact = definitions.find(({ slug }) => slug === column)
  if (exact) return { definition: exact, part: 'row' }
  for (const part of ['Family', 'Option'] as const) {
    const definition = definitions.find(({ slug, level }) => level === 'override' && slug + part === column)
    if (definition) return { definition, part }
  }
  return undefined
}

function placeFor({ definition, part }: Meaning, isFamily: boolean): keyof Said | undefined {
  const { level } = definition
  if (level === 'family' || part === 'Family') return 'family'
  if (level === 'all') return 'own'
  if (isFamily) return level === 'override' && part === 'row' ? 'ownOverride' : undefined
  return 'own'
}

/** Two columns may speak of one property: the special one before the plain one, a value before an empty cell. */
function offer(properties: Properties, slug: string, value: unknown, part: Meaning['part']): void {
  const held = properties[slug]
  if (held === undefined || held === null || (part !== 'row' && value !== null)) properties[slug] = value
}

function placeOf({ file, errors }: Reader, cells: Cells, original: Cells, line: number) {
  const { split } = file
  if (!split || !file.loadType.includes('ASSORTMENT')) return { place: null, membership: 'keep' as const }
  const cellOf = (column: string | undefined) =>
    column === undefined ? undefined : column in cells ? cells[column] : original[column]
  const place = split.values[textOf(cellOf(split.column)) ?? ''] ?? null
  if (place === null || !split.isPartial) return { place, membership: 'add' as const }
  const drops = cellOf(split.dropField) === true
  const adds = split.addField === undefined ? !drops : cellOf(split.addField) === true
  if (adds && drops) errors.add(line)
  return { place, membership: drops ? ('drop' as const) : adds ? ('add' as const) : ('keep' as const) }
}
