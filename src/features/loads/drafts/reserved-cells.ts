// What makes properties of columns with a meaning of their own sees of a row.
import type { Issues } from '../issues.ts'

export interface ReservedCells {
  line: number
  issues: Issues
  /** The text of a reserved column; undefined where the row has no such cell. */
  textOf(column: string): string | undefined
}
