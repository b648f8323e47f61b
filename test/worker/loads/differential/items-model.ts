// ITEM loads, alone or with PROJECT_ITEM and ASSORTMENT (N32), over the whole file at once: no chunks, no database.
import { isBlank, targetsOf } from './pipeline-model.ts'
import { type Reader, type Row, readRow, type Said } from './row-model.ts'
import {
  copyOf,
  type Definition,
  definitionsOf,
  type File,
  type Item,
  type Properties,
  put,
  same,
  type Types,
  type World,
} from './world.ts'

export interface Outcome {
  /** Lines with errors; nothing is written where there are any (N29). */
  errors: Set<number>
  world: World
}

const NOTHING: Said = { family: {}, ownOverride: {}, own: {} }

export function loadItems(file: File, types: Types, before: World, known: ReadonlySet<string>): Outcome {
  const errors = new Set<number>()
  const reader: Reader = { file, types, world: before, known, familyTypes: new Map(), errors }
  const rows = file.rows.flatMap((cells, at) => (isBlank(cells) ? [] : (readRow(reader, cells, at + 2) ?? [])))
  findContradictions(file, rows, before, errors)
  if (errors.size > 0) return { errors, world: before }
  const world = copyOf(before)
  const load = new ItemLoad(types, rows, before, world, reader.familyTypes)
  load.writeItems()
  if (targetsOf(file).includes('project-item'))
    load.writeSeasonal('project-item', before.projectItems, world.projectItems)
  if (file.split && file.loadType.includes('ASSORTMENT')) {
    for (const place of Object.keys(world.members)) load.writeMembers(place, file.split.isPartial)
  }
  return { errors, world }
}

function findContradictions(file: File, rows: Row[], before: World, errors: Set<number>): void {
  const roles = new Map<string, 'family' | 'option'>()
  const seen = new Set<string>()
  const stands = new Map<string, string>()
  const isFamily = (key: string) => before.items[key] !== undefined && before.items[key].family === null
  for (const { line, family, option, place, membership } of rows) {
    const keys: [string, 'family' | 'option'][] =
      option === null
        ? [[family, 'family']]
        : [
            [family, 'family'],
            [option, 'option'],
          ]
    for (const [key, role] of keys) {
      const stored = before.items[key]
      if (stored && isFamily(key) !== (role === 'family')) errors.add(line)
      if ((roles.get(key) ?? role) !== role) errors.add(line)
      if (!roles.has(key)) roles.set(key, role)
    }
    if (option === null) {
      if (membership === 'keep') continue
      const held = stands.get(`${place} ${family}`) ?? membership
      if (file.split?.isPartial && place !== null && held !== membership) errors.add(line)
      stands.set(`${place} ${family}`, held)
      continue
    }
    const key = file.split ? `${place} ${option}` : option
    if (seen.has(key)) errors.add(line)
    seen.add(key)
  }
}

class ItemLoad {
  readonly #types: Types
  readonly #rows: Row[]
  readonly #before: World
  readonly #world: World
  readonly #familyTypes: ReadonlyMap<string, string>

  constructor(types: Types, rows: Row[], before: World, world: World, familyTypes: ReadonlyMap<string, string>) {
    this.#types = types
    this.#rows = rows
    this.#before = before
    this.#world = world
    this.#familyTypes = familyTypes
  }

  writeItems(): void {
    const { items } = this.#world
    for (const [key, typePath] of this.#familyTypes) {
      const [first] = this.#rowsOf(key)
      const stored = items[key]
      const item: Item = stored ?? {
        typePath,
        name: key,
        family: null,
        optionName: null,
        optionGroup: null,
        properties: {},
      }
      items[key] = item
      if (first?.namedType) item.typePath = first.namedType
      if (first?.name !== undefined) item.name = first.name || key
      put(item.properties, familyWords('item', this.#rowsOf(key)))
    }
    const inFile = new Set<string>()
    for (const row of this.#rows) {
      const { option, family, name, optionName, optionGroup } = row
      if (option === null || inFile.has(option)) continue
      inFile.add(option)
      const stored = this.#before.items[option]
      const item = items[option] ?? {
        typePath: row.typePath,
        name: option,
        family,
        optionName: null,
        optionGroup: 'color',
        properties: {},
      }
      items[option] = item
      item.family = family
      if (row.namedType) item.typePath = row.namedType
      const isRenamed = optionName !== undefined || (name !== undefined && item.optionName === null)
      if (isRenamed) item.name = optionName || name || option
      if (optionName !== undefined) item.optionName = optionName || null
      if (optionGroup !== undefined) item.optionGroup = optionGroup || 'color'
      const own = row.said.item?.own ?? {}
      put(item.properties, ownWords(own, this.#levels('item', item.typePath)))
      this.#inherit(
        'item',
        option,
        stored?.properties,
        item.properties,
        own,
        key => this.#before.items[key]?.properties,
      )
    }
    for (const [key, item] of Object.entries(items)) {
      if (item.family === null || inFile.has(key)) continue
      this.#inherit('item', key, item.properties, item.properties, {}, at => this.#before.items[at]?.properties)
    }
  }

  /** Entities of options and families in one project or assortment; `only` are those that there are afterwards. */
  writeSeasonal(
    target: 'project-item' | 'assortment-item',
    before: Record<string, Properties>,
    now: Record<string, Properties>,
    rows: Row[] = this.#rows,
    isThere: (key: string) => boolean = () => true,
  ): void {
    const options = new Map(rows.flatMap(row => (row.option === null ? [] : [[row.option, row] as const])).reverse())
    for (const family of new Set(rows.map(row => row.family))) {
      if (!isThere(family)) continue
      now[family] ??= {}
      put(
        now[family],
        familyWords(
          target,
          rows.filter(row => row.family === family),
        ),
      )
    }
    const stored = (key: string) => before[key]
    for (const [option, row] of options) {
      if (!isThere(option)) continue
      const properties = now[option] ?? {}
      now[option] = properties
      const own = row.said[target]?.own ?? {}
      put(properties, ownWords(own, this.#levels(target, target)))
      this.#inherit(target, option, before[option], properties, own, stored, rows)
    }
    for (const [key, properties] of Object.entries(now)) {
      if (options.has(key) || !this.#world.items[key]?.family) continue
      this.#inherit(target, key, properties, properties, {}, stored, rows, false)
    }
  }

  writeMembers(place: string, isPartial: boolean): void {
    const rows = this.#rows.filter(row => row.place === place)
    if (rows.length === 0) return
    const before = this.#before.members[place] ?? {}
    const now = this.#world.members[place] ?? {}
    const stays = isPartial
      ? partialMembers(rows, before, this.#world)
      : new Set(rows.flatMap(({ family, option }) => (option === null ? [family] : [family, option])))
    for (const key of Object.keys(now)) if (!stays.has(key)) delete now[key]
    const speaking = rows.filter(({ membership }) => membership !== 'drop')
    this.writeSeasonal('assortment-item', before, now, speaking, key => stays.has(key))
  }

  #rowsOf(family: string, rows = this.#rows): Row[] {
    return rows.filter(row => row.family === family)
  }

  #levels(target: string, typePath: string): Definition[] {
    return definitionsOf(this.#types, target === 'item' ? typePath : target).filter(
      ({ level, archived }) => !archived && (level === 'family' || level === 'override'),
    )
  }

  #inherit(
    target: string,
    option: string,
    stored: Properties | undefined,
    properties: Properties,
    own: Properties,
    storedOf: (family: string) => Properties | undefined,
    rows = this.#rows,
    /** Whether a row of the option leads here: else nothing is known here of a move to another family. */
    isNamed = true,
  ): void {
    const item = this.#world.items[option]
    const family = item?.family
    if (!item || !family) return
    const words = familyWords(target, this.#rowsOf(family, rows))
    const previous = this.#before.items[option]?.family ?? family
    const held = stored && { ...stored }
    const hasMoved = isNamed && previous !== family
    const shared = this.#levels(target, this.#world.items[family]?.typePath ?? item.typePath)
    for (const { slug, level } of this.#levels(target, item.typePath)) {
      const word = words[slug]
      // What is left on a family from an earlier type is not for its options.
      const isShared = shared.some(other => other.slug === slug && other.level === level)
      const value = word !== undefined ? word : ((isShared ? storedOf(family)?.[slug] : null) ?? null)
      const isNew = held === undefined
      const follows =
        level === 'family'
          ? word !== undefined || isNew || hasMoved
          : own[slug] === null ||
            (own[slug] === undefined &&
              (isNew || ((word !== undefined || hasMoved) && isInherited(held?.[slug], storedOf(previous)?.[slug]))))
      if (follows) put(properties, { [slug]: value })
    }
  }
}

const isInherited = (held: unknown, ofFamily: unknown): boolean => held === undefined || same(held, ofFamily)

/** An empty cell of an override says that the option has no value of its own: see inherit. */
function ownWords(own: Properties, levels: readonly Definition[]): Properties {
  const follows = new Set(levels.map(({ slug }) => slug))
  return Object.fromEntries(Object.entries(own).filter(([slug, value]) => value !== null || !follows.has(slug)))
}

/** What the rows of a family say of it: the first one, and its own first one. */
function familyWords(target: string, rows: readonly Row[]): Properties {
  const first = rows[0]?.said[target] ?? NOTHING
  const own = rows.find(({ option }) => option === null)?.said[target] ?? NOTHING
  const words: Properties = { ...own.ownOverride, ...own.own }
  for (const [slug, value] of Object.entries(first.family)) words[slug] = value ?? words[slug] ?? null
  return words
}

function partialMembers(rows: readonly Row[], before: Record<string, Properties>, world: World): Set<string> {
  const members = new Set(Object.keys(before))
  const families = [...new Set(rows.map(({ family }) => family))]
  for (const { option, membership } of rows) {
    if (option !== null && membership === 'add') members.add(option)
    if (option !== null && membership === 'drop') members.delete(option)
  }
  for (const family of families) {
    const its = rows.filter(row => row.family === family)
    const ofOwn = its.filter(({ option }) => option === null).map(({ membership }) => membership)
    const own = ofOwn.find(membership => membership !== 'keep') ?? ofOwn[0]
    const named = new Set(its.map(({ option }) => option))
    const options = () => [...members].filter(key => world.items[key]?.family === family)
    if (own === 'drop') for (const key of options()) if (!named.has(key)) members.delete(key)
    const isAdded = own === 'add' || its.some(({ option, membership }) => option !== null && membership === 'add')
    const lost = its.some(({ option, membership }) => option !== null && membership === 'drop')
    if (isAdded) members.add(family)
    else if ((own === 'drop' || (own === undefined && lost)) && options().length === 0) members.delete(family)
  }
  return members
}
