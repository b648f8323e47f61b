// The first look at a file: its header, and what it alone shows to be wrong. Also what every later look needs.
import { timeText } from '../../../platform/db/row.ts'
import { ExpressionSyntaxError } from '../../../platform/expression/errors.ts'
import { contentKey } from '../../files/store.ts'
import { readTypes } from '../../types/store.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { CsvFault } from '../csv/dialect.ts'
import { openHeader, type Source } from '../csv/source.ts'
import { splitTable } from '../drafts/assortment-split.ts'
import { Reading } from '../drafts/chunk-reader.ts'
import { Issues } from '../issues.ts'
import { type ConditionalColumn, compileColumns } from '../rows/conditional-columns.ts'
import { ownProperties, typeSource } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { failed, type HeaderState, type LoadState, withIssues } from '../state.ts'
import type { Load } from '../store/loads.ts'
import { Staging } from '../store/staging.ts'
import { fills, targetsOf } from '../targets.ts'

export function sourceOf(scope: LoadScope, { state }: Load): Source {
  const { configuration, fileSize, fileKey = contentKey(scope.org.id, configuration.fileLocation) } = state
  return { bucket: scope.env.FILES, key: fileKey, size: fileSize, bounds: scope.bounds }
}

export const stagingOf = (scope: LoadScope, load: Load) => new Staging(scope.env.FILES, scope.org.id, load.id)

/** The header, and what it alone shows. */
export async function open(scope: LoadScope, load: Load): Promise<Load> {
  const issues = new Issues()
  const staging = stagingOf(scope, load)
  const started = { ...load.state, startedOn: timeText(Date.now()) }
  try {
    const { header, place } = await openHeader(sourceOf(scope, load))
    for (const { line, column, message } of header.faults) {
      issues.error(line, column ?? null, 'HEADER_MISMATCH', message)
    }
    for (const message of load.state.startWarnings) issues.warn(place.line, null, 'CONFIG', message)
    const found: HeaderState = {
      dialect: place.dialect,
      names: header.names,
      line: place.line,
      end: place.end,
      nextLine: place.nextLine,
    }
    const table = await readTypes(scope.db, scope.org.id)
    const types = ownProperties(table, targetsOf(load.state.configuration))
    await staging.writeTypes(types)
    const opened: LoadState = {
      ...started,
      header: found,
      typesStamp: table.stamp,
      start: place.end,
      line: place.nextLine,
      phase: 'validating',
    }
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'PARSING_CSV')
    const conditionals = compile(opened, found, issues)
    const reading = conditionals && readingFor(opened, found, conditionals, typeSource(types), issues)
    reading?.checkHeader()
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'VALIDATING_DATA')
    const next = {
      ...withIssues(opened, issues, 0),
      said: issues.said,
      stepWarnings: [...(reading?.pipeline.warnings ?? [])],
    }
    if (issues.list.length > 0) await staging.writeIssues(0, issues.list)
    return advance(scope, load, next)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return stop(scope, load, { ...started, isReadable: false }, issues, 0, 'PARSING_CSV')
  }
}

export async function stop(
  scope: LoadScope,
  load: Load,
  state: LoadState,
  issues: Issues,
  chunk: number,
  area: 'PARSING_CSV' | 'VALIDATING_DATA',
) {
  await stagingOf(scope, load).writeIssues(chunk, issues.list)
  return advance(scope, load, failed(withIssues(state, issues, chunk), area))
}

export function compile(
  { configuration }: LoadState,
  header: HeaderState,
  issues: Issues,
): ConditionalColumn[] | undefined {
  const { conditionalColumns = [], federatedMappings = {} } = configuration
  const made = conditionalColumns.map(({ toProperty }) => toProperty)
  try {
    return compileColumns(conditionalColumns, new Set([...header.names, ...Object.keys(federatedMappings), ...made]))
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    issues.error(
      header.line,
      null,
      'CONFIG',
      `An expression cannot be read with the columns of this file: ${error.message}.`,
    )
    return undefined
  }
}

export function readingFor(
  state: LoadState,
  header: HeaderState,
  conditionals: ConditionalColumn[],
  types: TypeSource,
  issues: Issues,
): Reading {
  const { configuration, targets } = state
  const split = fills(configuration, 'assortmentId') ? splitTable(configuration, new Map(targets)) : undefined
  const typePathSeen = state.typePathSeen ?? undefined
  return new Reading({ configuration, header, conditionals, types, split, issues, typePathSeen })
}
