// Reads the header and the rows of one range. Every row knows its line in the file; what is wrong with
// a row is said as a fault of that row, what makes the file unreadable is thrown.
import { BROKEN_OFF, readCell } from '../../../platform/formats/csv-cell.ts'
import { LOAD_MAX_COLUMNS, PROPERTY_NAME_MAX_LENGTH } from '../../../platform/limits.ts'
import { shown } from '../rows/cell-readers.ts'
import { addMissing } from './annotated.ts'
import { CsvFault, type Dialect, type HeaderPlace } from './dialect.ts'
import { type MalformedCells, parseRecords } from './records.ts'
import type { RecordRange } from './splitter.ts'

export interface RowFault {
  line: number
  message: string
  column?: string
  /** Where its quotes are wrong. */
  malformed?: MalformedCells
}

export interface Rows {
  cells: string[][]
  lines: number[]
  faults: RowFault[]
}

export interface Header {
  names: string[]
  faults: RowFault[]
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function readHeader(bytes: Uint8Array, place: HeaderPlace): Header {
  const text = decode(bytes.subarray(place.start, place.end))
  if (text === undefined) throw new CsvFault(NOT_UTF8, place.line)
  if (text.includes('\0')) throw new CsvFault('The file is not text: it holds a NUL character.', place.line)
  const { records, malformed } = parseRecords(text, place.dialect)
  const record = records[0]
  if (record === undefined || records.length !== 1 || malformed.size > 0) {
    throw new CsvFault('The quotes of the header are malformed.', place.line)
  }
  if (record.length > LOAD_MAX_COLUMNS)
    throw new CsvFault(
      `The file has ${record.length} columns, at most ${LOAD_MAX_COLUMNS} are allowed. Leave some out, or load several files.`,
      place.line,
    )
  if (record.length === 1 && PIPES.test(text))
    throw new CsvFault('The header seems to be parted by "|". Use a comma, a semicolon or a tab.', place.line)
  return checkHeader(record.map(readCell), place.line)
}

const PIPES = /^[^"]*\|/

const NOT_UTF8 =
  'The file is not UTF-8: this line has bytes of another encoding, as files of Excel\'s plain "CSV" have. Save it as "CSV UTF-8".'

/** A column may be without a name as long as nothing stands in it: spreadsheets leave such columns behind. */
function checkHeader(names: string[], line: number): Header {
  const faults: RowFault[] = []
  const seen = new Map<string, number>()
  for (const [index, column] of names.entries()) {
    const first = seen.get(column)
    if (column === '') continue
    if (column.length > PROPERTY_NAME_MAX_LENGTH) {
      const message = `The name of column ${index + 1} has ${column.length} characters; at most ${PROPERTY_NAME_MAX_LENGTH} are allowed.`
      faults.push({ line, column: column.slice(0, PROPERTY_NAME_MAX_LENGTH), message })
    } else if (column === '__proto__') faults.push({ line, column, message: 'A column cannot have this name.' })
    else if (first !== undefined) {
      const message = `Column ${index + 1} repeats the name ${JSON.stringify(column)} of column ${first + 1}. Rename or remove one of them.`
      faults.push({ line, column, message })
    } else seen.set(column, index)
  }
  return { names, faults }
}

/** Cells come back trimmed; rows without any content are left out. */
export function readRows(range: RecordRange, dialect: Dialect, names: readonly string[]): Rows {
  const columns = names.length
  const nameless = names.flatMap((name, at) => (name === '' ? [at] : []))
  const text = decode(range.bytes)
  if (text === undefined) throw new CsvFault(NOT_UTF8, undecodableLine(range))
  if (text.includes('\0')) throw new CsvFault('The file is not text: it holds a NUL character.', lineOfNul(range))
  const { records, malformed } = parseRecords(text, dialect)
  const rows: Rows = { cells: [], lines: [], faults: [] }
  for (const [index, record] of records.entries()) {
    const line = range.lines[index] ?? 0
    let isEmpty = true
    for (let column = 0; column < record.length; column++) {
      const cell = readCell(record[column] ?? '')
      record[column] = cell
      if (cell !== '') isEmpty = false
    }
    if (isEmpty) continue
    const wrong = malformed.get(index)
    if (!wrong) {
      addMissing(record, names)
      fitToHeader(record, columns, nameless)
    }
    const stray = nameless.find(at => (record[at] ?? '') !== '')
    if (wrong) {
      rows.faults.push({ line, message: [...wrong.values()].some(isOpen) ? OPEN : MALFORMED, malformed: wrong })
    } else if (record.length !== columns) {
      rows.faults.push({ line, message: raggedText(record, columns) })
    } else if (stray !== undefined) {
      rows.faults.push({
        line,
        message: `The row has ${shown(record[stray])} in column ${stray + 1}, which has no name. Name the column, or clear it.`,
      })
    }
    rows.cells.push(record)
    rows.lines.push(line)
  }
  return rows
}

const OPEN = 'A quote opens in this row and is never closed. Close it, or remove it.'
const MALFORMED = 'The quotes of this row are malformed. A quote inside a quoted cell is written twice.'

const isOpen = (raw: string) => !raw.slice(1).replaceAll('""', '').includes('"')

const TITLE = 'If the first line is a title, remove it: the header must be the first line.'

function raggedText(record: readonly string[], columns: number): string {
  if (record[columns] === BROKEN_OFF) return 'The export broke off here: what follows is missing. Export it again.'
  const advice =
    record.length < columns
      ? 'Fill it up with delimiters.'
      : columns === 1
        ? TITLE
        : 'A cell that holds the delimiter must stand in quotes.'
  return `The row has ${record.length} cells, the header has ${columns}. ${advice}`
}

/** A delimiter at the end of a line makes an empty cell that belongs to no column. */
function fitToHeader(record: string[], columns: number, nameless: readonly number[]): void {
  while (record.length > columns && record.at(-1) === '') record.pop()
  while (record.length < columns && nameless.includes(record.length)) record.push('')
}

function undecodableLine(range: RecordRange): number {
  const index = range.ends.findIndex(
    (end, at) => decode(range.bytes.subarray(range.ends[at - 1] ?? 0, end)) === undefined,
  )
  return range.lines[index] ?? range.lines[0] ?? 1
}

function lineOfNul(range: RecordRange): number {
  const at = range.bytes.indexOf(0)
  return range.lines[range.ends.findIndex(end => at < end)] ?? 1
}
