// A sheet of an Excel workbook as CSV, row by row. It uses nothing of Node, so that a browser can do the same.

import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import {
  type CellValue,
  cellAddress,
  cellText,
  csvCell,
  dayOf,
  durationText,
  isErrorText,
  isInexact,
  timeText,
} from './cell-text.ts'
import { type NotedCell, type NotedNumber, notedCells } from './noted-cells.ts'

/** A workbook that cannot be read, or a sheet that cannot be loaded as it is. */
export class WorkbookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WorkbookError'
  }
}

/** .xlsx and .xlsm are ZIP files. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
}

/** .xls of Excel 97 to 2003, and workbooks with a password. */
export function isOldWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
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
 * nothing is an empty line, so that under a header in row 1 the number of a line is that of the row.
 */
export async function* sheetCsv(workbook: Uint8Array, sheet: string): AsyncGenerator<string, void, undefined> {
  let columns = 0
  let next = 0
  const rows = streamXlsxRows(workbook, { sheet })
  const noted = notedCells(workbook, sheet)
  for (let row = await reading(rows.next()); !row.done; row = await reading(rows.next())) {
    const { index, values } = row.value
    const notes = await reading(noted(index))
    const cells = textsOf(sheet, corrected(sheet, values, index, notes), index)
    if (columns === 0) {
      if (cells.length === 0) continue
      columns = cells.length
      next = index
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
    if (cell.kind === 'uncomputed') {
      const where = `Cell ${cellAddress(cell.column, row)} of the sheet ${sheet}`
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
    const where = `Cell ${cellAddress(column, row)} of the sheet ${sheet}`
    if (isErrorText(value)) throw new WorkbookError(`${where} holds the error ${value}.`)
    if (!isInexact(value)) return cellText(value)
    throw new WorkbookError(
      `${where} holds a number of more digits than can be kept. Format it as text and enter it anew.`,
    )
  })
  while (texts.at(-1) === '') texts.pop()
  return texts
}

/** The library's own errors say what is wrong with the file, but for one that people cut off on its way. */
async function reading<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new WorkbookError(/ZIP/.test(message) ? `The workbook is damaged or incomplete (${message}).` : message)
  }
}
