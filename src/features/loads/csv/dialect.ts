// Finds out how a CSV file is written from its first bytes: byte order mark, line break and delimiter.
// Pure; the header's own fields are read by rows.ts.

export type Delimiter = ',' | ';' | '\t'
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

export function bomLength(bytes: Uint8Array): number {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new CsvFault('The file is UTF-16. Save it as UTF-8.', 1)
  }
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** `undefined`: the header does not end within these bytes and more are to come. */
export function findHeader(bytes: Uint8Array, isWhole: boolean): HeaderPlace | undefined {
  const counts = new Map<number, number>(CANDIDATES.map(([byte]) => [byte, 0]))
  let start = bomLength(bytes)
  let line = 1
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
          dialect: { delimiter: mostFrequent(counts), lineBreak },
          start,
          end,
          line,
          nextLine: line + innerLines + 1,
        }
      }
      line++
      start = end
      at = end - 1
      fieldStart = true
    } else {
      const count = byte === undefined ? undefined : counts.get(byte)
      if (byte !== undefined && count !== undefined) counts.set(byte, count + 1)
      if (byte !== 0x20 && byte !== 0x09) blank = false
      fieldStart = count !== undefined
    }
  }
  if (!isWhole) return undefined
  if (blank) throw new CsvFault('The file is empty.', 1)
  if (quoted) throw new CsvFault('A quote in the header is never closed.', line)
  const dialect: Dialect = { delimiter: mostFrequent(counts), lineBreak: '\n' }
  return { dialect, start, end: bytes.length, line, nextLine: line + innerLines + 1 }
}

function mostFrequent(counts: Map<number, number>): Delimiter {
  let best: Delimiter = ','
  let most = 0
  for (const [byte, delimiter] of CANDIDATES) {
    const count = counts.get(byte) ?? 0
    if (count > most) {
      most = count
      best = delimiter
    }
  }
  return best
}
