// What a load says of a file, as a person reads it.
import type { LoaderConfiguration } from '../../../src/features/loads/contract.ts'
import { CsvFault } from '../../../src/features/loads/csv/dialect.ts'
import { load, type Types } from './load.ts'

export const KEY = 'itemFamilyFederatedId'

/** Each issue as `line column: message`. */
export function said(
  csv: string | Uint8Array,
  configuration: Partial<LoaderConfiguration> = {},
  types: Types = {},
): string[] {
  try {
    const { issues } = load(csv, configuration, types)
    return issues.map(({ rowNumber, columnName, message }) => `${rowNumber} ${columnName ?? '-'}: ${message}`)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    return [`${error.line} -: ${error.message}`]
  }
}
