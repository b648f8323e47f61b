// The cells of a sheet of which the library does not tell everything: numbers that it may take for dates, errors, which it takes
// for texts, and formulas that nothing has computed, which it takes for empty cells.

import { type FormatKind, kindOfFormat } from './number-format.ts'
import { partsOf } from './workbook-parts.ts'
import { attributesIn, attributesOf, elementPattern } from './xml.ts'
import { BrokenPart } from './zip-parts.ts'

const NUMBER_FORMATS = elementPattern('numFmts')
const CELL_STYLES = elementPattern('cellXfs')
const ROW = elementPattern('row')
const CELL = elementPattern('c')
const VALUE = elementPattern('v')
const FORMULA = /<(?:[\w.-]+:)?f\b/
/** The formula `=""` needs no computing: some writers leave its result out. */
const EMPTY_TEXT = /<(?:[\w.-]+:)?f>(?:"|&quot;){2}</
const LAST_ROW_PASSED = /<\/(?:[\w.-]+:)?sheetData\s*>|<(?:[\w.-]+:)?sheetData\s*\/>/
/** Of a row, or of all. */
const ROW_END = /<\/(?:[\w.-]+:)?(?:row|sheetData)\s*>|<(?:[\w.-]+:)?(?:row|sheetData)\b[^>]*\/>/
/** A tag has no more: two pieces may share it. */
const TAG_CHARACTERS = 4096
/** Excel could write longer ones, with cells that no entity can hold. */
const ROW_MAX_CHARACTERS = 16 * 1024 * 1024

export interface NotedNumber {
  column: number
  kind: FormatKind
  value: number
  /** Whether the workbook counts days from 1904 instead of 1900. */
  isFrom1904: boolean
}

export type NotedCell =
  | NotedNumber
  /** Among the texts that the workbook has apart. */
  | { column: number; kind: 'text' }
  /** A date in ISO 8601. */
  | { column: number; kind: 'iso' }
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
  const { parts, sheets, styles, isFrom1904, isUncomputed } = await partsOf(workbook)
  const stream = parts.stream(sheets.get(sheet)?.path ?? '')
  if (!stream) throw new BrokenPart(`the part of the sheet ${sheet} is not found`)
  const ways = { kinds: kindsIn(styles), isFrom1904, isUncomputed }
  let index = -1
  for await (const [, text = '', content = ''] of rowsIn(stream)) {
    const { r } = attributesOf(text)
    index = r === undefined ? index + 1 : Number(r) - 1
    yield { index, cells: notedIn(content, ways) }
  }
}

/** Of the cell styles, in their order. */
function kindsIn(styles: string): (FormatKind | undefined)[] {
  // Formats of conditions have numbers of their own.
  const [, , numbered = ''] = first(styles, NUMBER_FORMATS) ?? []
  const codes = new Map(attributesIn(numbered, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const [, , formats = ''] = first(styles, CELL_STYLES) ?? []
  return attributesIn(formats, 'xf').map(({ numFmtId }) => kindOfFormat(Number(numFmtId), codes.get(numFmtId)))
}

/** To its end, where it turns out whether it is whole. */
async function* rowsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<RegExpExecArray, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  let text = ''
  // What is looked through already holds no end of a row.
  let seen = 0
  let isOver = false
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (isOver) continue
      text += decoder.decode(next.value, { stream: true })
      if (!ROW_END.test(text.slice(Math.max(0, seen - TAG_CHARACTERS)))) {
        if (text.length > ROW_MAX_CHARACTERS) throw new BrokenPart('a row is too long to be read')
        seen = text.length
        continue
      }
      let end = 0
      for (const row of text.matchAll(ROW)) {
        yield row
        end = row.index + row[0].length
      }
      text = text.slice(end)
      seen = text.length
      isOver = LAST_ROW_PASSED.test(text)
    }
    if (!isOver) throw new BrokenPart('the sheet has no end')
  } finally {
    await reader.cancel()
  }
}

interface Ways {
  kinds: readonly (FormatKind | undefined)[]
  isFrom1904: boolean
  isUncomputed: boolean
}

function notedIn(row: string, { kinds, isFrom1904, isUncomputed }: Ways): NotedCell[] {
  const noted: NotedCell[] = []
  let column = -1
  for (const [, text = '', content = ''] of row.matchAll(CELL)) {
    const { r = '', s, t = 'n' } = attributesOf(text)
    column = r === '' ? column + 1 : columnOf(r)
    const value = first(content, VALUE)
      ?.map(each => each ?? '')
      .at(2)
    const kind = s === undefined ? undefined : kinds[Number(s)]
    const isEmptyText = !value && EMPTY_TEXT.test(content)
    const isFormula = !isEmptyText && FORMULA.test(content)
    if (t === 'e') noted.push({ column, kind: 'error', text: value ?? '' })
    else if (t === 's' && value) noted.push({ column, kind: 'text' })
    else if (t === 'd' && value) noted.push({ column, kind: 'iso' })
    else if (isFormula && isMissing(value, t)) noted.push({ column, kind: 'uncomputed' })
    else if (isFormula && isUncomputed && value === '0') noted.push({ column, kind: 'uncomputed' })
    else if (t === 'n' && value && kind) noted.push({ column, kind, value: Number(value), isFrom1904 })
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
