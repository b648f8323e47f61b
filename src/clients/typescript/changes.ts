// The change history: pages of it, and a poller that misses no record and sees none twice (N25).

import type { EntityName, Order, Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'
import { sleep } from './wait.ts'

const POLL_INTERVAL_MS = 5_000
const POLL_PAGE_SIZE = 500

export interface ChangeRecord {
  id: string
  orgId: string
  /** Root type path of the changed entity. */
  entityType: string
  /** `<entityType>:<id>` */
  entityReference: string
  changeType: 'create' | 'update' | 'delete'
  createdOn: string
  createdById: string | null
  createdByType: 'user' | 'app' | 'operator' | 'loader' | 'workflow'
  version: number
  changes: Record<string, { oldValue: unknown; newValue: unknown }>
}

export interface ChangeCriteria {
  entityType?: EntityName | readonly EntityName[] | undefined
  entityReference?: string | undefined
  /** `BETWEEN 2026-01-01 and 2026-01-31`, dates or ISO times, both inclusive. */
  createdOn?: string | undefined
}

export interface ChangePage extends Page<ChangeRecord> {
  /** Where to go on with `after`. */
  syncKey: string
}

export interface ChangeQuery {
  criteria?: ChangeCriteria | undefined
  order?: Order | undefined
  limit?: number | undefined
  nextPageKey?: string | null | undefined
  /** A syncKey: the records committed after it, oldest first; empty for the beginning. Not together with `order`. */
  after?: string | undefined
}

export interface PollOptions extends CallOptions {
  criteria?: ChangeCriteria | undefined
  /** Where to begin: a stored syncKey, empty for the beginning of history, left out for "from now on". */
  syncKey?: string | undefined
  /**
   * Called with the position reached once every record before it has been consumed. Store it, and begin with it next time: after a
   * crash in between, the records of the unfinished page are delivered again.
   */
  onSyncKey?: ((syncKey: string) => void | Promise<void>) | undefined
  /** The pause when there is nothing new (default 5 seconds). */
  intervalMs?: number | undefined
  /** Records per request (default 500). */
  limit?: number | undefined
}

export class Changes {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async list(args: ChangeQuery & CallOptions = {}): Promise<ChangePage> {
    const { criteria, order, limit, nextPageKey, after, ...options } = args
    const query = { criteria, order, limit, nextPageKey, after }
    return this.#requests.json({ ...options, method: 'GET', path: '/change-history', query })
  }

  async *listAll(args: ChangeQuery & CallOptions = {}): AsyncGenerator<ChangeRecord, void, undefined> {
    let nextPageKey = args.nextPageKey ?? null
    do {
      const page = await this.list({ limit: POLL_PAGE_SIZE, ...args, nextPageKey })
      yield* page.results
      nextPageKey = page.nextPageKey
    } while (nextPageKey !== null)
  }

  /** Every change from a point on, for ever. Leave the loop to end it, or abort the signal: then it ends without an error. */
  async *poll(args: PollOptions = {}): AsyncGenerator<ChangeRecord, void, undefined> {
    const signal = args.signal ?? this.#requests.signal
    try {
      yield* this.#poll({ ...args, signal })
    } catch (error) {
      if (!signal?.aborted || error !== signal.reason) throw error
    }
  }

  async *#poll(args: PollOptions): AsyncGenerator<ChangeRecord, void, undefined> {
    const { syncKey, onSyncKey, intervalMs = POLL_INTERVAL_MS, limit = POLL_PAGE_SIZE, criteria, ...options } = args
    let after = syncKey
    if (after === undefined) {
      after = (await this.list({ ...options, criteria, limit: 1 })).syncKey
      await onSyncKey?.(after)
    }
    for (;;) {
      const page = await this.list({ ...options, criteria, limit, after })
      yield* page.results
      if (page.syncKey !== after) await onSyncKey?.(page.syncKey)
      after = page.syncKey
      if (page.nextPageKey === null && page.results.length < limit) await sleep(intervalMs, options.signal)
    }
  }
}
