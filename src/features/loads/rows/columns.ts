// Steps 2 and 3 of the pipeline, decided once from the header: which columns a row has when its own steps begin. A
// column is a name for a place in the row's cells; literals stand behind the cells of the file.
import { bareName, nearest, quoted } from '../../../platform/nearest.ts'
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

/** Rows are found by these: a text in the place of a key would make all rows one. */
export const KEY_COLUMNS: ReadonlySet<string> = new Set([
  'federatedId',
  'itemFamilyFederatedId',
  'itemOptionFederatedId',
])
/** What no column is called by accident. */
const TYPE_PATH = /^[a-z-]+(?:$|:)/

/** Both steps; whoever counts the warnings of each takes them one by one. */
export function columnsOf(header: readonly string[], rules: ColumnRules, headerLine: number, issues: Issues): Columns {
  return withoutRemoved(mapped(header, rules, headerLine, issues), rules, headerLine, issues)
}

/** Step 2. */
export function mapped(header: readonly string[], rules: ColumnRules, headerLine: number, issues: Issues): Columns {
  const list: Column[] = header.flatMap((name, slot) => (name === '' ? [] : { name, header: name, slot }))
  const names = list.map(column => column.name)
  const inFile = new Map(list.map(column => [column.name, column.slot]))
  const literals: string[] = []
  for (const [key, source] of Object.entries(rules.federatedMappings ?? {})) {
    if (inFile.has(key)) {
      const message = `The file has this column already; the mapping to ${JSON.stringify(source)} is not used.`
      if (key !== source) issues.warnOnce(headerLine, key, 'CONFIG', message)
      continue
    }
    if (!inFile.has(source)) tellOfLiteral(key, source, names, headerLine, issues)
    const slot = inFile.get(source) ?? header.length + literals.push(source) - 1
    list.push({ name: key, header: key, slot })
  }
  return { list, fileCells: header.length, literals }
}

/** Step 3. */
export function withoutRemoved(columns: Columns, rules: ColumnRules, headerLine: number, issues: Issues): Columns {
  const { list } = columns
  const present = new Set(list.map(column => column.name))
  for (const name of rules.propertiesToRemove ?? []) {
    if (present.has(name)) continue
    const message = `There is no column ${quoted(name)} to remove.`
    issues.warnOnce(headerLine, name, 'CONFIG', message, { name, among: () => present })
  }
  const removed = new Set([...(rules.propertiesToRemove ?? []), ...REPORT_COLUMNS])
  return { ...columns, list: list.filter(column => !removed.has(column.name)) }
}

/** N72: the source's rule 2 is meant for constants, and hides every misspelt name of a column. */
function tellOfLiteral(
  key: string,
  source: string,
  names: readonly string[],
  headerLine: number,
  issues: Issues,
): void {
  const bare = KEY_COLUMNS.has(key) ? bareName(source) : undefined
  const written = names.find(name => bare !== undefined && bareName(name) === bare)
  if (written !== undefined) {
    issues.error(headerLine, key, 'CONFIG', misspelt(source, written, `Map ${key}`))
    return
  }
  if (key === 'typePath' && TYPE_PATH.test(source) && nearest(source, names) === undefined) return
  const message = `No column ${quoted(source)}; every row gets this text.`
  issues.warnOnce(headerLine, key, 'CONFIG', message, { name: source, among: () => names })
}

export function misspelt(name: string, meant: string, advice: string): string {
  return `There is no column ${quoted(name)}, but there is ${quoted(meant)}. ${advice} to it.`
}
