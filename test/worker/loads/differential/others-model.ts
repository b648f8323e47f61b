// COLOR, CUSTOM_ENTITY and SIZE_RANGE_TEMPLATE (N32), by federatedId.
import type { Outcome } from './items-model.ts'
import {
  type Cells,
  columnsOf,
  conditioned,
  Fault,
  isBlank,
  isEmpty,
  RESERVED,
  readValue,
  renamed,
  targetsOf,
} from './pipeline-model.ts'
import { copyOf, definitionsOf, type File, type Properties, put, type Types, type World } from './world.ts'

export function loadOthers(file: File, types: Types, before: World, known: ReadonlySet<string>): Outcome {
  const errors = new Set<number>()
  const world = copyOf(before)
  const [kind = ''] = targetsOf(file)
  const reserved = RESERVED[kind] ?? []
  const seen = new Set<string>()
  for (const [at, row] of file.rows.entries()) {
    if (isBlank(row)) continue
    const line = at + 2
    const original = columnsOf(file, row)
    const key = keyOf(original, kind)
    const stored = before.others[`${kind} ${key}`]
    const fallback = stored?.typePath ?? kind
    const first = String(original.typePath || '') || fallback
    const cells = conditioned(renamed(original, definitionsOf(types, first), reserved), file, original)
    const named = String(cells.typePath ?? '')
    const typePath = named || fallback
    const definitions = definitionsOf(types, typePath)
    const final = renamed(cells, definitions, reserved)
    const own: Properties = ownFields(kind, final)
    for (const [column, cell] of Object.entries(final)) {
      if (reserved.includes(column) || cell === undefined) continue
      const definition = definitions.find(({ slug }) => slug === column)
      if (!definition && definitions.length > 0) continue
      const value = definition ? readValue(definition, cell, known) : isEmpty(cell) ? null : cell
      if (definition?.archived) continue
      if (value instanceof Fault) errors.add(line)
      else if (value !== undefined) own[column] = value
    }
    if (key === '' || seen.has(key)) errors.add(line)
    seen.add(key)
    const entity = world.others[`${kind} ${key}`] ?? { typePath, name: key, properties: {} }
    world.others[`${kind} ${key}`] = entity
    if (named) entity.typePath = named
    if (cells.name !== undefined) entity.name = String(cells.name ?? '') || key
    put(entity.properties, own)
  }
  return errors.size > 0 ? { errors, world: before } : { errors, world }
}

function keyOf(cells: Cells, kind: string): string {
  return String(cells.federatedId ?? '') || (kind === 'custom-entity' ? String(cells.name ?? '') : '')
}

function ownFields(kind: string, cells: Cells): Properties {
  if (kind === 'size-range-template' && cells.sizes !== undefined) {
    return { sizes: isEmpty(cells.sizes) ? null : String(cells.sizes).split('|') }
  }
  return kind === 'color' ? colorFields(cells) : {}
}

function colorFields({ hex, red, green, blue }: Cells): Properties {
  const parts = [red, green, blue]
  if ([hex, ...parts].every(cell => cell === undefined)) return {}
  if (parts.every(part => !isEmpty(part))) {
    const made = parts.map(part => Number(part).toString(16).padStart(2, '0')).join('')
    return { red: Number(red), green: Number(green), blue: Number(blue), hex: `#${made}` }
  }
  if (!isEmpty(hex)) {
    const [r, g, b] = [1, 3, 5].map(at => Number.parseInt(String(hex).slice(at, at + 2), 16))
    return { hex, red: r, green: g, blue: b }
  }
  if (hex === undefined && parts.includes(undefined)) return {}
  return parts.some(part => !isEmpty(part)) ? {} : { hex: null, red: null, green: null, blue: null }
}
