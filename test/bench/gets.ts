// Somebody gets an entity every few milliseconds, as a person's console would, and takes the time of each. In a thread of its own: what
// the callers of this process do meanwhile is not to be seen in it.
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { latency, Target } from './client.ts'

interface Getter {
  url: string
  headers: Record<string, string>
  path: string
}

const PAUSE_MS = 5

/** Until it is ended. */
export class Gets {
  readonly #thread: Worker

  constructor(getter: Getter) {
    this.#thread = new Worker(fileURLToPath(import.meta.url), { workerData: getter })
  }

  /** Of those since it was asked last; the one under way counts as far as it is. */
  times(): Promise<number[]> {
    this.#thread.postMessage('tell')
    return new Promise((resolve, reject) => this.#thread.once('message', resolve).once('error', reject))
  }

  async end(): Promise<void> {
    await this.#thread.terminate()
  }
}

async function getAgainAndAgain({ url, headers, path }: Getter): Promise<never> {
  const target = new Target(url, headers)
  let times: number[] = []
  let begunOn: number | undefined
  parentPort?.on('message', () => {
    parentPort?.postMessage(begunOn === undefined ? times : [...times, performance.now() - begunOn])
    times = []
  })
  for (;;) {
    begunOn = performance.now()
    times.push(await latency(target, { method: 'GET', path }))
    begunOn = undefined
    await setTimeout(PAUSE_MS)
  }
}

if (!isMainThread) await getAgainAndAgain(workerData as Getter)
