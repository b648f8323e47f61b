// A sheet of an Excel workbook as CSV, row by row, for the command line and the console: it uses nothing of Node.

import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import {
  type CellValue,
  cellAddress,
  cellText,
  csvCell,
  dayOf,
  durationText,
  isInexact,
  isTooEarly,
  timeText,
} from './cell-text.ts'
import { type NotedCell, type NotedNumber, notedCells } from './noted-cells.ts'

/** Of a sheet of Excel. */
const ROWS_MAX = 2 ** 20
const NO_WORKBOOK = /^Invalid XLSX: missing /

/** A workbook that cannot be read, or a sheet that cannot be loaded as it is. */
export class WorkbookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WorkbookError'
  }
}

/** The names of the sheets that a person sees, in order. */
export async function sheetNames(workbook: Uint8Array): Promise<string[]> {
  const names: string[] = []
  const sheets = (info: { name: string; hidden?: boolean; veryHidden?: boolean }) => {
    if (!info.hidden && !info.veryHidden) names.push(info.name)
    return false
  }
  await reading(readXlsx(workbook, { sheets }))
  return names
}

/**
 * Lines of CSV, the first row that holds anything being the header. Rows get as many cells as the header has; a row that holds
 * nothing is an empty line, so that the number of a line is that of the row.
 */
export async function* sheetCsv(workbook: Uint8Array, sheet: string): AsyncGenerator<string, void, undefined> {
  let columns = 0
  let next = 0
  const rows = streamXlsxRows(workbook, { sheet })
  const noted = notedCells(workbook, sheet)
  for (let row = await reading(rows.next()); !row.done; row = await reading(rows.next())) {
    const { index, values } = row.value
    if (index >= ROWS_MAX)
      throw new WorkbookError(`The sheet ${sheet} has a row ${index + 1}; ${ROWS_MAX} is the last one.`)
    const notes = await reading(noted(index))
    const cells = textsOf(sheet, corrected(sheet, values, index, notes), index)
    if (columns === 0) {
      if (cells.length === 0) continue
      columns = cells.length
    }
    yield '\n'.repeat(Math.max(0, index - next))
    next = index + 1
    const padding = cells.length === 0 ? 0 : columns - cells.length
    yield `${[...cells.map(csvCell), ...Array(Math.max(0, padding)).fill('')].join(',')}\n`
  }
}

/** What a number shows in its format; `taken` is what the library takes it for. */
function shownAs({ kind, value, isFrom1904 }: NotedNumber, taken: Date | number): CellValue {
  if (kind === 'number') return value
  if (kind === 'duration' || value < 0) return durationText(value)
  if (value < 1) return timeText(value)
  // A day that only its time is shown of is still one; with literals between its parts the library does not see it.
  return taken instanceof Date ? taken : dayOf(value, isFrom1904)
}

/** What the library takes for dates and empty cells, as what it is. */
function corrected(sheet: string, values: readonly CellValue[], row: number, notes: readonly NotedCell[]): CellValue[] {
  const cells = [...values]
  for (const cell of notes) {
    const where = `Cell ${cellAddress(cell.column, row)} of the sheet ${sheet}`
    if (cell.kind === 'error') throw new WorkbookError(`${where} holds the error ${cell.text}.`)
    if (cell.kind === 'uncomputed') {
      throw new WorkbookError(`${where} holds a formula without a result: whatever wrote the file has not computed it.`)
    }
    // What the library takes for a text is none of these.
    const value = cells[cell.column]
    if (!(value instanceof Date) && typeof value !== 'number') continue
    cells[cell.column] = shownAs(cell, value)
  }
  return cells
}

/** Without the empty cells at the end. */
function textsOf(sheet: string, values: readonly CellValue[], row: number): string[] {
  const texts = values.map((value, column) => {
    const what = isInexact(value)
      ? 'a number of more digits than can be kept'
      : isTooEarly(value) && 'a day before 1900'
    if (!what) return cellText(value)
    const where = `Cell ${cellAddress(column, row)} of the sheet ${sheet}`
    throw new WorkbookError(`${where} holds ${what}. Format it as text and enter it anew.`)
  })
  while (texts.at(-1) === '') texts.pop()
  return texts
}

/** The library's own errors say what is wrong with the file, but for one that was cut off on its way, and one that is no workbook. */
async function reading<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (NO_WORKBOOK.test(message)) throw new WorkbookError('It is a ZIP file, but no Excel workbook.')
    throw new WorkbookError(/ZIP/.test(message) ? `The workbook is damaged or incomplete (${message}).` : message)
  }
}
