// Rows as CSV, by the service's own rule. Pure.
import { writeRow } from '../../../platform/formats/csv-cell.ts'

export const csvText = (rows: readonly (readonly string[])[]) => rows.map(row => writeRow(row, ',')).join('')
