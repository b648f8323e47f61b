// What is counted for dashboards and alerts, where the deployment has bound ANALYTICS. Names and numbers, never data.
import type { Env } from './env.ts'

export type Counter = 'request' | 'load_rows' | 'queue_age' | 'delivery_failed' | 'dead_letter'

export interface Measured {
  /** Of a bounded number of values, such as a route or a status. */
  labels?: readonly string[]
  numbers?: readonly number[]
}

/** A counter that cannot be written holds up no request. */
export function count(
  { ANALYTICS }: Pick<Env, 'ANALYTICS'>,
  counter: Counter,
  orgId: string,
  { labels = [], numbers = [1] }: Measured = {},
): void {
  try {
    ANALYTICS?.writeDataPoint({ indexes: [orgId], blobs: [counter, ...labels], doubles: [...numbers] })
  } catch (error) {
    console.error('counter', counter, String(error))
  }
}
