// Cuts a stream of bytes into ranges that end where a record ends, without decoding them. It opens and closes quotes
// exactly where the parser does, holds at most one range and one record, and counts lines as an editor would.
import { CsvFault, type Dialect } from './dialect.ts'

export interface RecordRange {
  bytes: Uint8Array
  /** Place of the first byte in the file. */
  start: number
  /** Where each record ends within `bytes`, its line break included. */
  ends: number[]
  /** The line on which each record begins. */
  lines: number[]
  /** The line of what follows. */
  nextLine: number
}

export interface SplitterOptions {
  dialect: Dialect
  /** Place in the file of the first byte that is pushed, and its line. */
  start: number
  line: number
  targetBytes: number
  maxRecords: number
  maxRecordBytes: number
}

const QUOTE = 0x22
/** A cut moves what is left in the buffer to its front: small pushes keep that cheap. */
const PUSH_BYTES = 64 * 1024

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)
}

export class Splitter {
  readonly #options: SplitterOptions
  readonly #delimiter: number
  readonly #lineBreak: number
  #buffer: Uint8Array
  #length = 0
  /** All below are places in the buffer. */
  #scan = 0
  #recordStart = 0
  #quoted = false
  #hasQuotes = false
  #ends: number[] = []
  #lines: number[] = []
  #start: number
  #line: number

  constructor(options: SplitterOptions) {
    this.#options = options
    this.#delimiter = options.dialect.delimiter.charCodeAt(0)
    this.#lineBreak = options.dialect.lineBreak.charCodeAt(0)
    this.#buffer = new Uint8Array(options.targetBytes + 64 * 1024)
    this.#start = options.start
    this.#line = options.line
  }

  /** Where the next range begins: what a checkpoint stores. */
  get position(): { start: number; line: number } {
    return { start: this.#start, line: this.#lines[0] ?? this.#line }
  }

  *push(chunk: Uint8Array): Generator<RecordRange, void> {
    for (let at = 0; at < chunk.length; at += PUSH_BYTES) yield* this.#pushSome(chunk.subarray(at, at + PUSH_BYTES))
  }

  *#pushSome(chunk: Uint8Array): Generator<RecordRange, void> {
    this.#append(chunk)
    yield* this.#split(false)
    if (this.#length - this.#recordStart > this.#options.maxRecordBytes) {
      const limit = `${Math.floor(this.#options.maxRecordBytes / 1024)} KB`
      const cause = this.#quoted ? 'a quote that is opened here is not closed by then' : 'the row is too long'
      throw new CsvFault(`Row of more than ${limit}: ${cause}.`, this.#line)
    }
  }

  *finish(): Generator<RecordRange, void> {
    yield* this.#split(true)
    if (this.#recordStart < this.#length) this.#endRecord(this.#length, this.#buffer.subarray(0, this.#length))
    if (this.#ends.length > 0) yield this.#cut()
  }

  #append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#length)
    this.#length = needed
  }

  *#split(isLast: boolean): Generator<RecordRange, void> {
    while (this.#scanRecords(isLast)) yield this.#cut()
  }

  /** True as soon as a range is full; false when the bytes at hand are used up. */
  #scanRecords(isLast: boolean): boolean {
    const bytes = this.#buffer.subarray(0, this.#length)
    const { targetBytes, maxRecords } = this.#options
    let at = this.#scan
    let nextBreak = -2
    let nextQuote = -2
    for (;;) {
      if (this.#quoted) {
        const closed = this.#closingQuote(bytes, at, isLast)
        at = closed.at
        if (closed.waits) break
        this.#quoted = false
        continue
      }
      if (nextBreak !== -1 && nextBreak < at) nextBreak = bytes.indexOf(this.#lineBreak, at)
      if (nextQuote !== -1 && nextQuote < at) nextQuote = bytes.indexOf(QUOTE, at)
      if (nextQuote !== -1 && (nextBreak === -1 || nextQuote < nextBreak)) {
        this.#quoted = nextQuote === this.#recordStart || bytes[nextQuote - 1] === this.#delimiter
        this.#hasQuotes ||= this.#quoted
        at = nextQuote + 1
        continue
      }
      if (nextBreak === -1) {
        at = bytes.length
        break
      }
      at = nextBreak + 1
      this.#endRecord(at, bytes)
      if (at >= targetBytes || this.#ends.length >= maxRecords) {
        this.#scan = at
        return true
      }
    }
    this.#scan = at
    return false
  }

  /** A quote closes its field when a delimiter, a line break or the end follows, spaces aside; a doubled one does not. */
  #closingQuote(bytes: Uint8Array, from: number, isLast: boolean): { at: number; waits: boolean } {
    let at = from
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at)
      if (quote === -1) return { at: bytes.length, waits: true }
      if (quote + 1 < bytes.length && bytes[quote + 1] === QUOTE) {
        at = quote + 2
        continue
      }
      let after = quote + 1
      while (isSpace(bytes[after]) && bytes[after] !== this.#delimiter && bytes[after] !== this.#lineBreak) after++
      if (after >= bytes.length) return isLast ? { at: after, waits: false } : { at: quote, waits: true }
      if (bytes[after] === this.#delimiter || bytes[after] === this.#lineBreak) return { at: after, waits: false }
      at = quote + 1
    }
  }

  #endRecord(end: number, bytes: Uint8Array): void {
    this.#ends.push(end)
    this.#lines.push(this.#line)
    this.#line++
    if (this.#hasQuotes) {
      let inner = bytes.indexOf(this.#lineBreak, this.#recordStart)
      while (inner !== -1 && inner < end - 1) {
        this.#line++
        inner = bytes.indexOf(this.#lineBreak, inner + 1)
      }
      this.#hasQuotes = false
    }
    this.#recordStart = end
  }

  #cut(): RecordRange {
    const end = this.#recordStart
    const range = {
      bytes: this.#buffer.slice(0, end),
      start: this.#start,
      ends: this.#ends,
      lines: this.#lines,
      nextLine: this.#line,
    }
    this.#buffer.copyWithin(0, end, this.#length)
    this.#length -= end
    this.#scan = Math.max(0, this.#scan - end)
    this.#recordStart = 0
    this.#start += end
    this.#ends = []
    this.#lines = []
    return range
  }
}
