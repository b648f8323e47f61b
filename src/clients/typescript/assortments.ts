// What assortments can do beyond being entities: publish, and tell what a publish changed (N33).

import { segment } from './address.ts'
import type { Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'

export interface PublishRecord {
  id: string
  assortmentId: string
  createdOn: string
  createdById: string
  createdByType: string
  /** Counts, and the addresses of the lists; the baseline is that of the members before. */
  detail: {
    adds: number
    updates: number
    deletes: number
    addsUrl: string
    updatesUrl: string
    deletesUrl: string
    baselineUrl: string
  }
}

export class Assortments {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async publish(args: { id: string } & CallOptions): Promise<PublishRecord> {
    const { id, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `/assortments/${segment('id', id)}/publish` })
  }

  async publishRecord(args: { id: string; changeId: string } & CallOptions): Promise<PublishRecord> {
    const { id, changeId, ...options } = args
    const path = `/assortments/${segment('id', id)}/history/${segment('changeId', changeId)}`
    return this.#requests.json({ ...options, method: 'GET', path })
  }

  /** Newest first. */
  async publishRecords(
    args: { id: string; limit?: number | undefined; nextPageKey?: string | null | undefined } & CallOptions,
  ): Promise<Page<PublishRecord>> {
    const { id, limit, nextPageKey, ...options } = args
    const path = `/assortments/${segment('id', id)}/history`
    return this.#requests.json({ ...options, method: 'GET', path, query: { limit, nextPageKey } })
  }
}
