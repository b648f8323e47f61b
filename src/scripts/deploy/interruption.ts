// Ctrl-C ends a process on the spot, and what it has put away for a moment stays. While such work goes on, it is told to stop instead.
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export class Interrupted extends Error {
  /** As a shell tells it. */
  readonly exitCode: number

  constructor(signal: NodeJS.Signals) {
    super(`interrupted (${signal})`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Fails as interrupted once the work has ended, whatever it ended with. */
export async function interruptible<Result>(work: (stopped: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const stop = (signal: NodeJS.Signals) => controller.abort(new Interrupted(signal))
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await work(controller.signal).finally(() => controller.signal.throwIfAborted())
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
