// Steps 2 and 3 of the pipeline, decided once from the header: which columns a row has when its own steps begin. A
// column is a name for a place in the row's cells; literals stand behind the cells of the file.
import type { Issues } from '../issues.ts'

/** The loader's own reports carry these; a mended report loads as it is (N28). */
export const REPORT_COLUMNS: readonly string[] = ['_line', '_issues']

export interface Column {
  /** Its present name. */
  name: string
  /** Its name in the file, or the mapping's key. */
  header: string
  slot: number
}

export interface Columns {
  list: Column[]
  /** Cells of the file in each row. */
  fileCells: number
  literals: string[]
}

export interface ColumnRules {
  federatedMappings?: Record<string, string> | undefined
  propertiesToRemove?: string[] | undefined
}

export function columnsOf(header: readonly string[], rules: ColumnRules, headerLine: number, issues: Issues): Columns {
  const list: Column[] = header.map((name, slot) => ({ name, header: name, slot }))
  const inFile = new Map(list.map(column => [column.name, column.slot]))
  const literals: string[] = []
  for (const [key, source] of Object.entries(rules.federatedMappings ?? {})) {
    if (inFile.has(key)) {
      const message = `The file has this column already; the mapping to ${JSON.stringify(source)} is not used.`
      if (key !== source) issues.warnOnce(headerLine, key, 'CONFIG', message)
      continue
    }
    const slot = inFile.get(source) ?? header.length + literals.push(source) - 1
    list.push({ name: key, header: key, slot })
  }
  const removed = new Set([...(rules.propertiesToRemove ?? []), ...REPORT_COLUMNS])
  return { list: list.filter(column => !removed.has(column.name)), fileCells: header.length, literals }
}
