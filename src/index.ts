// The Worker's entry: wiring only.
import { app } from './app.ts'
import { beginSweeps } from './cron.ts'
import type { Env } from './platform/env.ts'
import { consume } from './queue.ts'

export { HashingObject } from './features/auth/hashing-object.ts'
export { SearchObject } from './features/search/search-object.ts'
export { TaskObject } from './features/workflows/task/task-object.ts'
export { WatchObject } from './platform/wake/watch-object.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: ({ scheduledTime }, env) => beginSweeps(env, scheduledTime),
} satisfies ExportedHandler<Env>
