// Random loads of every type, taken back from the newest to the oldest: each ends in the state that its load found (N52), although
// the Worker dies again and again on the way (N34). VITE_REVERTS and VITE_SEED ask for more, or for one again.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/platform/db/client.ts'
import { env, type Json } from '../api.ts'
import { randomFile, randomTypes } from '../loads/differential/generate.ts'
import { Organization } from '../loads/differential/organization.ts'
import { Random } from '../loads/differential/random.ts'
import { holdLoads, type Load, SMALL, workOnLoads } from '../loads/loading.ts'
import { type Revert, stateOf } from './reverting.ts'

const LOADS_EACH = 4
const WAKE_UPS_MAX = 400
const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const SEED = Number(settings?.VITE_SEED ?? 1)
const ORGANIZATIONS = Number(settings?.VITE_REVERTS ?? 6)

/** The Worker is killed at the n-th round trip of a wake-up, before or after it has reached the database. */
function deaths(random: Random) {
  const { batch } = Database.prototype
  let left = Number.POSITIVE_INFINITY
  const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
    if (left <= 0) throw new Error('dead')
    left--
    const isLast = left === 0
    if (isLast && random.chance(0.5)) throw new Error('dies before')
    const results = await batch.call(this, statements)
    if (isLast) throw new Error('dies after')
    return results
  })
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    spy.mockRestore()
    log.mockRestore()
  })
  return {
    async during(work: () => Promise<unknown>): Promise<void> {
      left = 1 + random.below(25)
      await work().catch(() => undefined)
      left = Number.POSITIVE_INFINITY
    },
  }
}

type Killer = ReturnType<typeof deaths>

async function takenBack(organization: Organization, load: Load, killer: Killer): Promise<Revert> {
  const { org } = organization
  const { body } = await org.post<Revert>(`/loader-processes/${load.id}/revert`, {})
  for (let wakeUp = 0; wakeUp < WAKE_UPS_MAX; wakeUp++) {
    await killer.during(() => workOnLoads(env, org.id, SMALL))
    const now = (await org.get<Revert>(`/revert-processes/${body.id}`)).body
    if (now.endedOn !== undefined) return now
  }
  throw new Error('the revert does not come to its end')
}

describe('random loads taken back (N52)', () => {
  it.each(Array.from({ length: ORGANIZATIONS }, (_, at) => SEED + at))('seed %i', async seed => {
    holdLoads()
    const random = new Random(seed * 104_729)
    const organization = await Organization.make(randomTypes(random))
    const { org } = organization
    const done: { load: Load; before: Record<string, Json> }[] = []
    for (let at = 0; at < LOADS_EACH; at++) {
      const before = await stateOf(org)
      const file = randomFile(random)
      const skips = file.split && random.chance(0.3)
      done.push({
        load: await organization.load(file, skips ? { shouldSkipAssortmentPublish: true } : {}),
        before,
      })
    }
    const killer = deaths(random)
    for (const { load, before } of done.reverse()) {
      const revert = await takenBack(organization, load, killer)
      expect(revert).toMatchObject({ status: 'completed', issueCount: 0, issues: [] })
      expect(await stateOf(org)).toEqual(before)
    }
    const records = await organization.records()
    for (const { load } of done) await takenBack(organization, load, killer)
    expect(await organization.records()).toBe(records)
  })
})
