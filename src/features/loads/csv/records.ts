// Takes a text apart into records and cells. Quotes open and close exactly where the splitter sees them. Pure.
import type { Dialect } from './dialect.ts'

export interface Records {
  records: string[][]
  /** Those whose quotes are wrong: a quoted cell goes on behind its closing quote, or has none. */
  malformed: Map<number, MalformedCells>
}

/** As they stand in the file, by column; the last one may be open. */
export type MalformedCells = Map<number, string>

const QUOTE = '"'

export function parseRecords(text: string, dialect: Dialect): Records {
  return text.includes(QUOTE)
    ? parseQuoted(text, dialect)
    : { records: parsePlain(text, dialect), malformed: new Map() }
}

function parsePlain(text: string, { delimiter, lineBreak }: Dialect): string[][] {
  const lines = text.split(lineBreak)
  if (lines.at(-1) === '') lines.pop()
  return lines.map(line => line.split(delimiter))
}

function parseQuoted(text: string, dialect: Dialect): Records {
  const { delimiter, lineBreak } = dialect
  const found: Records = { records: [], malformed: new Map() }
  let record: string[] = []
  let at = 0
  let delimiterAt = -1
  let breakAt = -1
  // Behind a delimiter there is one more cell, also at the end of the text.
  while (at < text.length || record.length > 0) {
    let end: number
    if (text[at] === QUOTE) {
      const quoted = quotedCell(text, at, dialect)
      if (quoted.raw !== undefined) {
        const row = found.records.length
        const cells = found.malformed.get(row) ?? new Map()
        found.malformed.set(row, cells.set(record.length, quoted.raw))
      }
      record.push(quoted.cell)
      end = quoted.end
    } else {
      if (delimiterAt < at) delimiterAt = placeOf(delimiter, text, at)
      if (breakAt < at) breakAt = placeOf(lineBreak, text, at)
      end = Math.min(delimiterAt, breakAt)
      record.push(text.slice(at, end))
    }
    at = end + 1
    if (text[end] === delimiter) continue
    found.records.push(record)
    record = []
  }
  return found
}

interface QuotedCell {
  cell: string
  /** Where the delimiter, the line break or the end of the text is. */
  end: number
  /** Of a malformed one. */
  raw?: string
}

/** A quote closes a cell when a delimiter, a line break or the end follows, spaces aside; a doubled one does not. */
function quotedCell(text: string, start: number, { delimiter, lineBreak }: Dialect): QuotedCell {
  let isMalformed = false
  let at = start + 1
  for (;;) {
    const quote = text.indexOf(QUOTE, at)
    if (quote === -1) return { cell: text.slice(start + 1), end: text.length, raw: text.slice(start) }
    if (text[quote + 1] === QUOTE) {
      at = quote + 2
      continue
    }
    let end = quote + 1
    while (isSpace(text.charCodeAt(end)) && text[end] !== delimiter && text[end] !== lineBreak) end += 1
    if (end >= text.length || text[end] === delimiter || text[end] === lineBreak) {
      const cell = text.slice(start + 1, quote).replaceAll('""', QUOTE)
      return isMalformed ? { cell, end, raw: text.slice(start, quote + 1) } : { cell, end }
    }
    isMalformed = true
    at = quote + 1
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function placeOf(sign: string, text: string, from: number): number {
  const place = text.indexOf(sign, from)
  return place === -1 ? text.length : place
}
