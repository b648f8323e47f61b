// A sheet of an Excel workbook becomes the CSV file that goes up: the service takes no workbooks.
import type { WorkbookError } from '../../xlsx/sheet-csv.ts'
import { type FirstLine, firstLines } from './header-row.ts'

export interface ChosenSheet {
  workbook: File
  name: string
  /** Those that a person sees. */
  names: readonly string[]
}

interface Converted {
  sheet?: ChosenSheet
  csv?: File
  /** Of the whole sheet, what stands above the header included. */
  lines?: readonly FirstLine[]
  /** What stands in the way. */
  fault?: string
}

/** Is told how many rows are done, and tells whether anybody waits for the rest. */
export type Seen = (rows: number) => boolean

const PIECE_CHARACTERS = 1024 * 1024
/** So long the page may stand still. */
const AT_ONCE_MS = 30

/** The first sheet, unless one is named. */
export async function convert(
  workbook: File,
  named: string | undefined,
  headerRow: number,
  seen: Seen,
): Promise<Converted> {
  // The library comes with the first workbook.
  const { sheetCsv, sheetNames, WorkbookError: Refused } = await import('../../xlsx/sheet-csv.ts')
  let sheet: ChosenSheet | undefined
  seen(0)
  try {
    const bytes = new Uint8Array(await workbook.arrayBuffer())
    const names = await sheetNames(bytes)
    const name = named ?? names[0]
    if (name === undefined) return { fault: 'The workbook has no sheet that can be seen.' }
    sheet = { workbook, name, names }
    const fileName = `${workbook.name.replace(/\.\w+$/, '')} - ${name}.csv`
    const lines = await beginning(sheetCsv(bytes, name))
    const pieces = await inPieces(sheetCsv(bytes, name, headerRow), seen)
    if (!pieces) return { fault: 'Not read to its end.' }
    return { sheet, lines, csv: new File(pieces, fileName, { type: 'text/csv' }) }
  } catch (error) {
    if (error instanceof DOMException) return { fault: 'It has changed, or cannot be read any more. Choose it again.' }
    if (!(error instanceof Refused)) throw error
    return { ...(sheet && { sheet }), fault: faultOf(error) }
  }
}

const faultOf = ({ message }: WorkbookError) =>
  `${message} Correct the workbook, or save the sheet as “CSV UTF-8” and load that.`

const FIRST_LINES = 12

async function beginning(lines: AsyncIterable<string>): Promise<FirstLine[]> {
  let text = ''
  let count = 0
  for await (const line of lines) {
    text += line
    if (++count === FIRST_LINES) break
  }
  return firstLines(text)
}

/** What is done is given to the browser, which need not hold it in memory. */
async function inPieces(lines: AsyncIterable<string>, seen: Seen): Promise<Blob[] | undefined> {
  const pieces: Blob[] = []
  let text = ''
  let rows = 0
  let since = performance.now()
  for await (const line of lines) {
    text += line
    rows++
    if (text.length >= PIECE_CHARACTERS) {
      pieces.push(new Blob([text]))
      text = ''
    }
    if (performance.now() - since < AT_ONCE_MS) continue
    if (!seen(rows)) return undefined
    await new Promise(resolve => setTimeout(resolve))
    since = performance.now()
  }
  pieces.push(new Blob([text]))
  return pieces
}
