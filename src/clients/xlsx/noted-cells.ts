// The cells of a sheet of which the library does not tell everything: numbers that it may take for dates, errors, which it takes
// for texts, and formulas that nothing has computed, which it takes for empty cells.

import { type FormatKind, kindOfFormat } from './number-format.ts'
import { attributesIn, attributesOf, elementPattern } from './xml.ts'
import { ZipParts } from './zip-parts.ts'

const CELL_STYLES = elementPattern('cellXfs')
const ROW = elementPattern('row')
const CELL = elementPattern('c')
const VALUE = elementPattern('v')
const FORMULA = /<(?:[\w.-]+:)?f\b/
const LAST_ROW_PASSED = /<\/(?:[\w.-]+:)?sheetData>/

export interface NotedNumber {
  column: number
  kind: Exclude<FormatKind, 'date'>
  value: number
  /** Whether the workbook counts days from 1904 instead of 1900. */
  isFrom1904: boolean
}

export type NotedCell =
  | NotedNumber
  | { column: number; kind: 'uncomputed' }
  | { column: number; kind: 'error'; text: string }

interface NotedRow {
  /** Counted from 0, as the library counts. */
  index: number
  cells: NotedCell[]
}

/** Asked for one row after the other, by their numbers: where this finds other rows than the library, no row gets what is another's. */
export function notedCells(workbook: Uint8Array, sheet: string): (row: number) => Promise<NotedCell[]> {
  const rows = notedRows(workbook, sheet)
  let next: IteratorResult<NotedRow, void> | undefined
  return async row => {
    const cells: NotedCell[] = []
    next ??= await rows.next()
    for (; !next.done && next.value.index <= row; next = await rows.next()) {
      if (next.value.index === row) cells.push(...next.value.cells)
    }
    return cells
  }
}

async function* notedRows(workbook: Uint8Array, sheet: string): AsyncGenerator<NotedRow, void, undefined> {
  const parts = new ZipParts(workbook)
  const [main = ''] = await targetsOf(parts, '', 'officeDocument')
  const workbookText = await parts.text(main)
  const id = attributesIn(workbookText, 'sheet').find(({ name }) => name === sheet)
  const [path = ''] = await targetsOf(parts, main, 'worksheet', Object.values(id ?? {}))
  const [styles = ''] = await targetsOf(parts, main, 'styles')
  const stream = parts.stream(path)
  if (!stream) return
  const kinds = kindsIn(await parts.text(styles))
  const isFrom1904 = attributesIn(workbookText, 'workbookPr').some(({ date1904 = '' }) => /^(1|true)$/.test(date1904))
  let index = -1
  for await (const [, text = '', content = ''] of rowsIn(stream)) {
    const { r } = attributesOf(text)
    index = r === undefined ? index + 1 : Number(r) - 1
    yield { index, cells: notedIn(content, kinds, isFrom1904) }
  }
}

/** Where the relations of a part lead that have this type, and one of these ids. */
async function targetsOf(parts: ZipParts, part: string, type: string, ids?: readonly string[]): Promise<string[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations = attributesIn(await parts.text(`${folder}_rels/${part.slice(folder.length)}.rels`), 'Relationship')
  return relations
    .filter(({ Type = '', Id = '' }) => Type.endsWith(`/${type}`) && (ids === undefined || ids.includes(Id)))
    .map(({ Target = '' }) => new URL(Target, `file:///${folder}`).pathname.slice(1))
    .map(decodeURIComponent)
}

/** Of the cell styles, in their order. */
function kindsIn(styles: string): FormatKind[] {
  const codes = new Map(attributesIn(styles, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const [, , formats = ''] = first(styles, CELL_STYLES) ?? []
  return attributesIn(formats, 'xf').map(({ numFmtId }) => kindOfFormat(Number(numFmtId), codes.get(numFmtId)))
}

async function* rowsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<RegExpExecArray, void, undefined> {
  const decoder = new TextDecoder()
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  let text = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true })
      let end = 0
      for (const row of text.matchAll(ROW)) {
        yield row
        end = row.index + row[0].length
      }
      text = text.slice(end)
      if (LAST_ROW_PASSED.test(text)) return
    }
  } finally {
    await reader.cancel()
  }
}

function notedIn(row: string, kinds: readonly FormatKind[], isFrom1904: boolean): NotedCell[] {
  const noted: NotedCell[] = []
  let column = -1
  for (const [, text = '', content = ''] of row.matchAll(CELL)) {
    const { r = '', s, t = 'n' } = attributesOf(text)
    column = r === '' ? column + 1 : columnOf(r)
    const value = first(content, VALUE)
      ?.map(each => each ?? '')
      .at(2)
    const kind = s === undefined ? 'date' : (kinds[Number(s)] ?? 'date')
    if (t === 'e') noted.push({ column, kind: 'error', text: value ?? '' })
    else if (FORMULA.test(content) && isMissing(value, t)) noted.push({ column, kind: 'uncomputed' })
    else if (t === 'n' && value && kind !== 'date') noted.push({ column, kind, value: Number(value), isFrom1904 })
  }
  return noted
}

/** A text may be empty once it is computed, a number never is. */
const isMissing = (value: string | undefined, type: string) => value === undefined || (value === '' && type !== 'str')

function first(xml: string, pattern: RegExp): RegExpExecArray | undefined {
  for (const found of xml.matchAll(pattern)) return found
  return undefined
}

/** Counted from 0: the C of `C7` is 2. */
function columnOf(address: string): number {
  const letters = /^[A-Z]+/i.exec(address)?.[0].toUpperCase() ?? ''
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
