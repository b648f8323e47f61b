// Random types, and random files for them: few keys and few values, so that rows, loads and levels meet often.
import type { Random } from './random.ts'
import type { Conditional, Definition, File, Split, Types } from './world.ts'

const OPTIONS = [
  { value: 'red', label: 'Deep Red' },
  { value: 'blue', label: 'Sky Blue' },
]

type Sketch = [slug: string, propertyType: string, level: Definition['level']]

const SKETCHES: Record<string, Sketch[]> = {
  item: [
    ['fam', 'string', 'family'],
    ['fam_num', 'number', 'family'],
    ['ovr', 'number', 'override'],
    ['ovr_text', 'string', 'override'],
    ['opt', 'string', 'option'],
    ['num', 'number', 'all'],
    ['shade', 'choice', 'all'],
    ['shades', 'multi_select', 'override'],
    ['maker', 'object_reference', 'all'],
    ['makers', 'object_ref_list', 'family'],
    ['day', 'date', 'all'],
    ['flag', 'boolean', 'all'],
    ['gone', 'string', 'all'],
  ],
  'project-item': [
    ['pro_fam', 'string', 'family'],
    ['pro_ovr', 'number', 'override'],
    ['pro_all', 'string', 'all'],
    ['num', 'number', 'all'],
  ],
  'assortment-item': [
    ['mem_fam', 'number', 'family'],
    ['mem_ovr', 'string', 'override'],
    ['mem_all', 'string', 'all'],
  ],
  color: [
    ['maker', 'object_reference', 'all'],
    ['num', 'number', 'all'],
  ],
  'custom-entity': [
    ['maker', 'object_reference', 'all'],
    ['makers', 'object_ref_list', 'all'],
    ['shade', 'choice', 'all'],
  ],
  'size-range-template': [
    ['maker', 'object_reference', 'all'],
    ['note', 'string', 'all'],
  ],
}

const BELOW: Record<string, string[]> = { item: ['item', 'item:a', 'item:a:x'], 'custom-entity': ['custom-entity:v'] }
const VALUES: Record<string, string[]> = {
  string: ['a', 'b', 'c'],
  number: ['1', '2', '2.5'],
  choice: ['red', 'Sky Blue', 'DEEP RED', 'green'],
  multi_select: ['red', 'red|blue', 'Sky Blue'],
  object_reference: ['V1', 'V2'],
  object_ref_list: ['V1', 'V1|V2', 'V2|V1'],
  date: ['2026-01-31', '2026-02-01'],
  boolean: ['true', 'FALSE'],
}
const WRONG: Record<string, string> = { number: 'many', object_reference: 'V9', date: '2026-02', boolean: 'perhaps' }

const labelOf = (slug: string) => slug.replaceAll('_', ' ').toUpperCase()

export function randomTypes(random: Random): Types {
  const types: Types = {}
  for (const [root, sketches] of Object.entries(SKETCHES)) {
    if (random.chance(0.15)) continue
    for (const [slug, propertyType, level] of random.some(sketches, 0.8)) {
      const path = random.pick(random.chance(0.6) ? [root] : (BELOW[root] ?? [root]))
      const list = types[path] ?? []
      types[path] = list
      const isChoice = propertyType === 'choice' || propertyType === 'multi_select'
      list.push({
        slug,
        label: labelOf(slug),
        propertyType,
        level,
        ...(isChoice && { options: OPTIONS }),
        ...(slug === 'gone' && { archived: true as const }),
      })
    }
  }
  return types
}

export const LOAD_TYPES: string[][] = [
  ['ITEM'],
  ['ITEM'],
  ['ITEM', 'PROJECT_ITEM'],
  ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
  ['ITEM', 'ASSORTMENT'],
  ['COLOR'],
  ['CUSTOM_ENTITY'],
  ['SIZE_RANGE_TEMPLATE'],
]

export function randomFile(random: Random): File {
  const loadType = random.pick(LOAD_TYPES)
  return loadType.includes('ITEM') ? itemFile(random, loadType) : otherFile(random, loadType)
}

interface ColumnOf {
  name: string
  cell: () => string
}

function columnOf(random: Random, [slug, propertyType, level]: Sketch): ColumnOf[] {
  const cell = () => {
    if (random.chance(0.3)) return ''
    if (random.chance(0.003)) return WRONG[propertyType] ?? ''
    return random.pick(VALUES[propertyType] ?? ['a'])
  }
  if (level === 'override' && random.chance(0.4)) {
    return random.some([`${slug}Family`, `${slug}Option`, slug], 0.5).map(name => ({ name, cell }))
  }
  const label = random.pick([labelOf(slug), labelOf(slug).toLowerCase()])
  return [{ name: random.chance(0.5) ? slug : label, cell }]
}

const FREE: Sketch[] = [
  ['note', 'string', 'all'],
  ['more', 'string', 'all'],
]

function itemFile(random: Random, loadType: string[]): File {
  const sketches = [
    ...(SKETCHES.item ?? []),
    ...(loadType.includes('PROJECT_ITEM') ? (SKETCHES['project-item'] ?? []).slice(0, 3) : []),
    ...(loadType.includes('ASSORTMENT') ? (SKETCHES['assortment-item'] ?? []) : []),
  ]
  const typePaths = random.pick([
    ['item', 'item:a', ''],
    ['item:a', ''],
    ['item:a:x', 'item:a', '', ''],
  ])
  const columns: ColumnOf[] = [
    ...random.some([...sketches, ...FREE], 0.35).flatMap(sketch => columnOf(random, sketch)),
    ...random.some(
      [
        { name: 'name', cell: () => random.pick(['N1', 'N2', '']) },
        { name: 'optionName', cell: () => random.pick(['Red', 'Blue', '']) },
        { name: 'optionGroup', cell: () => random.pick(['size', 'color', '']) },
        { name: 'typePath', cell: () => random.pick(typePaths) },
      ],
      0.4,
    ),
  ]
  const split = loadType.includes('ASSORTMENT') ? randomSplit(random) : undefined
  if (split) columns.push(...splitColumns(random, split))
  const homes = new Map<string, string>()
  const keys = Array.from({ length: 1 + random.below(12) }, () => randomKeys(random, homes))
  const mapsKeys = random.chance(0.2)
  const header = [
    mapsKeys ? 'Style' : 'itemFamilyFederatedId',
    'itemOptionFederatedId',
    ...columns.map(({ name }) => name),
  ]
  const used = new Set<string>()
  const rows = keys.flatMap(([family, option]) => {
    const row = [family, option, ...columns.map(({ cell }) => cell())]
    const place = split ? row[header.indexOf(split.column)] : ''
    const key = `${option || family} ${place}`
    if ((option !== '' || split?.isPartial) && used.has(key) && random.chance(0.97)) return []
    used.add(key)
    return [row]
  })
  return {
    loadType,
    header,
    rows,
    mappings: mapsKeys ? { itemFamilyFederatedId: 'Style' } : {},
    removed: [...(mapsKeys ? ['Style'] : []), ...random.some(['note'], 0.1)],
    conditionals: randomConditionals(random, sketches, ['name', 'optionName', 'optionGroup', 'typePath']),
    ...(split && { split }),
  }
}

const FAMILIES = ['F1', 'F2', 'F3', 'F4']
const OPTION_KEYS = ['O1', 'O2', 'O3', 'O4', 'O5', 'O6', 'O7']

/** An option mostly stays with its family, in one file always. */
function randomKeys(random: Random, homes: Map<string, string>): [family: string, option: string] {
  if (random.chance(0.004))
    return random.pick([
      ['', ''],
      ['F1', 'F1'],
      ['O1', ''],
      ['F2', 'F3'],
      ['O2', 'O3'],
    ])
  if (random.chance(0.3)) return [random.pick(FAMILIES), '']
  const at = random.below(OPTION_KEYS.length)
  const option = OPTION_KEYS[at] ?? ''
  const home = random.chance(0.12) ? random.pick(FAMILIES) : (FAMILIES[at % FAMILIES.length] ?? '')
  const family = homes.get(option) ?? home
  homes.set(option, family)
  return [family, option]
}

function randomSplit(random: Random): Split {
  const isPartial = random.chance(0.5)
  const values = random.chance(0.1) ? { true: 'A1', W: 'A2' } : { M: 'A1', W: 'A2' }
  if (!isPartial) return { column: 'Season', values, isPartial }
  return {
    column: 'Season',
    values,
    isPartial,
    ...(random.chance(0.6) && { addField: 'add' }),
    ...(random.chance(0.7) && { dropField: 'drop' }),
  }
}

function splitColumns(random: Random, { values, addField, dropField }: Split): ColumnOf[] {
  const seasons = ['true' in values ? 'TRUE' : 'M', 'true' in values ? 'True' : 'M', 'W', 'elsewhere']
  let drops = false
  const dropCell = () => {
    drops = random.chance(0.35)
    return drops ? 'TRUE' : random.pick(['', 'false'])
  }
  const addCell = () => (drops && random.chance(0.99) ? '' : random.chance(0.5) ? 'true' : '')
  return [
    { name: 'Season', cell: () => seasons[Math.min(random.below(7), 3)] ?? 'M' },
    ...(dropField ? [{ name: dropField, cell: dropCell }] : []),
    ...(addField ? [{ name: addField, cell: addCell }] : []),
  ]
}

function randomConditionals(random: Random, sketches: readonly Sketch[], reserved: string[]): Conditional[] {
  return Array.from({ length: Math.max(0, random.below(5) - 2) }, (): Conditional => {
    const [slug, propertyType] = random.pick(
      [...sketches, ...FREE].filter(([, type]) => type === 'string' || type === 'number'),
    )
    const name = random.chance(0.3) ? random.pick(reserved) : undefined
    const toProperty = name ?? slug
    const value = () =>
      name === 'typePath' ? 'item:a' : name ? random.pick(['Red', 'N3']) : random.pick(VALUES[propertyType] ?? [])
    if (random.chance(0.3)) {
      const fromProperty = random.pick(name === 'typePath' ? ['misspelt'] : ['note', 'more', 'misspelt'])
      return { toProperty: propertyType === 'number' && !name ? 'more' : toProperty, fromProperty }
    }
    const when = {
      column: random.pick(['note', 'more', 'itemOptionFederatedId']),
      equals: random.pick(['a', 'O1', 'O2']),
      value: value(),
    }
    return { toProperty, when, ...(random.chance(0.4) && { default: value() }) }
  })
}

function otherFile(random: Random, loadType: string[]): File {
  const kind = (loadType[0] ?? '').toLowerCase().replaceAll('_', '-')
  const sketches = SKETCHES[kind] ?? []
  const columns = random.some([...sketches, ...FREE.slice(1)], 0.6).flatMap(sketch => columnOf(random, sketch))
  if (random.chance(0.6)) columns.push({ name: 'name', cell: () => random.pick(['N1', 'N2', '']) })
  if (kind === 'size-range-template' && random.chance(0.7)) {
    columns.push({ name: 'sizes', cell: () => random.pick(['S|M', 'S|M|L', '']) })
  }
  if (kind === 'color') {
    if (random.chance(0.6)) columns.push({ name: 'hex', cell: () => random.pick(['#102030', '#ff0000', '']) })
    if (random.chance(0.4)) {
      for (const name of ['red', 'green', 'blue'])
        columns.push({ name, cell: () => random.pick(['0', '16', '255', '255', '']) })
    }
  }
  const keys = random.shuffled(['K1', 'K2', 'K3', 'K4', 'K5']).slice(0, 1 + random.below(5))
  if (random.chance(0.03)) keys.push('K1')
  return {
    loadType,
    header: ['federatedId', ...columns.map(({ name }) => name)],
    rows: keys.map(key => [key, ...columns.map(({ cell }) => cell())]),
    mappings: kind === 'custom-entity' ? { typePath: 'custom-entity:v' } : {},
    removed: [],
    conditionals: randomConditionals(random, sketches, ['name']),
  }
}
