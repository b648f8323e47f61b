// The first look at a file: its header, and what that alone shows to be wrong.
import { timeText } from '../../../platform/db/row.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { stagingOf, stop } from '../chunk.ts'
import { CsvFault } from '../csv/dialect.ts'
import { Issues } from '../issues.ts'
import { readHeader } from '../read-header.ts'
import { type LoadState, withIssues } from '../state.ts'
import type { Load } from '../store/loads.ts'

export async function open(scope: LoadScope, load: Load): Promise<Load> {
  const issues = new Issues()
  const staging = stagingOf(scope, load)
  const started = { ...load.state, startedOn: load.state.startedOn ?? timeText(Date.now()) }
  try {
    const { found, place, typesStamp, types, stepWarnings, failureArea } = await readHeader(scope, started, issues)
    await staging.writeTypes(types)
    const opened: LoadState = {
      ...started,
      header: found,
      typesStamp,
      start: place.end,
      line: place.nextLine,
      phase: 'validating',
      chunkMaxRows: scope.bounds.chunkMaxRows,
    }
    if (failureArea) return stop(scope, load, opened, issues, 0, failureArea)
    const next = { ...withIssues(opened, issues, 0), warnedOnce: issues.warnedOnce, stepWarnings }
    if (issues.list.length > 0) await staging.writeIssues(0, issues.list)
    return advance(scope, load, next)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return stop(scope, load, { ...started, isReadable: false }, issues, 0, 'PARSING_CSV')
  }
}
