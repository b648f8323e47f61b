// The context of work that no caller waits for: a step of a workflow, a load. It may do what its organization may do.

import type { Actor, Context, Org } from './context.ts'
import { databaseFor } from './db/client.ts'
import type { Queueing } from './db/queueing.ts'
import type { Env } from './env.ts'
import { wakeSearchSoon } from './wake/search.ts'
import { announce, keepWatch } from './wake/watch.ts'

export interface Background extends Context {
  /** When everything that was put off has ended. */
  settled(): Promise<void>
}

export function background(env: Env, org: Org, actor: Actor, baseUrl = '', queueing?: Queueing): Background {
  const now = Date.now()
  const deferred: Promise<unknown>[] = []
  const defer = (work: Promise<unknown>) => {
    deferred.push(work.catch(error => console.error('deferred work failed', org.id, error)))
  }
  return {
    env,
    org,
    actor,
    principal: {
      credentialId: actor.id,
      credentialKind: 'app',
      org,
      actor,
      userId: null,
      role: null,
      scope: 'write',
      tier: 'internal',
      suspended: false,
      expiresOn: null,
    },
    db: databaseFor(env, org.id, undefined, queueing),
    now,
    requestId: actor.id,
    baseUrl,
    defer,
    announce: () => defer(announce(env, org.id, Date.now())),
    committed: () => defer(wakeSearchSoon(env, org.id)),
    keepWatch: () => keepWatch(env, org.id),
    settled: async () => {
      await Promise.all(deferred)
    },
  }
}
