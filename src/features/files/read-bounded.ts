// A body in memory, up to a bound.
import { Fault } from '../../platform/errors.ts'

export async function readBounded(content: ReadableStream | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content ?? []) {
    chunks.push(chunk as Uint8Array)
    length += (chunk as Uint8Array).length
    if (length > maxBytes) throw new Fault('too_large', `The body may hold at most ${maxBytes} bytes.`)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
