// The process that runs the tests, as the command sees it: asked one thing at a time, started anew where it does not answer.
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Reply, Request } from './protocol.ts'

const START_MS = 300_000

export class Child {
  #process: ChildProcess | undefined

  /** Undefined: it did not answer in time, or died. */
  async ask(request: Request, timeoutMs: number): Promise<Reply | undefined> {
    if (!this.#process) {
      this.#process = fork(path.join(import.meta.dirname, 'runner.ts'), {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        detached: true,
      })
      this.#process.stderr?.on('data', (text: Buffer) => {
        if (process.env.MUTATE_DEBUG) process.stderr.write(text)
      })
      if (!(await this.#answer(START_MS))) throw new Error('The process that runs the tests did not start.')
    }
    this.#process?.send(request)
    const reply = await this.#answer(timeoutMs)
    if (!reply) this.kill()
    return reply
  }

  #answer(timeoutMs: number): Promise<Reply | undefined> {
    return new Promise(resolve => {
      const child = this.#process
      const done = (reply: Reply | undefined) => {
        clearTimeout(timer)
        child?.off('message', done).off('exit', gone)
        resolve(reply)
      }
      const gone = () => done(undefined)
      const timer = setTimeout(gone, timeoutMs)
      child?.once('message', done).once('exit', gone)
    })
  }

  /** With the runtime that it has started. */
  kill(): void {
    const pid = this.#process?.pid
    this.#process = undefined
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
