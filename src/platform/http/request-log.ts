// One line for each request of a deployed Worker, as JSON that its logs can be searched by: who, which route, what it cost. Never what
// was sent: no path with its values, no query, no header, no body.

import { count } from '../counters.ts'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'
import { isLocal } from '../pace.ts'

export interface Served {
  requestId: string
  method: string
  /** As the reference names it: `/items/:id`. None: no operation. */
  route: string | undefined
  status: number
  ms: number
  organization?: { id: string; slug: string } | undefined
  db?: Pick<Database, 'calls' | 'spentMs' | 'rowsRead' | 'rowsWritten'> | undefined
}

export function logRequest(env: Env, served: Served): void {
  const { requestId, method, route = 'other', status, organization, db } = served
  const ms = Math.round(served.ms)
  const cost = {
    d1Calls: db?.calls ?? 0,
    d1Ms: Math.round(db?.spentMs ?? 0),
    rowsRead: db?.rowsRead ?? 0,
    rowsWritten: db?.rowsWritten ?? 0,
  }
  count(env, 'request', organization?.id ?? '', {
    labels: [method, route, String(status)],
    numbers: [ms, cost.d1Ms, cost.rowsRead, cost.rowsWritten],
  })
  // On a developer's machine the log does not clutter the terminal.
  if (isLocal(env)) return
  const line = {
    message: 'request',
    requestId,
    organization: organization?.slug ?? null,
    method,
    route,
    status,
    ms,
    ...cost,
  }
  console.log(JSON.stringify(line))
}
