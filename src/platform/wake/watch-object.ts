// Guards work that runs on queue messages: while something is watched, its wake-up is sent again after every
// period without a sign of life. It knows nothing of the work itself; a repeated wake-up must be harmless.
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import { sendWakeUp, type WakeUp } from './message.ts'

export interface Watch {
  message: WakeUp
  periodMs: number
}

export class WatchObject extends DurableObject<Env> {
  /** Begins a watch, or tells that the watched work has moved. */
  async watch(watch: Watch): Promise<void> {
    await this.ctx.storage.put('watch', watch)
    await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
  }

  /** Begins a watch that further calls do not put off: busy work is looked after in the same rhythm as idle work. */
  async keep(watch: Watch): Promise<void> {
    await this.ctx.storage.put('watch', watch)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
  }

  async rest(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    const watch = await this.ctx.storage.get<Watch>('watch')
    if (!watch) return
    // Armed before the send: an alarm that fails six times would otherwise never come again.
    await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
    await sendWakeUp(this.env, watch.message)
  }
}
