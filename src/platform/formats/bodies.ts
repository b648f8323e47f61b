// What stands in the frames of an archive: pages of lines, packed, and pieces of contents behind a line that says whose they are.

type Bytes = Uint8Array<ArrayBuffer>

/** As large as the parts of an upload: a restore sends each as one. */
export const PIECE_BYTES = 8 * 1024 * 1024
/** What a packed page may become: what was altered must not fill the memory. */
const PAGE_MAX_BYTES = 64 * 1024 * 1024

export interface Piece {
  fileId: string
  /** From 1 on. */
  piece: number
  isLast: boolean
  /** The file was deleted while the archive was made. */
  isGone?: true
}

async function through(
  bytes: Bytes,
  stream: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Bytes> {
  const writer = stream.writable.getWriter()
  const written = writer.write(bytes).then(() => writer.close())
  // What is wrong with it shows on the other side.
  written.catch(() => undefined)
  const parts: Uint8Array[] = []
  let length = 0
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > maxBytes) throw new RangeError('The page is too long.')
    parts.push(next.value)
  }
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export function packed(text: string): Promise<Bytes> {
  return through(
    new Uint8Array(new TextEncoder().encode(text)),
    new CompressionStream('gzip'),
    Number.POSITIVE_INFINITY,
  )
}

export async function unpacked(body: Bytes): Promise<string> {
  return new TextDecoder().decode(await through(body, new DecompressionStream('gzip'), PAGE_MAX_BYTES))
}

export function pieceBody(piece: Piece, bytes: Uint8Array): Bytes {
  const line = new TextEncoder().encode(`${JSON.stringify(piece)}\n`)
  const body = new Uint8Array(line.length + bytes.length)
  body.set(line)
  body.set(bytes, line.length)
  return body
}

export function pieceIn(body: Bytes): { piece: Piece; bytes: Bytes } {
  const end = body.indexOf(10)
  return { piece: JSON.parse(new TextDecoder().decode(body.subarray(0, end))) as Piece, bytes: body.slice(end + 1) }
}

const MARK = '{"table":"mark"'

export interface PageMark {
  part: number
  digest: string
  after: string | null
  /** Whose contents belong behind the page. */
  files?: { id: string; size: number }[]
}

/** The whole pages of an answer; what follows the last mark is not one. Lines end with a line feed and nothing else. */
export function pagesIn(text: string): { page: string; mark: PageMark }[] {
  const pages: { page: string; mark: PageMark }[] = []
  let begin = 0
  for (let at = 0; ; ) {
    const end = text.indexOf('\n', at)
    if (end < 0) return pages
    if (text.startsWith(MARK, at)) {
      pages.push({ page: text.slice(begin, end + 1), mark: JSON.parse(text.slice(at, end)) as PageMark })
      begin = end + 1
    }
    at = end + 1
  }
}
