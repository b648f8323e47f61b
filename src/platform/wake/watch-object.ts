// Guards work that runs on queue messages: while something is watched, its wake-up is sent again after every
// period without a sign of life. It knows nothing of the work itself; a repeated wake-up must be harmless.
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { RECOVER_PERIOD_MS } from '../limits.ts'
import { sendWakeUp } from './message.ts'
import type { WakeUp } from './wake-up.ts'

export interface Watch {
  message: WakeUp
  periodMs: number
}

/** A watch that was asked for stays at least so long, even if nothing is found to look after: it may still come to be. */
const KEPT_MIN_MS = 2 * RECOVER_PERIOD_MS

export class WatchObject extends DurableObject<Env> {
  /** Begins a watch, or tells that the watched work has moved. */
  async watch(watch: Watch): Promise<void> {
    await this.ctx.storage.put('watch', watch)
    await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
  }

  /** Begins a watch that further calls do not put off: busy work is looked after in the same rhythm as idle work. */
  async keep(watch: Watch): Promise<void> {
    await this.ctx.storage.put({ watch, keptOn: Date.now() })
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
  }

  /** Ends the watchdog; false if it was asked for a moment ago. */
  async rest(): Promise<boolean> {
    const keptOn = await this.ctx.storage.get<number>('keptOn')
    if (keptOn !== undefined && keptOn > Date.now() - KEPT_MIN_MS) return false
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    return true
  }

  /** What it watched is gone. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** When wake-ups were last sent for what stood still; a wake-up that was sent before that may be behind them. */
  async wokenOn(): Promise<number> {
    return (await this.ctx.storage.get<number>('wokenOn')) ?? 0
  }

  async noteWoken(time: number): Promise<void> {
    await this.ctx.storage.put('wokenOn', time)
  }

  override async alarm(): Promise<void> {
    const watch = await this.ctx.storage.get<Watch>('watch')
    if (!watch) return
    // Armed before the send: an alarm that fails six times would otherwise never come again.
    await this.ctx.storage.setAlarm(Date.now() + watch.periodMs)
    await sendWakeUp(this.env, watch.message)
  }
}
