// The file that a backup becomes, written by the command line and by the Worker alike: a first line, a header as one line of JSON, then
// frames. Each frame ends with a digest of everything before it: what was altered, reordered or cut is seen. With a key every
// frame is sealed (AES-256-GCM), bound to its place.

export const MAGIC = 'SELVEDGE ARCHIVE 1\n'

export interface Encryption {
  cipher: 'AES-256-GCM'
  kdf: 'scrypt'
  cost: number
  blockSize: number
  parallelization: number
  salt: string
  /** Tells a wrong passphrase from a damaged file. */
  check: string
}

export interface Header {
  slug: string
  createdOn: string
  /** Base address of the API that it was taken from. */
  source: string | null
  encryption: Encryption | null
}

/** Lines of one page, packed; a piece of a file's content; the end. */
export type FrameKind = 'rows' | 'content' | 'end'
const KINDS: readonly FrameKind[] = ['rows', 'content', 'end']

export interface Frame {
  kind: FrameKind
  body: Uint8Array<ArrayBuffer>
}

export interface ReadFrame extends Frame {
  /** Of the file, behind the frame. */
  offset: number
  chain: Bytes
}

type Bytes = Uint8Array<ArrayBuffer>
/** As every runtime knows it. */
export type ArchiveKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const CHAIN_BYTES = 32
const HEAD_BYTES = 5
const NONCE_BYTES = 12
const HEADER_MAX_BYTES = 4096
/** No frame is longer: a length that was altered must not fill the memory. */
const BODY_MAX_BYTES = 32 * 1024 * 1024

export class ArchiveError extends Error {
  readonly reason: 'no_archive' | 'cut' | 'altered' | 'passphrase'

  constructor(reason: ArchiveError['reason'], message: string) {
    super(message)
    this.name = 'ArchiveError'
    this.reason = reason
  }
}

const encoder = new TextEncoder()

function joined(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const digest = async (...parts: Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)))

function headOf(kind: FrameKind, length: number): Bytes {
  const head = new Uint8Array(HEAD_BYTES)
  head[0] = KINDS.indexOf(kind) + 1
  new DataView(head.buffer).setUint32(1, length)
  return head
}

/** What a frame is bound to: the digest of everything before it, and its kind. */
const bound = (chain: Uint8Array, kind: FrameKind) => joined(chain, Uint8Array.of(KINDS.indexOf(kind) + 1))

export class FrameWriter {
  #chain: Bytes
  readonly #key: ArchiveKey | undefined

  /** `chain`: of what has been written already. */
  constructor(chain: Bytes, key?: ArchiveKey | undefined) {
    this.#chain = chain
    this.#key = key
  }

  get chain(): Bytes {
    return this.#chain
  }

  async frame({ kind, body }: Frame): Promise<Bytes> {
    const stored = this.#key ? await this.#sealed(this.#key, kind, body) : body
    const head = headOf(kind, stored.length)
    this.#chain = await digest(this.#chain, head, stored)
    return joined(head, stored, this.#chain)
  }

  async #sealed(key: ArchiveKey, kind: FrameKind, body: Bytes): Promise<Bytes> {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const way = { name: 'AES-GCM', iv, additionalData: bound(this.#chain, kind) }
    return joined(iv, new Uint8Array(await crypto.subtle.encrypt(way, key, body)))
  }
}

/** The beginning of a file, and the digest that its first frame goes on from. */
export async function beginning(header: Header): Promise<{ bytes: Bytes; chain: Bytes }> {
  const bytes = new Uint8Array(encoder.encode(`${MAGIC}${JSON.stringify(header)}\n`))
  return { bytes, chain: await digest(bytes) }
}

/** Takes exact numbers of bytes out of pieces of any length. */
class Source {
  readonly #pieces: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array()
  offset = 0

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (!done) this.#held = this.#held.length ? joined(this.#held, value) : value
    return !done
  }

  async take(length: number): Promise<Bytes | undefined> {
    const parts: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      if (this.#held.length === 0 && !(await this.#more())) return undefined
      const part = this.#held.subarray(0, missing)
      parts.push(part)
      this.#held = this.#held.subarray(part.length)
      missing -= part.length
    }
    this.offset += length
    return joined(...parts)
  }

  async line(): Promise<Bytes | undefined> {
    for (;;) {
      const end = this.#held.indexOf(10)
      if (end >= 0) return this.take(end + 1)
      if (this.#held.length > HEADER_MAX_BYTES || !(await this.#more())) return undefined
    }
  }

  async isEmpty(): Promise<boolean> {
    return this.#held.length === 0 && !(await this.#more())
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}

const cut = () => new ArchiveError('cut', 'The archive is cut off.')
const altered = () => new ArchiveError('altered', 'The archive is damaged, or was altered.')

/** Every frame of a file, checked before it is given; a file that does not end with its end throws. */
export async function* readFrames(
  pieces: AsyncIterable<Uint8Array>,
  keyFor: (header: Header) => Promise<ArchiveKey | undefined>,
): AsyncGenerator<ReadFrame, void> {
  const source = new Source(pieces)
  try {
    const { header, first } = await headerIn(source)
    const key = await keyFor(header)
    let chain = await digest(first)
    for (;;) {
      const frame: ReadFrame = await frameIn(source, chain, key)
      chain = frame.chain
      yield frame
      if (frame.kind === 'end') break
    }
    if (!(await source.isEmpty())) throw altered()
  } finally {
    await source.close()
  }
}

async function headerIn(source: Source): Promise<{ header: Header; first: Bytes }> {
  const magic = await source.line()
  if (!magic || new TextDecoder().decode(magic) !== MAGIC) throw new ArchiveError('no_archive', 'This is no archive.')
  const line = await source.line()
  if (!line) throw cut()
  try {
    return { header: JSON.parse(new TextDecoder().decode(line)) as Header, first: joined(magic, line) }
  } catch {
    throw altered()
  }
}

async function frameIn(source: Source, chain: Bytes, key: ArchiveKey | undefined): Promise<ReadFrame> {
  const head = await source.take(HEAD_BYTES)
  if (!head) throw cut()
  const kind = KINDS[(head[0] ?? 0) - 1]
  const length = new DataView(head.buffer).getUint32(1)
  if (!kind || length > BODY_MAX_BYTES) throw altered()
  const stored = await source.take(length)
  const told = stored && (await source.take(CHAIN_BYTES))
  if (!stored || !told) throw cut()
  const next = await digest(chain, head, stored)
  if (next.some((byte, at) => byte !== told[at])) throw altered()
  const body = key ? await opened(key, chain, kind, stored) : stored
  return { kind, body, offset: source.offset, chain: next }
}

async function opened(key: ArchiveKey, chain: Bytes, kind: FrameKind, stored: Bytes): Promise<Bytes> {
  const iv = stored.slice(0, NONCE_BYTES)
  try {
    const way = { name: 'AES-GCM', iv, additionalData: bound(chain, kind) }
    return new Uint8Array(await crypto.subtle.decrypt(way, key, stored.slice(NONCE_BYTES)))
  } catch {
    throw altered()
  }
}
