// Time: sleeping that a signal can end, and deadlines. Written without AbortSignal.any, which Node 18 lacks.

/** What a timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const end = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    // More than a timer can hold would be no time at all.
    const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** What the work gives, or the signal's reason as soon as it is aborted; what comes of the work then is nobody's. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}

/** A signal that ends when the caller's does, when the time since the last `restart` ran out, or by `abort`. */
export class Deadline {
  readonly timeoutMs: number
  /** True once the time ran out, so that a timeout can be told from the caller's own abort. */
  expired = false
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #stop = () => this.#controller.abort(this.#outer?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.timeoutMs = timeoutMs
    this.#outer = outer
    if (outer?.aborted) this.#stop()
    outer?.addEventListener('abort', this.#stop, { once: true })
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get stoppedByCaller(): boolean {
    return this.#outer?.aborted === true
  }

  restart(): void {
    this.pause()
    if (!Number.isFinite(this.timeoutMs)) return
    this.#timer = setTimeout(
      () => {
        this.expired = true
        this.#controller.abort(new Error(`No data came for ${this.timeoutMs} ms`))
      },
      Math.min(this.timeoutMs, LONGEST_TIMER_MS),
    )
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#outer?.removeEventListener('abort', this.#stop)
  }
}
