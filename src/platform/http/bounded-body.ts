// The one reader of bodies, of requests and of answers from outside: it never holds more of one than it may.
import { Fault, invalid } from '../errors.ts'
import { BODY_REST_MAX_BYTES } from '../limits.ts'

export interface Bounded {
  bytes: Uint8Array<ArrayBuffer>
  /** There was more, which was not read. */
  isCut: boolean
}

export async function readBounded(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Bounded> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    // Leaving the loop cancels the stream.
    if (length + chunk.length > maxBytes) {
      chunks.push(chunk.subarray(0, maxBytes - length))
      return { bytes: joined(chunks, maxBytes), isCut: true }
    }
    chunks.push(chunk)
    length += chunk.length
  }
  return { bytes: joined(chunks, length), isCut: false }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Of an answer from outside, as far as it may be read; what is no UTF-8 is replaced. */
export async function boundedText(body: ReadableStream<Uint8Array> | null, maxBytes: number) {
  const { bytes, isCut } = await readBounded(body, maxBytes)
  return { text: new TextDecoder().decode(bytes), isCut }
}

/** A request's body as it comes. One that breaks off is the caller's fault, not the store's (N69). */
export async function* requestChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) return
      yield value
    }
  } finally {
    await readRest(reader).catch(() => undefined)
  }
}

/** A caller that is refused while it still sends gets the answer once it has sent; a connection that is cut carries none. */
async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let bytes = 0; bytes < BODY_REST_MAX_BYTES; ) {
    const { done, value } = await reader.read()
    if (done) return
    bytes += value.length
  }
  await reader.cancel()
}

/** A request's whole body: 413 over the bound. A length that was announced is the length that comes. */
export async function requestBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body, headers } = request
  if (!body) return new Uint8Array()
  const announced = headers.has('transfer-encoding') ? null : headers.get('content-length')
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  if (announced !== null) return new Uint8Array(await request.arrayBuffer().catch(brokenOff))
  const { bytes, isCut } = await readBounded(requestChunks(body), maxBytes)
  if (isCut) throw tooLarge(maxBytes)
  return bytes
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('too_large', `The body may hold at most ${maxBytes} bytes.`)
}

function brokenOff(): never {
  throw invalid([{ path: '', message: 'The body broke off, or cannot be read.' }])
}
