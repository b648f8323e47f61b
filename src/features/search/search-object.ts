// One for each organization: woken after commits, it lets a moment pass, so that many commits are one piece of work, and brings the
// search index up to date, and the indexes of properties that are new. Its alarm survives the death of the Worker.
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../platform/env.ts'
import { SEARCH_DELAY_MS, SEARCH_FILL_MS, SEARCH_PASS_MS, SEARCH_RETRY_MS } from '../../platform/search/limits.ts'
import { SEARCH_QUIET_MS } from '../../platform/wake/search.ts'
import { fillIndexes } from '../indexes/fill.ts'
import { follow } from './follow.ts'

export class SearchObject extends DurableObject<Env> {
  #wokenOn = 0

  async wake(orgId: string): Promise<void> {
    this.#wokenOn = Date.now()
    const due = await this.ctx.storage.getAlarm()
    if (due !== null && due <= Date.now() + SEARCH_DELAY_MS) return
    await this.ctx.storage.put('orgId', orgId)
    await this.ctx.storage.setAlarm(Date.now() + SEARCH_DELAY_MS)
  }

  override async alarm(): Promise<void> {
    const orgId = await this.ctx.storage.get<string>('orgId')
    if (orgId === undefined) return
    const begun = Date.now()
    // Armed before the work, so that the alarm comes again even if the work dies.
    await this.ctx.storage.setAlarm(begun + SEARCH_RETRY_MS)
    const isFollowed = await follow(this.env, orgId, begun + SEARCH_PASS_MS)
    // Briefly: what is written meanwhile waits for it.
    const isDone = (await fillIndexes(this.env, orgId, Date.now() + SEARCH_FILL_MS)) && isFollowed
    // Who woke it shortly before the look stays quiet for a while, and may have committed since.
    const mayBeMore = this.#wokenOn > begun - SEARCH_QUIET_MS
    if (!isDone) await this.ctx.storage.setAlarm(Date.now())
    else if (mayBeMore) await this.ctx.storage.setAlarm(Date.now() + SEARCH_DELAY_MS)
    else await this.ctx.storage.deleteAll()
  }
}
