// The parts of a workbook as they are, for what the library does not tell of them, and held against their sizes and check sums,
// which the library does not look at.
import { crc32 } from './crc32.ts'

interface Entry {
  isPacked: boolean
  /** As it stands in the file. */
  size: number
  unpacked: number
  sum: number
  offset: number
}

/** What is read is not what was written. */
export class BrokenPart extends Error {}

const END = 0x06054b50
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const LARGE_FIELDS = 0x0001
/** Of a part that is read as a whole: relations, styles, the list of the sheets. */
const TEXT_MAX_BYTES = 64 * 1024 * 1024
/** Stands where a number of 64 bits follows elsewhere. */
const ELSEWHERE = 0xffffffff

export class ZipParts {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #entries = new Map<string, Entry>()

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#readDirectory()
  }

  /** What it takes when it is unpacked. */
  sizeOf(name: string): number {
    return this.#entries.get(name)?.unpacked ?? 0
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Fails at its end where something is wrong with it. */
  stream(name: string): ReadableStream<Uint8Array> | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const { offset, size, isPacked } = entry
    const start = offset + LOCAL_BYTES + this.#short(offset + 26) + this.#short(offset + 28)
    const content = new Blob([new Uint8Array(this.#bytes.subarray(start, start + size))]).stream()
    return (isPacked ? content.pipeThrough(new DecompressionStream('deflate-raw')) : content).pipeThrough(
      check(name, entry),
    )
  }

  async text(name: string): Promise<string> {
    if (this.sizeOf(name) > TEXT_MAX_BYTES) throw new BrokenPart(`${name} is too large`)
    const stream = this.stream(name)
    return stream === undefined ? '' : new Response(stream).text()
  }

  #short(at: number): number {
    return this.#view.getUint16(at, true)
  }

  #long(at: number): number {
    return this.#view.getUint32(at, true)
  }

  #readDirectory(): void {
    let end = this.#bytes.length - END_BYTES
    while (end >= 0 && this.#long(end) !== END) end--
    if (end < 0) throw new BrokenPart('its end is missing')
    let at = this.#long(end + 16)
    if (at === ELSEWHERE) at = Number(this.#view.getBigUint64(this.#largeEnd(end) + 48, true))
    for (; this.#long(at) === ENTRY; at = this.#readEntry(at)) {}
  }

  /** The record of 64 bits, by the pointer that stands before the other one. */
  #largeEnd(end: number): number {
    return Number(this.#view.getBigUint64(end - 20 + 8, true))
  }

  #readEntry(at: number): number {
    const nameBytes = this.#short(at + 28)
    const extraBytes = this.#short(at + 30)
    const name = new TextDecoder().decode(this.#bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes))
    const extra = at + ENTRY_BYTES + nameBytes
    const [unpacked = 0, size = 0, offset = 0] = this.#sizes(at, extra, extra + extraBytes)
    this.#entries.set(name, { isPacked: this.#short(at + 10) !== 0, size, unpacked, sum: this.#long(at + 16), offset })
    return extra + extraBytes + this.#short(at + 32)
  }

  /** Size, packed size and place; those that are too large for their fields stand behind the name, in this order. */
  #sizes(at: number, extra: number, end: number): number[] {
    let field = extra
    while (field + 4 <= end && this.#short(field) !== LARGE_FIELDS) field += 4 + this.#short(field + 2)
    let next = field + 4
    return [at + 24, at + 20, at + 42].map(place => {
      const value = this.#long(place)
      if (value !== ELSEWHERE) return value
      next += 8
      return Number(this.#view.getBigUint64(next - 8, true))
    })
  }
}

/** Lets pass what is as long as it was, and the same. */
function check(name: string, { unpacked, sum }: Entry): TransformStream<Uint8Array, Uint8Array> {
  let [length, found] = [0, 0]
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length
      found = crc32(bytes, found)
      if (length > unpacked) throw new BrokenPart(`${name} is longer than it says`)
      controller.enqueue(bytes)
    },
    flush() {
      if (length !== unpacked || found !== sum) throw new BrokenPart(`${name} is not what it was`)
    },
  })
}
