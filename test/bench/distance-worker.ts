// The service with its database far away and a replica nearby. `GET /trips` tells how often calls went where, and begins anew.

import service, { SearchObject as ServiceSearchObject, TaskObject as ServiceTaskObject } from '../../src/index.ts'
import type { Env } from '../../src/platform/env.ts'
import { DistantDatabase } from '../worker/distant-database.ts'
import { FAR_MS, NEAR_MS } from './distances.ts'

export { HashingObject, WatchObject } from '../../src/index.ts'

const trips = { far: 0, near: 0 }

function distant(env: Env): Env {
  const DB = new DistantDatabase(env.DB, { farMs: FAR_MS, nearMs: NEAR_MS }, trips).binding
  return { ...env, DB }
}

export class TaskObject extends ServiceTaskObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, distant(env))
  }
}

/** What follows a commit in the background is nobody's waiting time. */
export class SearchObject extends ServiceSearchObject {
  override async wake(): Promise<void> {}
}

export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname !== '/trips') return service.fetch(request, distant(env), context)
    const seen = Response.json(trips)
    Object.assign(trips, { far: 0, near: 0 })
    return seen
  },
  queue: async batch => batch.ackAll(),
} satisfies ExportedHandler<Env>
