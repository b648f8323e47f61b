// Reads the header of a file with everything that it alone shows to be wrong: for a load that opens, and for a check before one.
import { readTypes } from '../types/store.ts'
import type { LoadScope } from './checkpoint.ts'
import { compile, readingFor, sourceOf } from './chunk.ts'
import type { HeaderState } from './csv/dialect.ts'
import { openHeader } from './csv/source.ts'
import type { Issues } from './issues.ts'
import { ownProperties, typeSource } from './rows/effective-properties.ts'
import { adviseOnHeader } from './rows/header-advice.ts'
import type { LoadState } from './state.ts'
import { targetsOf } from './targets.ts'

/** Throws a CsvFault where the file cannot be read. */
export async function readHeader(
  scope: Pick<LoadScope, 'env' | 'db' | 'org' | 'bounds'>,
  state: LoadState,
  issues: Issues,
) {
  const { header, place } = await openHeader(sourceOf(scope, { state }))
  for (const { line, column, message } of header.faults) issues.error(line, column ?? null, 'HEADER_MISMATCH', message)
  for (const message of state.startWarnings) issues.warn(place.line, null, 'CONFIG', message)
  const found: HeaderState = { ...place, names: header.names }
  const table = await readTypes(scope.db, scope.org.id)
  const targets = targetsOf(state.configuration)
  const types = ownProperties(table, targets)
  const read = { found, place, typesStamp: table.stamp, types, stepWarnings: [] as number[] }
  if (issues.errors > 0) return { ...read, failureArea: 'PARSING_CSV' as const }
  const conditionals = compile(state, found, issues)
  const reading = conditionals && readingFor(state, found, conditionals, typeSource(types), issues)
  reading?.checkHeader()
  const names = reading?.pipeline.names ?? []
  adviseOnHeader(names, place.line, state.configuration, targets, Object.values(types).flat(), issues)
  const stepWarnings = [...(reading?.pipeline.warnings ?? [])]
  return { ...read, stepWarnings, failureArea: issues.errors > 0 ? ('VALIDATING_DATA' as const) : undefined }
}
