// One runtime for many runs. Vitest ends its workers after each run; starting workerd and loading all modules again would take
// longer than the tests. What has changed between two runs is told by `invalidates`, as in watch mode.
import type { PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'

type Listener = Parameters<PoolWorker['on']>[1]

export interface KeptAlive {
  initializer: PoolRunnerInitializer
  /** Ends the runtime for good. */
  end(): Promise<void>
}

export function keptAlive(original: PoolRunnerInitializer): KeptAlive {
  let worker: PoolWorker | undefined
  let isStarted = false
  const initializer: PoolRunnerInitializer = {
    name: original.name,
    createPoolWorker: options => {
      worker ??= original.createPoolWorker(options)
      return visitor(worker, {
        isStarted: () => isStarted,
        started: () => {
          isStarted = true
        },
      })
    },
  }
  return { initializer, end: async () => worker?.stop() }
}

interface Life {
  isStarted(): boolean
  started(): void
}

/** What one run sees of the worker: its start and its stop, which are answered here after the first start. */
function visitor(worker: PoolWorker, life: Life): PoolWorker {
  const listeners = new Map<string, Listener>()
  const answer = (type: 'started' | 'stopped') =>
    queueMicrotask(() => listeners.get('message')?.({ type, __vitest_worker_response__: true }))
  return {
    name: worker.name,
    deserialize: data => worker.deserialize(data),
    on: (event, listener) => {
      listeners.set(event, listener)
      worker.on(event, listener)
    },
    off: (event, listener) => {
      listeners.delete(event)
      worker.off(event, listener)
    },
    send: (message: WorkerRequest) => {
      const type = 'type' in message ? message.type : undefined
      if (type === 'stop') return answer('stopped')
      if (type === 'start' && life.isStarted()) return answer('started')
      if (type === 'start') life.started()
      return worker.send(message)
    },
    start: async () => {
      if (!life.isStarted()) await worker.start()
    },
    stop: async () => {
      for (const [event, listener] of listeners) worker.off(event, listener)
      listeners.clear()
    },
  }
}
