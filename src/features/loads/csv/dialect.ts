// Finds out how a CSV file is written from its first bytes: byte order mark, line break and delimiter.
// Pure; the header's own fields are read by rows.ts.
import type { Delimiter } from '../../../platform/formats/csv-cell.ts'

export type LineBreak = '\n' | '\r'

export interface Dialect {
  delimiter: Delimiter
  lineBreak: LineBreak
}

export interface HeaderPlace {
  dialect: Dialect
  /** First byte of the header record, after the byte order mark and empty lines. */
  start: number
  /** First byte after the header record. */
  end: number
  /** The header's line in the file. */
  line: number
  /** The line of the record that follows. */
  nextLine: number
}

/** What a load remembers of the header. */
export interface HeaderState extends Omit<HeaderPlace, 'start'> {
  names: string[]
}

/** A file that cannot be read any further; `line` is where. */
export class CsvFault extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.name = 'CsvFault'
    this.line = line
  }
}

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d
const CANDIDATES: readonly (readonly [number, Delimiter])[] = [
  [0x2c, ','],
  [0x3b, ';'],
  [0x09, '\t'],
]

/** How files begin that people take for CSV; a ZIP file is a workbook where its first entries are a workbook's. */
const OTHERS: readonly (readonly [beginning: RegExp, what: string, advice?: string])[] = [
  [/^PK(?!\s)\p{Cc}.{27}mimetypea/su, 'an OpenDocument file'],
  [/^PK(?!\s)\p{Cc}(?=.{27})(?!.*(?:\[Con|xl\/|_rels\/|docProps\/))/su, 'a ZIP file', 'Unpack it first.'],
  [
    /^PK(?!\s)\p{Cc}/u,
    'an Excel workbook',
    'Save the sheet as "CSV UTF-8", or give the workbook to the command line, which converts it, or to the console.',
  ],
  [/^\xd0\xcf\p{Cc}\xe0/u, 'a workbook of an old Excel'],
  [/^%PDF/, 'a PDF'],
  [/^\p{Cc}\x8b/u, 'a compressed file (gzip)', 'Unpack it first.'],
  [/^\s*<(?:!doctype|html)/i, 'HTML'],
  [/^\s*[[{]\s*["[{\]}]/, 'JSON'],
]

const START_BYTES = 2000

/** The names of its parts may stand behind others, each after the 26 bytes that tell of it. */
const BINARY_WORKBOOK = /PK\p{Cc}{2}.{26}xl\/(?:_rels\/)?workbook\.bin/su
const FIRST_PARTS_BYTES = 64 * 1024

function refuseOthers(bytes: Uint8Array, from: number): void {
  const start = textOf(bytes, from, START_BYTES)
  if (isBinaryWorkbook(start, bytes)) {
    throw new CsvFault('This is a binary Excel workbook (.xlsb), not a CSV file. Save it as .xlsx first.', 1)
  }
  for (const [beginning, what, advice = 'Save the table in it as "CSV UTF-8".'] of OTHERS) {
    if (beginning.test(start)) throw new CsvFault(`This is ${what}, not a CSV file. ${advice}`, 1)
  }
}

const isBinaryWorkbook = (start: string, bytes: Uint8Array) =>
  start.startsWith('PK') && BINARY_WORKBOOK.test(new TextDecoder('latin1').decode(bytes.subarray(0, FIRST_PARTS_BYTES)))

/** Each byte as a sign. */
const textOf = (bytes: Uint8Array, from: number, count: number) =>
  String.fromCharCode(...bytes.subarray(from, from + count))

const SEP = /^"?sep=(.?)"?(\r\n|\n|\r)/i

/** Excel writes `sep=;` as a line of its own before the header. */
function namedDelimiter(bytes: Uint8Array, start: number): { delimiter: Delimiter; length: number } | undefined {
  const found = SEP.exec(textOf(bytes, start, 10))
  if (!found) return undefined
  const delimiter = CANDIDATES.map(([, one]) => one).find(one => one === found[1])
  if (delimiter) return { delimiter, length: found[0].length }
  const named = JSON.stringify(found[1])
  throw new CsvFault(`The first line names ${named} as the delimiter. It must be a comma, a semicolon or a tab.`, 1)
}

export function bomLength(bytes: Uint8Array): number {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes
  // Without a mark every other byte of Latin letters is nought.
  if (/^(?:ÿþ|þÿ)/.test(textOf(bytes, 0, 2)) || first + third === 0 || second + fourth === 0) {
    throw new CsvFault('The file is UTF-16 ("Unicode Text" in Excel). Save it as "CSV UTF-8".', 1)
  }
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** `undefined`: the header does not end within these bytes and more are to come. */
export function findHeader(bytes: Uint8Array, isWhole: boolean): HeaderPlace | undefined {
  const counts = new Map<number, number>(CANDIDATES.map(([byte]) => [byte, 0]))
  const bom = bomLength(bytes)
  refuseOthers(bytes, bom)
  const named = namedDelimiter(bytes, bom)
  let start = bom + (named?.length ?? 0)
  let line = named ? 2 : 1
  let innerLines = 0
  let quoted = false
  let fieldStart = true
  let blank = true
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (quoted) {
      if (byte === QUOTE) {
        if (bytes[at + 1] === QUOTE) at++
        else quoted = false
      } else if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) innerLines++
    } else if (byte === QUOTE && fieldStart) {
      quoted = true
      blank = false
      fieldStart = false
    } else if (byte === LF || byte === CR) {
      if (byte === CR && at + 1 === bytes.length && !isWhole) return undefined
      const end = byte === CR && bytes[at + 1] === LF ? at + 2 : at + 1
      if (!blank) {
        const lineBreak = byte === CR && end === at + 1 ? '\r' : '\n'
        return {
          dialect: { delimiter: delimiterOf(counts, named?.delimiter, line), lineBreak },
          start,
          end,
          line,
          nextLine: line + innerLines + 1,
        }
      }
      for (const candidate of counts.keys()) counts.set(candidate, 0)
      line++
      start = end
      at = end - 1
      fieldStart = true
    } else {
      const count = byte === undefined ? undefined : counts.get(byte)
      if (byte !== undefined && count !== undefined) counts.set(byte, count + 1)
      if (byte !== 0x20 && count === undefined) blank = false
      fieldStart = count !== undefined
    }
  }
  if (!isWhole) return undefined
  if (blank) throw new CsvFault('The file is empty.', 1)
  if (quoted) throw new CsvFault('A quote in the header is never closed. A quote inside a name is written twice.', line)
  const dialect: Dialect = { delimiter: delimiterOf(counts, named?.delimiter, line), lineBreak: '\n' }
  return { dialect, start, end: bytes.length, line, nextLine: line + innerLines + 1 }
}

function delimiterOf(counts: Map<number, number>, named: Delimiter | undefined, line: number): Delimiter {
  let best: Delimiter | undefined
  let most = 0
  for (const [byte, delimiter] of CANDIDATES) {
    const count = counts.get(byte) ?? 0
    if (count > 0 && delimiter === named) return named
    if (count > most) {
      most = count
      best = delimiter
    }
  }
  if (named && best) {
    throw new CsvFault(
      `The first line names "${named}", but the header has "${best}". Name that, or remove the line.`,
      line,
    )
  }
  return named ?? best ?? ','
}
