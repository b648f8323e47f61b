// A sheet of an Excel workbook as CSV, row by row, for the command line and the console: it uses nothing of Node.

import { streamXlsxRows } from 'hucre/xlsx'
import {
  type CellValue,
  cellAddress,
  cellText,
  csvCell,
  dayOf,
  durationText,
  isInexact,
  isNoDay,
  isoText,
  timeText,
} from './cell-text.ts'
import { type NotedCell, type NotedNumber, notedCells } from './noted-cells.ts'
import { NoWorkbook, partsOf } from './workbook-parts.ts'
import { BrokenPart } from './zip-parts.ts'

/** Of a sheet of Excel. */
const ROWS_MAX = 2 ** 20
const TEXTS_MAX_BYTES = 256 * 1024 * 1024

/** A workbook that cannot be read, or a sheet that cannot be loaded as it is. */
export class WorkbookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WorkbookError'
  }
}

/** The names of the sheets that a person sees, in order. */
export async function sheetNames(workbook: Uint8Array): Promise<string[]> {
  const { sheets } = await reading(partsOf(workbook))
  return [...sheets].flatMap(([name, { isHidden }]) => (isHidden ? [] : [name]))
}

/** The name as the workbook has it: Excel tells no capitals from small letters. A sheet that is hidden can be named, too. */
export async function sheetNamed(workbook: Uint8Array, name: string): Promise<string | undefined> {
  const { sheets } = await reading(partsOf(workbook))
  if (sheets.has(name)) return name
  const [found, ...more] = [...sheets.keys()].filter(each => each.toLowerCase() === name.toLowerCase())
  return more.length === 0 ? found : undefined
}

/**
 * Lines of CSV. The header is the first row from `headerRow` on (counted from 1) that holds anything; rows above it, such as a title,
 * become empty lines. Rows get as many cells as the header has; a row that holds
 * nothing is an empty line, so that the number of a line is that of the row, as long as no cell holds a line break.
 */
export async function* sheetCsv(
  workbook: Uint8Array,
  sheet: string,
  headerRow = 1,
): AsyncGenerator<string, void, undefined> {
  let columns = 0
  let next = 0
  await reading(checkTexts(workbook))
  const rows = streamXlsxRows(workbook, { sheet })
  const noted = notedCells(workbook, sheet)
  for (let row = await reading(rows.next()); !row.done; row = await reading(rows.next())) {
    const { index, values } = row.value
    if (index >= ROWS_MAX)
      throw new WorkbookError(`The sheet ${sheet} has a row ${index + 1}; ${ROWS_MAX} is the last one.`)
    const notes = await reading(noted(index))
    if (index < headerRow - 1) continue
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
  await reading(noted(Number.POSITIVE_INFINITY))
}

/** The library holds them all at once. */
async function checkTexts(workbook: Uint8Array): Promise<void> {
  const { parts, texts } = await partsOf(workbook)
  if (parts.sizeOf(texts) > TEXTS_MAX_BYTES) throw new WorkbookError('Its texts take more than 256 MB.')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const write = (bytes: Uint8Array) => void decoder.decode(bytes, { stream: true })
  await parts.stream(texts)?.pipeTo(new WritableStream({ write }))
}

/** What a number shows in its format; `taken` is what the library takes it for. */
function shownAs({ kind, value, isFrom1904 }: NotedNumber, taken: Date | number): CellValue {
  if (kind === 'number') return value
  if (kind === 'duration' || (kind === 'time' && value < 0)) return durationText(value)
  if (kind === 'time' && value < 1) return timeText(value)
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
    const value = cells[cell.column]
    if (cell.kind === 'text') {
      if (value == null)
        throw new WorkbookError(`${where} holds a text that is missing in the workbook: it is damaged.`)
      continue
    }
    if (cell.kind === 'iso') {
      if (typeof value === 'string') cells[cell.column] = isoText(value)
      continue
    }
    // What the library takes for a text is none of these.
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
      : isNoDay(value) && 'a day before 1900 or after 9999'
    if (!what) return cellText(value)
    const where = `Cell ${cellAddress(column, row)} of the sheet ${sheet}`
    throw new WorkbookError(`${where} holds ${what}. Format it as text and enter it anew.`)
  })
  while (texts.at(-1) === '') texts.pop()
  return texts
}

/** What is damaged shows itself in many ways. */
async function reading<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (error instanceof WorkbookError) throw error
    if (error instanceof NoWorkbook) throw new WorkbookError(error.message)
    const message = error instanceof Error ? error.message : ''
    if (error instanceof BrokenPart || /ZIP/.test(message)) {
      throw new WorkbookError(`The workbook is damaged or incomplete (${message}).`)
    }
    const isClear = message !== '' && !(error instanceof TypeError || error instanceof RangeError)
    throw new WorkbookError(isClear ? message : 'The workbook is damaged or incomplete.')
  }
}
