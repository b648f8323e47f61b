// How rows of one type path go through the pipeline, worked out once: where each column lies, what conditional columns
// read, and which entity gets which cell. Conditional results stand behind the literals, one place for each, so that
// overwriting a column never touches the cells of the file.

import { HOSTILE_NAMES } from '../../../platform/json-safety.ts'
import { bareName } from '../../../platform/nearest.ts'
import { isPropertyName } from '../../entities/field-text.ts'
import type { LoadTarget, Targets } from '../targets.ts'
import { isEmpty, plain, type Reader, readerFor, readKey, Unread } from './cell-readers.ts'
import type { Column, Columns } from './columns.ts'
import { type ConditionalColumn, referencesOf } from './conditional-columns.ts'
import type { Level, Property, PropertyType, TypeSource } from './property.ts'
import { type Definitions, type Match, Matcher, type Part } from './property-matcher.ts'

export interface Field {
  slot: number
  /** The column as the file calls it: issues name it. */
  header: string
  slug: string
  target: LoadTarget
  level: Level
  part: Part
  read: Reader | undefined
  reference: 'one' | 'list' | undefined
  required: boolean
}

export interface Dropped {
  header: string
  name: string
  reason: 'unmatched' | 'archived' | 'read-only' | 'twice' | 'name'
}

export interface FinalPlan {
  typePath: string
  /** Columns with a meaning of their own, such as name or itemFamilyFederatedId. */
  reserved: Map<string, number>
  /** Where the columns that steer the load lie. */
  control: Map<string, number>
  /** The property that the column to split on fills: it differs from row to row of one item, and that is no contradiction. */
  splitSlug: string | undefined
  fields: Field[]
  dropped: Dropped[]
  /** Columns that the configuration gives another type than the one that defines them. */
  retyped: { header: string; propertyType: PropertyType }[]
}

export interface Reference {
  slot: number
  read: Reader
  /** Of a conditional column: which. What it has made is taken as it is, what it has left as it was is read. */
  madeBy: number | undefined
}

export interface StepPlan {
  /** What each conditional column can see, in order. */
  scopes: Map<string, Reference>[]
  missing: { toProperty: string; name: string }[]
  /** The place that a conditional column leaves as it is when nothing matches. */
  previous: (number | undefined)[]
  columns: Column[]
  /** Where rows name theirs. */
  typePath: Column | undefined
  finals: Map<string, FinalPlan>
}

export interface Shape {
  targets: Targets
  reserved: ReadonlySet<string>
  /** Columns that steer the load: the one to split on is data as well, the others only where a type defines them. */
  control: ReadonlySet<string>
  splitOn: string | undefined
  readOnly: ReadonlySet<string>
  types: TypeSource
  /** How columns are read that no type defines, where the configuration says so. */
  columnTypes?: Readonly<Record<string, PropertyType>> | undefined
  /** Its columns may be of several types, of which some define them. */
  isExport?: boolean
}

function definitionsFor({ targets, types }: Shape, typePath: string): Definitions[] {
  return targets.map((target, at) => ({ target, properties: types(at === 0 ? typePath : target.name) }))
}

const matcherFor = (shape: Shape, typePath: string) => new Matcher(definitionsFor(shape, typePath))

/** Slugs and labels that a column of the type may have. */
export function propertyNames(shape: Shape, typePath: string): string[] {
  const all = definitionsFor(shape, typePath).flatMap(({ properties }) => properties)
  return all.flatMap(({ slug, label }) => [slug, label])
}

/** What a plan for the type looks through beside the columns. */
export function propertyCount(shape: Shape, typePath: string): number {
  return definitionsFor(shape, typePath).reduce((sum, { properties }) => sum + properties.length, 0)
}

/** Steps 4 and 5 for rows that have this type path when step 4 begins. */
export function planSteps(
  shape: Shape,
  columns: Columns,
  conditionals: readonly ConditionalColumn[],
  typePath: string,
): StepPlan {
  const matcher = matcherFor(shape, typePath)
  let present = renamed(columns.list, matcher, shape)
  // By column, not by slot: a mapping shares the slot of what it is made of, and may be read in another way.
  const sources = new Map<Column, Omit<Reference, 'slot'>>(
    present.map(column => [column, { read: lenient(matcher, column, shape), madeBy: undefined }]),
  )
  const plan: Omit<StepPlan, 'columns' | 'typePath'> = { scopes: [], missing: [], previous: [], finals: new Map() }
  for (const [at, conditional] of conditionals.entries()) {
    const scope = new Map<string, Reference>()
    for (const name of referencesOf(conditional)) {
      const column = find(present, name)
      const source = column && sources.get(column)
      if (column && source) scope.set(name, { slot: column.slot, ...source })
      else plan.missing.push({ toProperty: conditional.toProperty, name })
    }
    plan.scopes.push(scope)
    const target = find(present, conditional.toProperty)
    plan.previous.push(target?.slot)
    const slot = columns.fileCells + columns.literals.length + at
    const made: Column = target
      ? { ...target, slot }
      : { name: conditional.toProperty, header: conditional.toProperty, slot }
    present = target ? present.map(column => (column === target ? made : column)) : [...present, made]
    sources.set(made, { read: (target && sources.get(target)?.read) ?? asIs, madeBy: at })
  }
  return { ...plan, columns: present, typePath: find(present, 'typePath') }
}

/** Step 6 for rows that have this type path at the end. */
export function planFields(shape: Shape, columns: readonly Column[], typePath: string): FinalPlan {
  const matcher = matcherFor(shape, typePath)
  const [main] = shape.targets
  const definesAny = shape.types(typePath).length > 0
  const control = new Map([...shape.control].flatMap(name => slotOf(columns, name)))
  const none = { splitSlug: undefined, fields: [], dropped: [], retyped: [] }
  const plan: FinalPlan = { typePath, reserved: new Map(), control, ...none }
  const filled = new Set<string>()
  const drop = ({ header, name }: Column, reason: Dropped['reason']) => plan.dropped.push({ header, name, reason })
  const uses = new Map<number, number>()
  for (const { slot } of columns) uses.set(slot, (uses.get(slot) ?? 0) + 1)
  for (const { column, matches } of slugsFirst(renamed(columns, matcher, shape), matcher)) {
    if (shape.reserved.has(column.name)) {
      plan.reserved.set(column.name, column.slot)
      continue
    }
    const isSplit = shape.splitOn !== undefined && [column.name, column.header].includes(shape.splitOn)
    if (isSplit) plan.splitSlug = matches[0]?.property.slug ?? column.name
    const typed = isPropertyName(column.name) ? typeOfColumn(shape, column.name) : undefined
    const live = matches.filter(({ property }) => !property.archived)
    const own = { slot: column.slot, header: column.header }
    if (live.length > 0) {
      for (const { target, property, part } of live) {
        const key = `${target.name} ${property.slug} ${part}`
        if (filled.has(key)) drop(column, 'twice')
        else plan.fields.push({ ...own, ...fieldOf(property), target, part })
        filled.add(key)
        const wanted = shape.isExport ? undefined : (typeOfColumn(shape, column.header) ?? typed)
        const { propertyType } = property
        if (wanted !== undefined && wanted !== propertyType) plan.retyped.push({ header: column.header, propertyType })
      }
    } else if (matches.length > 0) drop(column, 'archived')
    else if (column.name === IDENTIFIER) plan.fields.push({ ...own, ...UNDEFINED, ...identifier, target: main })
    else if (
      isSplit ? definesAny && typed === undefined : shape.control.has(column.name) || shape.control.has(column.header)
    )
      continue
    else if (shape.readOnly.has(column.name)) drop(column, 'read-only')
    else if (typed !== undefined) {
      const property = undescribed(column.name, typed)
      plan.fields.push({ ...own, ...UNDEFINED, ...fieldOf(property), target: main })
    } else if (definesAny) {
      // One that was mapped away has done its work; of one that is nearly a reserved one the file has been told.
      if (uses.get(column.slot) === 1 && !isNearlyReserved(column, shape, columns)) drop(column, 'unmatched')
    } else if (!isPropertyName(column.name) || HOSTILE_NAMES.has(column.name)) drop(column, 'name')
    else plan.fields.push({ ...own, ...UNDEFINED, slug: column.name, target: main })
  }
  return plan
}

function typeOfColumn({ columnTypes = {} }: Shape, name: string): PropertyType | undefined {
  return Object.hasOwn(columnTypes, name) ? columnTypes[name] : undefined
}

function isNearlyReserved({ name }: Column, { reserved }: Shape, columns: readonly Column[]): boolean {
  const bare = bareName(name)
  return [...reserved].some(meant => bareName(meant) === bare && !find(columns, meant))
}

/** Every entity may have one, whatever its type defines. */
const IDENTIFIER = 'identifier'
const identifier = { slug: IDENTIFIER, read: readKey }

function slotOf(columns: readonly Column[], name: string): [string, number][] {
  const column = find(columns, name)
  return column ? [[name, column.slot]] : []
}

const UNDEFINED = { level: 'all', part: 'row', read: undefined, reference: undefined, required: false } as const

export function readerOf(slug: string, propertyType: PropertyType): Reader {
  return readerFor(undescribed(slug, propertyType))
}

/** What a column that no type describes is read as. */
function undescribed(slug: string, propertyType: PropertyType): Property {
  return { slug, label: slug, propertyType, options: null, level: 'all', archived: false, required: false }
}

function fieldOf(property: Property) {
  const { slug, level, required, propertyType } = property
  const reference: Field['reference'] =
    propertyType === 'object_reference' ? 'one' : propertyType === 'object_ref_list' ? 'list' : undefined
  return { slug, level, required, reference, read: readerFor(property) }
}

/** A label gives way to its slug, unless another column has that name already. */
function renamed(columns: readonly Column[], matcher: Matcher, shape: Shape): Column[] {
  const taken = new Set(columns.map(column => column.name))
  return columns.map(column => {
    if (shape.reserved.has(column.name)) return column
    const match = matcher.match(column.name)[0]
    if (match?.part !== 'row' || taken.has(match.property.slug)) return column
    taken.add(match.property.slug)
    return { ...column, name: match.property.slug }
  })
}

/** Of two columns for one property the one that has its very name holds (N30). */
function slugsFirst(columns: readonly Column[], matcher: Matcher): { column: Column; matches: Match[] }[] {
  const matched = columns.map(column => ({ column, matches: matcher.match(column.name) }))
  const isSlug = ({ column, matches }: (typeof matched)[number]) =>
    matches.some(({ property }) => property.slug === column.name)
  return [...matched.filter(isSlug), ...matched.filter(one => !isSlug(one))]
}

const asIs: Reader = value => value

/** What an expression sees: the typed value where it can be read, else the text (step 6 says what is wrong with it). */
function lenient(matcher: Matcher, column: Column, shape: Shape): Reader {
  const match = shape.reserved.has(column.name) ? undefined : matcher.match(column.name)[0]
  if (!match) return plain
  const read = readerFor(match.property)
  return value => {
    if (isEmpty(value)) return value
    const typed = read(value)
    return typed instanceof Unread ? plain(value) : typed
  }
}

/** By its present name, or by its header in the file (N31). */
export function find(columns: readonly Column[], name: string): Column | undefined {
  return columns.find(column => column.name === name) ?? columns.find(column => column.header === name)
}
