// Where results go. Whoever reads them may go away (`selvedge … | head`), and a disk may be full: what cannot be written is
// dropped, and the command finishes what it does. Only what is nothing but output ends with its reader.

import { once } from 'node:events'
import { Writable } from 'node:stream'

export type Screen = Writable & {
  isTTY?: boolean | undefined
  columns?: number | undefined
}

/** Ends a command that has nothing to do but to write. */
export class OutputLost extends Error {
  constructor() {
    super('Nobody takes the output any more')
    this.name = 'OutputLost'
  }
}

export class Sink extends Writable {
  readonly #screen: Screen
  /** Why nothing is written any more. */
  lost: NodeJS.ErrnoException | undefined

  constructor(screen: Screen) {
    super()
    this.#screen = screen
    screen.on('error', error => this.#lose(error))
  }

  get isTTY(): boolean {
    return this.#screen.isTTY === true
  }

  get columns(): number | undefined {
    return this.#screen.columns
  }

  /** Its reader wants no more, which is no failure. */
  get isClosed(): boolean {
    return this.lost?.code === 'EPIPE'
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.lost !== undefined || this.#pass(chunk, done)) done()
  }

  /** True where it was taken at once, which files and pipes do; otherwise `later` is called. */
  #pass(chunk: Buffer, later: () => void): boolean {
    const screen = this.#screen
    let isTaken = false
    screen.write(chunk, error => {
      if (error) this.#lose(error)
      if (isTaken) return
      later()
      this.emit('taken')
    })
    isTaken = screen.writableLength === 0 && !screen.errored
    return isTaken
  }

  /** Waits until all of it has been taken; throws where it is not. */
  async taken(signal: AbortSignal): Promise<void> {
    while (this.writableLength > 0) await once(this, 'taken', { signal })
    if (this.lost) throw new OutputLost()
  }

  #lose(error: Error): void {
    this.lost ??= error
  }
}
