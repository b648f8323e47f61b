// The system outside: it takes deliveries and calls of tasks, fails some, lets some wait, and calls back early, twice, or with
// answers that contradict each other. What it does with a call follows from the call's id and from how often it has come.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pause } from '../kill/service.ts'
import type { Json, World } from './world.ts'

const STALL_MS = 11_000

interface Call extends Json {
  type?: string
  data?: { newData: { id: string } | null }
  taskId?: string
  callbackUrl?: string
  callbackToken?: string
}

export interface Heard {
  by: string
  status: number
}

export class Partner {
  /** Deliveries that were answered well: webhook-id to the entity they tell of. */
  readonly delivered = new Map<string, string>()
  /** What was answered to the callbacks of each task. */
  readonly callbacks = new Map<string, Heard[]>()
  readonly #tries = new Map<string, number>()
  readonly #world: World
  readonly #server = createServer((request, response) => void this.#take(request, response))
  #pending = 0

  constructor(world: World) {
    this.#world = world
  }

  listen(port: number): Promise<void> {
    return new Promise(resolve => this.#server.listen(port, '127.0.0.1', resolve))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Callbacks that have not been heard yet. */
  get pending(): number {
    return this.#pending
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    try {
      let text = ''
      for await (const chunk of request) text += chunk
      const id = String(request.headers['webhook-id'])
      const tries = (this.#tries.get(id) ?? 0) + 1
      this.#tries.set(id, tries)
      const random = this.#world.random(`partner ${id}`)
      const mood = random.next()
      if (tries === 1 && mood < 0.25) return void response.writeHead(mood < 0.15 ? 500 : 404).end()
      if (tries === 1 && mood < 0.27) await pause(STALL_MS)
      const call = JSON.parse(text) as Call
      if (call.callbackUrl) await this.#callBack(call, random.next(), response)
      else {
        this.delivered.set(id, call.data?.newData?.id ?? '')
        response.end('ok')
      }
    } catch {
      // The caller was killed.
      response.destroy()
    }
  }

  async #callBack(call: Call, mood: number, response: ServerResponse): Promise<void> {
    const taskId = String(call.taskId)
    const outcome = mood < 0.2 ? 'FAILURE' : 'SUCCESS'
    if (mood < 0.4) {
      // Before the task waits for it.
      await this.#heard(call, `${taskId} early`, outcome)
      return void response.end('ok')
    }
    response.end('ok')
    if (mood < 0.6) {
      // The second one as soon as the first is out, with the same body.
      await Promise.all([this.#heard(call, `${taskId} a`, outcome), this.#heard(call, `${taskId} a`, outcome)])
    } else if (mood < 0.8) {
      await Promise.all(['a', 'b', 'c'].map(by => this.#heard(call, `${taskId} ${by}`, outcome)))
    } else await this.#heard(call, `${taskId} a`, outcome)
  }

  /** As a careful system does it: until it is heard. */
  async #heard({ taskId = '', callbackUrl = '', callbackToken = '' }: Call, by: string, status: string): Promise<void> {
    const body = JSON.stringify({ taskId, status, logs: `done by ${by}`, output: { by } })
    this.#pending++
    try {
      for (let tries = 0; tries < 600; tries++) {
        const answer = await this.#post(callbackUrl, callbackToken, body)
        if (answer !== undefined && answer < 500) {
          const heard = this.callbacks.get(taskId) ?? []
          this.callbacks.set(taskId, [...heard, { by, status: answer }])
          this.#world.count('callbacks')
          return
        }
        await pause(100)
      }
    } finally {
      this.#pending--
    }
  }

  async #post(url: string, token: string, body: string): Promise<number | undefined> {
    await this.#world.whenUp()
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
      const text = await answer.text()
      if (answer.status >= 500 && answer.status !== 503)
        this.#world.violation(`a callback answers ${answer.status} ${text}`)
      return answer.status
    } catch {
      return undefined
    }
  }
}
