// The service with bindings that count: every round trip to D1, the rows that D1 reads, and every call of a task's object,
// whoever makes them. `GET /counts` tells the counts and begins anew.

import service, { SearchObject as ServiceSearchObject, TaskObject as ServiceTaskObject } from '../../src/index.ts'
import type { Env } from '../../src/platform/env.ts'

export { HashingObject, WatchObject } from '../../src/index.ts'

/** What follows a commit in the background is no part of the request. */
export class SearchObject extends ServiceSearchObject {
  override async wake(): Promise<void> {}
}

const counts = { roundTrips: 0, objectCalls: 0, rowsRead: 0, rowsWritten: 0 }

const ROUND_TRIPS = new Set<PropertyKey>(['batch', 'exec', 'dump', 'first', 'all', 'run', 'raw'])
/** Methods that give another object to count on. */
const LEADS_ON = new Set<PropertyKey>(['withSession', 'prepare', 'bind'])
const originals = new WeakMap<object, object>()

function original(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(original)
  return typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value
}

interface Measured {
  meta?: { rows_read?: number; rows_written?: number }
}

async function countRows(result: Promise<unknown>): Promise<unknown> {
  const answer = await result
  for (const { meta } of [answer].flat() as (Measured | null)[] as Measured[]) {
    counts.rowsRead += meta?.rows_read ?? 0
    counts.rowsWritten += meta?.rows_written ?? 0
  }
  return answer
}

function countedDatabase<T extends object>(target: T): T {
  const proxy = new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name)
      if (typeof value !== 'function') return value
      return (...sent: unknown[]) => {
        const result: unknown = Reflect.apply(value, from, sent.map(original))
        if (LEADS_ON.has(name)) return countedDatabase(result as object)
        if (!ROUND_TRIPS.has(name)) return result
        counts.roundTrips++
        return countRows(result as Promise<unknown>)
      }
    },
  })
  originals.set(proxy, target)
  return proxy
}

function countedObjects(namespace: Env['TASKS']): Env['TASKS'] {
  const countCalls = (stub: object) =>
    new Proxy(stub, {
      get(from, name) {
        const method: unknown = Reflect.get(from, name)
        if (typeof method !== 'function') return method
        return (...sent: unknown[]) => {
          counts.objectCalls++
          return Reflect.apply(method, from, sent)
        }
      },
    })
  return new Proxy(namespace, {
    get: (from, name) =>
      name === 'getByName' ? (of: string) => countCalls(from.getByName(of)) : (Reflect.get(from, name) as unknown),
  })
}

function counted(env: Env): Env {
  return { ...env, DB: countedDatabase(env.DB), TASKS: countedObjects(env.TASKS) }
}

export class TaskObject extends ServiceTaskObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, counted(env))
  }
}

export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname !== '/counts') return service.fetch(request, counted(env), context)
    const seen = Response.json(counts)
    Object.assign(counts, { roundTrips: 0, objectCalls: 0, rowsRead: 0, rowsWritten: 0 })
    return seen
  },
  queue: (batch, env) => service.queue(batch, counted(env)),
} satisfies ExportedHandler<Env>
