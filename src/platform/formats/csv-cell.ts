// One cell, as it is read and as it is written. What the service writes is safe to open in a spreadsheet: a text that
// a spreadsheet would take for a formula gets a `'` in front, and reading takes it off again.

/** What cells of a row are parted by. */
export type Delimiter = ',' | ';' | '\t'

// At the beginning of a cell, and behind any character that a spreadsheet may split cells at; wide signs count like narrow ones.
const FORMULA = /(^|[;,\t\n\r])('*)([=+\-@＝＋－＠][^;,\t\n\r]*)/g
const GUARDED = /(^|[;,\t\n\r])'('*)(?=[=+\-@＝＋－＠])/g
/** Also where a cell only seems to begin, within quotes that are malformed. */
const UNGUARDED = /(^"|[;,\t\n\r]"?)(?=[=+\-@＝＋－＠])/g
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const SPACE = 0x20

export function readCell(text: string): string {
  if (text.length === 0) return text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  const trimmed = first <= SPACE || last <= SPACE || first > 0x7e || last > 0x7e ? text.trim() : text
  return trimmed.includes("'") ? trimmed.replace(GUARDED, '$1$2') : trimmed
}

/** Whether a cell is read as the text that was written; no reader takes a file with U+0000. */
export function isReadBack(text: string): boolean {
  return !text.includes('\0') && readCell(guarded(text)) === text
}

function guarded(text: string): string {
  return text.replace(FORMULA, (all, before: string, quotes: string, rest: string) =>
    quotes === '' && NUMBER.test(rest) ? all : `${before}${quotes}'${rest}`,
  )
}

export function writeCell(text: string, delimiter: Delimiter, isHeader = false): string {
  const safe = guarded(text)
  const needsQuotes =
    safe.includes('"') || safe.includes(delimiter) || safe.includes('\n') || safe.includes('\r') || safe !== safe.trim()
  return needsQuotes || (isHeader && DELIMITER.test(safe)) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const DELIMITER = /[,;\t]/

export function writeRow(cells: readonly string[], delimiter: Delimiter): string {
  return `${cells.map(cell => writeCell(cell, delimiter)).join(delimiter)}\r\n`
}

/** A reader detects the delimiter here: no other one may occur outside quotes. */
export function writeHeader(names: readonly string[], delimiter: Delimiter): string {
  return `${names.map(name => writeCell(name, delimiter, true)).join(delimiter)}\r\n`
}

/** A cell whose quotes are malformed, as it stands in a file: nothing that is written in another way would be as wrong. */
export function guardedRaw(raw: string): string {
  return raw.replace(UNGUARDED, "$1'")
}

/** In every cell of the last row of what could not go on. */
export const BROKEN_OFF = '(broken off)'

/** Has a cell too many: no data looks like it, and no load takes it. */
export const brokenRow = (columns: number) => writeRow(Array(columns + 1).fill(BROKEN_OFF), ',')
