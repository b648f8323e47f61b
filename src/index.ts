// The Worker's entry: wiring only.
import { app } from './app.ts'
import type { Env } from './env.ts'
import { sweepDeletedOrganizations } from './features/operator/sweep.ts'
import { consume } from './queue.ts'

export { WatchObject } from './platform/watch-object.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: async (_controller, env) => {
    await sweepDeletedOrganizations(env)
  },
} satisfies ExportedHandler<Env>
