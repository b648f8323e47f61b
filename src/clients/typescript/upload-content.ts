// What can be uploaded, cut into pieces that can each be sent again. Memory is bounded by the pieces in flight.

import { unlessAborted } from './wait.ts'

/** A stream is read once, a piece at a time; everything else is held already. */
export type Content = string | Blob | ArrayBuffer | Uint8Array | Stream
type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** The size of a part that the service takes (N26). */
export const PART_BYTES = 8 * 1024 * 1024
/** Content of known size goes in one request up to here. */
const WHOLE_UP_TO_BYTES = 4 * PART_BYTES

export interface Piece {
  partNumber: number
  bytes: Blob | Uint8Array
  size: number
}

export function sizeOf(content: Content): number | undefined {
  if (typeof content === 'string') return new TextEncoder().encode(content).length
  if (content instanceof Blob) return content.size
  if (content instanceof ArrayBuffer || content instanceof Uint8Array) return content.byteLength
  return undefined
}

/** A stream that stands still is left as soon as the signal is aborted. */
export async function* piecesOf(
  content: Content,
  size: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const held = heldBytes(content)
  if (held === undefined) {
    yield* piecesOfStream(content as Stream, signal)
    return
  }
  const total = size ?? 0
  const step = total <= WHOLE_UP_TO_BYTES ? Math.max(total, 1) : PART_BYTES
  for (let from = 0, partNumber = 1; from < total; from += step, partNumber++) {
    const bytes = held instanceof Blob ? held.slice(from, from + step) : held.subarray(from, from + step)
    yield { partNumber, bytes, size: Math.min(step, total - from) }
  }
}

function heldBytes(content: Content): Blob | Uint8Array | undefined {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  if (content instanceof Blob || content instanceof Uint8Array) return content
  return content instanceof ArrayBuffer ? new Uint8Array(content) : undefined
}

async function* piecesOfStream(stream: Stream, signal: AbortSignal): AsyncGenerator<Piece> {
  let partNumber = 1
  let buffer = new Uint8Array(PART_BYTES)
  let filled = 0
  for await (const chunk of chunksOf(stream, signal)) {
    let rest = chunk
    while (rest.length > 0) {
      const taken = rest.subarray(0, PART_BYTES - filled)
      buffer.set(taken, filled)
      filled += taken.length
      rest = rest.subarray(taken.length)
      if (filled < PART_BYTES) continue
      yield { partNumber, bytes: buffer, size: filled }
      partNumber += 1
      buffer = new Uint8Array(PART_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield { partNumber, bytes: buffer.subarray(0, filled), size: filled }
}

export async function* chunksOf(stream: Stream, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { next, letGo } = sourceOf(stream)
  let isReading = false
  try {
    for (;;) {
      isReading = true
      const { done, value } = await unlessAborted(next(), signal)
      isReading = false
      if (done) return
      yield value
    }
  } finally {
    const gone = letGo()
    // One that stands still is not waited for, and one that has failed has said so.
    if (isReading) gone.catch(() => undefined)
    else await gone
  }
}

/** Not every browser can iterate a ReadableStream. */
function sourceOf(stream: Stream): { next(): Promise<IteratorResult<Uint8Array>>; letGo(): Promise<unknown> } {
  if (!('getReader' in stream)) {
    const chunks = stream[Symbol.asyncIterator]()
    return { next: async () => chunks.next(), letGo: async () => chunks.return?.() }
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  return { next: () => reader.read() as Promise<IteratorResult<Uint8Array>>, letGo: () => reader.cancel() }
}
