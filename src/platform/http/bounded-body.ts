// Reads a body as text, and no more of it than it may hold.

export interface BoundedText {
  text: string
  /** There was more, which was not read. */
  isCut: boolean
}

export async function boundedText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<BoundedText> {
  const reader = body?.getReader()
  if (!reader) return { text: '', isCut: false }
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return { text, isCut: true }
    }
    text += decoder.decode(value, { stream: true })
  }
}
