// Asks an isolate of workerd through its inspector.

interface Answer {
  id?: number
  result?: { usedSize?: number }
}

/** What the isolate of a Worker holds once its garbage is collected. */
export async function heapBytes(inspector: URL, worker: string): Promise<number> {
  const list = (await (await fetch(new URL('/json', `http://${inspector.host}`))).json()) as {
    webSocketDebuggerUrl: string
    title: string
  }[]
  const found = list.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.includes(worker))
  if (!found) throw new Error(`no isolate of ${worker} among ${list.map(({ title }) => title).join(', ')}`)
  const socket = new WebSocket(found.webSocketDebuggerUrl)
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
    })
    // workerd does not answer to HeapProfiler.collectGarbage; a snapshot collects first as well.
    await ask(socket, 1, 'HeapProfiler.takeHeapSnapshot')
    return (await ask(socket, 2, 'Runtime.getHeapUsage')).usedSize ?? Number.NaN
  } finally {
    socket.close()
  }
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
