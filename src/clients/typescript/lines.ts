// Lines of text that comes in pieces, of which one is held at a time. Only a line feed ends a line: JSON may hold U+2028 and U+2029
// as they are.

export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let open = ''
  for await (const piece of pieces) {
    const [rest = '', ...next] = decoder.decode(piece, { stream: true }).split('\n')
    open += rest
    for (const line of next) {
      yield withoutReturn(open)
      open = line
    }
  }
  open += decoder.decode()
  if (open !== '') yield withoutReturn(open)
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
