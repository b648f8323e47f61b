// The first look at a file: its header, and what that alone shows to be wrong.
import { timeText } from '../../../platform/db/row.ts'
import { readTypes } from '../../types/store.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { compile, readingFor, sourceOf, stagingOf, stop } from '../chunk.ts'
import { CsvFault, type HeaderState } from '../csv/dialect.ts'
import { openHeader } from '../csv/source.ts'
import { Issues } from '../issues.ts'
import { ownProperties, typeSource } from '../rows/effective-properties.ts'
import { adviseOnHeader } from '../rows/header-advice.ts'
import { type LoadState, withIssues } from '../state.ts'
import type { Load } from '../store/loads.ts'
import { targetsOf } from '../targets.ts'

export async function open(scope: LoadScope, load: Load): Promise<Load> {
  const issues = new Issues()
  const staging = stagingOf(scope, load)
  const started = { ...load.state, startedOn: load.state.startedOn ?? timeText(Date.now()) }
  try {
    const { header, place } = await openHeader(sourceOf(scope, load))
    for (const { line, column, message } of header.faults) {
      issues.error(line, column ?? null, 'HEADER_MISMATCH', message)
    }
    for (const message of load.state.startWarnings) issues.warn(place.line, null, 'CONFIG', message)
    const found: HeaderState = { ...place, names: header.names }
    const table = await readTypes(scope.db, scope.org.id)
    const targets = targetsOf(load.state.configuration)
    const types = ownProperties(table, targets)
    await staging.writeTypes(types)
    const opened: LoadState = {
      ...started,
      header: found,
      typesStamp: table.stamp,
      start: place.end,
      line: place.nextLine,
      phase: 'validating',
      chunkMaxRows: scope.bounds.chunkMaxRows,
    }
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'PARSING_CSV')
    const conditionals = compile(opened, found, issues)
    const reading = conditionals && readingFor(opened, found, conditionals, typeSource(types), issues)
    reading?.checkHeader()
    const names = reading?.pipeline.names ?? []
    adviseOnHeader(names, place.line, opened.configuration, targets, Object.values(types).flat(), issues)
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'VALIDATING_DATA')
    const next = {
      ...withIssues(opened, issues, 0),
      warnedOnce: issues.warnedOnce,
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
