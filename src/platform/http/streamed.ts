// Answers that are made while they are sent.

const encoder = new TextEncoder()

/** The texts as a body: the next one is made when there is room for it. */
export function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}

/** The last of JSON lines that could not go on. */
export const BROKEN_LINE = '{"problem":"It broke off here: what follows is missing."}\n'

/** Where the texts fail, `last` comes before the failure: on its way a body that fails may end like one that is whole. */
export async function* withLast(texts: AsyncGenerator<string>, last: string): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    yield last
    throw error
  }
}
