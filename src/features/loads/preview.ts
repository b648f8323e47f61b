// A load's first rows, read and carried through the six steps by the very code that the service runs (N46). It runs in the
// browser: nothing here reaches a store. Pure.
import { ExpressionSyntaxError } from '../../platform/expression/errors.ts'
import { nearest } from '../../platform/nearest.ts'
import type { ColumnDefinition } from './contract.ts'
import { bomLength, CsvFault, findHeader, type HeaderPlace } from './csv/dialect.ts'
import { readHeader, readRows } from './csv/rows.ts'
import { type RecordRange, Splitter } from './csv/splitter.ts'
import { Issues } from './issues.ts'
import type { PreviewConfiguration, PreviewFile, PreviewSteps, StepPreview, UnknownOption } from './preview-shape.ts'
import { plain, Unread } from './rows/cell-readers.ts'
import { type FinalPlan, planSteps, type Shape } from './rows/column-plan.ts'
import { type Column, columnsOf } from './rows/columns.ts'
import { type ConditionalColumn, compileColumns } from './rows/conditional-columns.ts'
import { adviseOnHeader } from './rows/header-advice.ts'
import { Pipeline, STEPS } from './rows/pipeline.ts'
import type { Property, TypeSource } from './rows/property.ts'
import { leaveAlone } from './rows/unchanged-cells.ts'
import { isMember, LOAD_TARGETS, reservedOf, type Targets } from './targets.ts'

const ROWS_MAX = 50

export const previewFile: PreviewFile = (bytes, isWhole) => {
  try {
    const place = findHeader(bytes, isWhole) ?? findHeader(bytes, true)
    if (!place) return { fault: 'The header does not end within the first 64 KB.', line: 1 }
    const header = readHeader(bytes, place)
    const range = firstRows(bytes, place, isWhole)
    const rows = range ? readRows(range, place.dialect, header.names) : { cells: [], lines: [], faults: [] }
    return {
      delimiter: place.dialect.delimiter,
      lineBreak: place.dialect.lineBreak,
      hasByteOrderMark: bomLength(bytes) > 0,
      line: place.line,
      names: header.names,
      rows: rows.cells,
      lines: rows.lines,
      isWhole: isWhole && rows.cells.length < ROWS_MAX,
      faults: [...header.faults, ...rows.faults].map(({ line, message }) => ({ line, message })),
    }
  } catch (error) {
    if (error instanceof CsvFault) return { fault: error.message, line: error.line }
    throw error
  }
}

/** A record that the bytes cut off is left out. */
function firstRows(bytes: Uint8Array, place: HeaderPlace, isWhole: boolean): RecordRange | undefined {
  const splitter = new Splitter({
    dialect: place.dialect,
    start: place.end,
    line: place.nextLine,
    targetBytes: bytes.length + 1,
    maxRecords: ROWS_MAX,
    maxRecordBytes: bytes.length + 1,
  })
  const ranges = [...splitter.push(bytes.subarray(place.end))]
  if (ranges[0]) return ranges[0]
  if (isWhole) return [...splitter.finish()][0]
  return cutOff(bytes, place)
}

/** Up to the last line break; a quoted one makes a malformed last row, which is left out with it. */
function cutOff(bytes: Uint8Array, place: HeaderPlace): RecordRange | undefined {
  const end = bytes.lastIndexOf(place.dialect.lineBreak.charCodeAt(0)) + 1
  if (end <= place.end) return undefined
  const options = { targetBytes: end + 1, maxRecords: ROWS_MAX, maxRecordBytes: end + 1 }
  const splitter = new Splitter({ dialect: place.dialect, start: place.end, line: place.nextLine, ...options })
  return [...splitter.push(bytes.subarray(place.end, end)), ...splitter.finish()][0]
}

export const previewSteps: PreviewSteps = (file, configuration, types) => {
  const shape = shapeOf(configuration, types as TypeSource)
  const issues = new Issues()
  const rules = {
    federatedMappings: configuration.federatedMappings,
    propertiesToRemove: configuration.propertiesToRemove,
  }
  const reserved = [...shape.reserved]
  const rowsOf = (columns: (cells: unknown[]) => readonly Column[], cells: readonly unknown[][]) =>
    cells.map(row => Object.fromEntries(columns(row).map(({ name, slot }) => [name, plain(row[slot])])))
  const raw = file.rows.map(row => [...row] as unknown[])
  const unchangedMark = configuration.unchangedMark?.trim()
  if (unchangedMark) for (const row of raw) leaveAlone(row, unchangedMark)
  const mapped = columnsOf(file.names, { federatedMappings: rules.federatedMappings }, file.line, new Issues())
  const kept = columnsOf(file.names, rules, file.line, new Issues())
  const withLiterals = raw.map(row => [...row, ...kept.literals])
  const asInFile = file.names.flatMap((name, slot) => (name === '' ? [] : [{ name, header: name, slot }]))
  const typePathOf = (row: readonly unknown[], columns: readonly Column[]) => {
    const column = columns.find(({ name }) => name === 'typePath')
    const value = column && row[column.slot]
    return typeof value === 'string' && value !== '' ? value : shape.targets[0].name
  }
  const renamed = (row: unknown[]) => planSteps(shape, kept, [], typePathOf(row, kept.list)).columns
  const tables = [
    rowsOf(() => asInFile, raw),
    rowsOf(() => mapped.list, withLiterals),
    rowsOf(() => kept.list, withLiterals),
    rowsOf(renamed, withLiterals),
  ]
  let conditionals: ConditionalColumn[]
  try {
    const targets = (configuration.conditionalColumns ?? []).map(({ toProperty }) => toProperty)
    const names = new Set([...file.names, ...Object.keys(rules.federatedMappings ?? {}), ...targets])
    conditionals = compileColumns((configuration.conditionalColumns ?? []) as ColumnDefinition[], names)
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    return { steps: stepsOf(tables), issues: [], reserved, unknownOptions: [], fault: error.message }
  }
  const header = { names: file.names, line: file.line }
  const pipeline = new Pipeline(shape, header, rules, conditionals, issues)
  const finals = raw.map((row, at) => ({ row, plan: pipeline.run(row, file.lines[at] ?? 0, issues) }))
  const typePaths = new Set([...shape.targets.map(({ name }) => name), ...finals.map(({ plan }) => plan.typePath)])
  const properties = [...typePaths].flatMap(shape.types)
  adviseOnHeader(pipeline.names, file.line, configuration, shape.targets, properties, issues)
  const made = (row: unknown[]) => planSteps(shape, kept, conditionals, typePathOf(row, kept.list)).columns
  tables.push(
    finals.map(({ row }) => {
      const columns = made(row)
      return Object.fromEntries(columns.map(({ name, slot }) => [name, plain(row[slot])]))
    }),
    finals.map(({ row, plan }) => finalRow(row, plan)),
  )
  const others = shape.targets.slice(1).flatMap(({ name }) => shape.types(name))
  const unknown = finals.flatMap(({ row, plan }) =>
    unknownIn(row, plan, made(row), [...shape.types(plan.typePath), ...others]),
  )
  const unknownOptions = [...new Map(unknown.map(each => [`${each.column}\n${each.text}`, each])).values()]
  return { steps: stepsOf(tables), issues: [...issues.list], reserved, unknownOptions }
}

function unknownIn(
  row: readonly unknown[],
  { fields }: FinalPlan,
  columns: readonly Column[],
  properties: readonly Property[],
): UnknownOption[] {
  return fields.flatMap(({ slug, slot, read }) => {
    const cell = row[slot]
    const property = properties.find(each => each.slug === slug)
    const column = columns.find(each => each.slot === slot)?.name
    if (typeof cell !== 'string' || cell === '' || !property?.options?.length || column === undefined) return []
    if (!(read?.(cell) instanceof Unread)) return []
    const near = nearest(
      cell,
      property.options.map(({ label }) => label),
    )
    const option = property.options.find(({ label }) => label === near)
    return [{ column, slug, text: cell, nearest: option?.value }]
  })
}

function finalRow(row: readonly unknown[], plan: FinalPlan): Record<string, unknown> {
  const reserved = [...plan.reserved].map(([name, slot]) => [name, plain(row[slot])])
  const fields = plan.fields.map(({ slug, slot, read }) => {
    const value = read ? read(row[slot]) : plain(row[slot])
    return [slug, value instanceof Unread ? plain(row[slot]) : value]
  })
  return Object.fromEntries([...reserved, ...fields])
}

function stepsOf(tables: readonly Record<string, unknown>[][]): StepPreview[] {
  return tables.map((rows, at) => ({
    name: STEPS[at] ?? '',
    columns: [...new Set(rows.flatMap(row => Object.keys(row)))],
    rows,
  }))
}

function shapeOf(configuration: PreviewConfiguration, types: TypeSource): Shape {
  const { loadType, assortmentSplit, assortmentItemDropField, columnTypes } = configuration
  const chosen = LOAD_TARGETS.filter(target => loadType.includes(target.loadType))
  const [first = LOAD_TARGETS[0], ...others] = chosen
  if (!first) throw new Error('there is no load type')
  const targets: Targets = [first, ...others]
  const split = targets.some(isMember) ? assortmentSplit : undefined
  const { fieldToSplitOn, addField, dropField = split && assortmentItemDropField } = split ?? {}
  return {
    targets,
    reserved: reservedOf(targets, configuration),
    readOnly: new Set(first.readOnly),
    control: new Set([fieldToSplitOn, addField, dropField].filter(name => name !== undefined)),
    splitOn: fieldToSplitOn,
    types,
    columnTypes: columnTypes as Shape['columnTypes'],
  }
}
