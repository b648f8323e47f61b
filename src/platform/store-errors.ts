// What D1, R2 (by its code), queues and Durable Objects say when they cannot serve, and what it means for the caller (N90). D1's
// entries are those of its published list: https://developers.cloudflare.com/d1/observability/debug-d1/

/**
 * `transient`: a repeat may go through at once. `overloaded`: a repeat at once makes it worse. `full`: nothing can be written until
 * there is room. Anything else is fatal: a repeat fails the same way.
 */
export type StoreState = 'transient' | 'overloaded' | 'full'

const TABLE: readonly (readonly [RegExp, StoreState])[] = [
  [/Exceeded maximum DB size/i, 'full'],
  [/maximum account storage limit/i, 'full'],
  [/SQLITE_FULL|database or disk is full/i, 'full'],
  [/(D1 DB|Durable Object|Queue) is overloaded/i, 'overloaded'],
  [/exceeded its (CPU time|memory) limit/i, 'overloaded'],
  [/storage operation exceeded timeout/i, 'overloaded'],
  [/Too many API requests by single Worker invocation/i, 'overloaded'],
  [/free tier daily row (read|write) limit/i, 'overloaded'],
  [/\(10058\)$/, 'overloaded'],
  [/Network connection lost/i, 'transient'],
  [/Replica disconnected from primary/i, 'transient'],
  [/storage caused object to be reset/i, 'transient'],
  [/Durable Object exceeded its/i, 'transient'],
  [/reset because its code was updated/i, 'transient'],
  [/Internal error while starting up D1/i, 'transient'],
  [/Cannot resolve D1 DB due to transient/i, 'transient'],
  [/Can't read from request stream/i, 'transient'],
  [/D1_ERROR: .*(SQLITE_BUSY|database is locked)/i, 'transient'],
  [/\((10001|10043)\)$/, 'transient'],
]

export function storeState(error: unknown): StoreState | undefined {
  if (!(error instanceof Error)) return undefined
  return TABLE.find(([pattern]) => pattern.test(error.message))?.[1]
}
