// Asks the isolates of a workerd through its inspector.

interface Answer {
  id?: number
  result?: { usedSize?: number }
}

/** Now and then an isolate that has nothing to do does not answer to the first question. */
const PATIENCE_MS = 20_000
const ATTEMPTS = 5

/** What each isolate holds once its garbage is collected, by its name: those of the Workers, and those of the databases, buckets and queues. */
export async function heapsOf(inspector: URL): Promise<Map<string, number>> {
  const list = (await (await fetch(new URL('/json', `http://${inspector.host}`))).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const heaps = new Map<string, number>()
  for (const { webSocketDebuggerUrl } of list) {
    heaps.set(new URL(webSocketDebuggerUrl).pathname.slice(1), await heapBytes(webSocketDebuggerUrl))
  }
  return heaps
}

async function heapBytes(address: string): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const socket = new WebSocket(address)
    const silence = new Promise<undefined>(resolve => setTimeout(resolve, PATIENCE_MS, undefined))
    try {
      const bytes = await Promise.race([silence, collected(socket)])
      if (bytes !== undefined) return bytes
    } finally {
      socket.close()
    }
  }
  throw new Error(`the inspector does not answer for ${address}`)
}

async function collected(socket: WebSocket): Promise<number> {
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  // workerd does not answer to HeapProfiler.collectGarbage; a snapshot collects first as well.
  await ask(socket, 1, 'HeapProfiler.takeHeapSnapshot')
  return (await ask(socket, 2, 'Runtime.getHeapUsage')).usedSize ?? Number.NaN
}

function ask(socket: WebSocket, id: number, method: string): Promise<NonNullable<Answer['result']>> {
  return new Promise(resolve => {
    const listen = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as Answer
      if (answer.id !== id) return
      socket.removeEventListener('message', listen)
      resolve(answer.result ?? {})
    }
    socket.addEventListener('message', listen)
    socket.send(JSON.stringify({ id, method }))
  })
}
