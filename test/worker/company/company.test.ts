// Who lets whom pass (N60).
import { describe, expect, it, vi } from 'vitest'
import { afterOthers, inCompany, letPass, noteTaken, takesMuch, Visit } from '../../../src/platform/company/company.ts'
import {
  COMPANY_LOOK_MS,
  COMPANY_MUCH_MS,
  COMPANY_PASS_MAX_MS,
  COMPANY_TURN_MAX_LOOKS,
} from '../../../src/platform/company/limits.ts'
import { newId } from '../../../src/platform/ids.ts'
import { holdClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { alone, visitOf } from '../visits.ts'

/** What has happened until everything that can go on has. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await scheduler.wait(1)
}

/** A caller in company whose call goes on until it is told to end. */
function callUnderWay() {
  const own = newId()
  holdClock()
  visitOf(newId()).end()
  let isFree = () => {}
  const call = afterOthers(own, () => new Promise<void>(resolve => (isFree = resolve)), false)
  const end = () => {
    isFree()
    return call
  }
  return { own, end }
}

describe('N60 in company', () => {
  it('one is while others are being served, and a moment longer; not by oneself', async () => {
    const own = newId()
    await alone(own)
    visitOf(own)
    expect(inCompany(own)).toBe(false)
    const other = new Visit()
    expect(inCompany(own)).toBe(true)
    other.isOf(newId())
    other.end()
    expect(inCompany(own)).toBe(true)
    await alone(own)
  })

  it('work waits for whoever is being served, and not for its own organization', async () => {
    const own = newId()
    await alone(own)
    visitOf(own)
    await letPass(own)
    const other = new Visit()
    other.isOf(newId())
    const seen: string[] = []
    const passing = letPass(own).then(() => seen.push('the work'))
    seen.push('the other')
    other.end()
    await passing
    expect(seen).toEqual(['the other', 'the work'])
  })

  it('work gives others a share of its time, and goes on when they stay', async () => {
    const own = newId()
    holdClock()
    visitOf(newId())
    const wait = vi.spyOn(scheduler, 'wait')
    // That it comes to an end is half of the test.
    for (let turn = 0; turn < 20; turn++) await letPass(own)
    const looks = wait.mock.calls.filter(([ms]) => ms === COMPANY_LOOK_MS)
    // Work of other organizations, left over from other tests, may be looking as well.
    expect(looks.length).toBeGreaterThanOrEqual(COMPANY_PASS_MAX_MS / COMPANY_LOOK_MS)
  })

  it.each([
    ['of callers', false],
    ['in the background', true],
  ])('calls %s go one after the other, and side by side where nobody else is', async (_, isPatient) => {
    const own = newId()
    await alone(own)
    const seen: string[] = []
    const call = (name: string) => async () => {
      seen.push(`${name} begins`)
      await settled()
      seen.push(`${name} ends`)
    }
    await Promise.all([afterOthers(own, call('a'), isPatient), afterOthers(own, call('b'), isPatient)])
    expect(seen).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
    seen.length = 0
    holdClock()
    visitOf(newId()).end()
    const fail = async () => {
      throw new Error('no')
    }
    const failing = expect(afterOthers(own, fail, isPatient)).rejects.toThrow('no')
    await Promise.all([failing, afterOthers(own, call('a'), isPatient), afterOthers(own, call('b'), isPatient)])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('a caller that waits for its own organization gives others no less for it', async () => {
    const { own, end } = callUnderWay()
    const looks = vi.spyOn(scheduler, 'wait').mockClear()
    const second = afterOthers(own, async () => 'done', false)
    await eventually(
      async () => looks.mock.calls.length,
      count => count > COMPANY_TURN_MAX_LOOKS / 2,
    )
    await end()
    expect(await second).toBe('done')
    visitOf(newId())
    looks.mockClear()
    await letPass(own)
    expect(looks.mock.calls.filter(([ms]) => ms === COMPANY_LOOK_MS).length).toBeGreaterThanOrEqual(
      COMPANY_PASS_MAX_MS / COMPANY_LOOK_MS,
    )
  })

  it('a caller does not wait for its own organization for ever', async () => {
    const { own, end } = callUnderWay()
    expect(await afterOthers(own, async () => 'done', false)).toBe('done')
    await end()
  })

  it('of callers of one organization one passes at a time, also where those before take long', async () => {
    const { own, end } = callUnderWay()
    const looks = vi.spyOn(scheduler, 'wait').mockClear()
    const begun: number[] = []
    let isFree = () => {}
    const held = new Promise<void>(resolve => (isFree = resolve))
    const others = Array.from({ length: 3 }, () =>
      afterOthers(
        own,
        () => {
          begun.push(looks.mock.calls.length)
          return held
        },
        false,
      ),
    )
    await eventually(
      async () => begun.length,
      count => count === 3,
    )
    for (const at of [1, 2])
      expect(Number(begun[at]) - Number(begun[at - 1])).toBeGreaterThan(COMPANY_TURN_MAX_LOOKS / 2)
    await end()
    isFree()
    await Promise.all(others)
  })

  /** How often a caller of the organization, which takes much, looks before its call. */
  async function looksOf(own: string): Promise<number> {
    noteTaken(own, 2 * COMPANY_MUCH_MS)
    const looks = vi.spyOn(scheduler, 'wait').mockClear()
    await afterOthers(own, async () => undefined, false)
    return looks.mock.calls.filter(([ms]) => ms === COMPANY_LOOK_MS).length
  }

  it.each([
    ['is being served and takes less', COMPANY_MUCH_MS, false, true],
    ['is being served and takes more', 3 * COMPANY_MUCH_MS, false, false],
    ['was served a moment ago and takes less', COMPANY_MUCH_MS, true, true],
    ['was served a moment ago and takes more', 3 * COMPANY_MUCH_MS, true, false],
  ])('a caller that takes much, where another one %s', async (_, takenByOther, hasGone, waits) => {
    const [own, other] = [newId(), newId()]
    await alone(own)
    holdClock()
    noteTaken(other, takenByOther)
    const visit = visitOf(other)
    if (hasGone) visit.end()
    // Work of other organizations, left over from other tests, may look now and then as well.
    expect((await looksOf(own)) > COMPANY_PASS_MAX_MS / COMPANY_LOOK_MS / 2, 'it waits').toBe(waits)
  })

  it('those who take much do not hide one who takes little', async () => {
    const [own, light, heavy] = [newId(), newId(), newId()]
    holdClock()
    visitOf(light).end()
    noteTaken(heavy, 10 * COMPANY_MUCH_MS)
    visitOf(heavy).end()
    expect(await looksOf(own)).toBeGreaterThan(0)
  })

  it('work in the background does not use up what callers give to others', async () => {
    const own = newId()
    const clock = holdClock()
    visitOf(newId())
    await looksOf(own)
    clock.forward(20 * COMPANY_LOOK_MS)
    for (let turn = 0; turn < 5; turn++) await letPass(own)
    expect(await looksOf(own)).toBeGreaterThan(10)
  })

  it('a clock that is put back leaves nobody here, and nobody taking much', async () => {
    const [own, other] = [newId(), newId()]
    await alone(own)
    const clock = holdClock()
    clock.forward(3_600_000)
    visitOf(other)
    noteTaken(own, 2 * COMPANY_MUCH_MS)
    expect([inCompany(own), takesMuch(own)]).toEqual([true, true])
    clock.forward(-3_600_000)
    expect([inCompany(own), takesMuch(own)]).toEqual([false, false])
  })

  it('a look that took long is no debt', async () => {
    const own = newId()
    const clock = holdClock()
    visitOf(newId())
    const slow = vi.spyOn(scheduler, 'wait').mockImplementation(async ms => {
      if (ms === COMPANY_LOOK_MS) clock.forward(1000)
    })
    await looksOf(own)
    slow.mockRestore()
    clock.forward(10 * COMPANY_LOOK_MS)
    visitOf(newId())
    expect(await looksOf(own)).toBeGreaterThan(5)
  })

  it.each([false, true])('lets others in before a call and after it (in the background: %s)', async isPatient => {
    const own = newId()
    holdClock()
    visitOf(newId()).end()
    const waits = vi.spyOn(scheduler, 'wait').mockClear()
    const opened = () => waits.mock.calls.filter(([ms]) => ms === 0).length
    const before = await afterOthers(own, async () => opened(), isPatient)
    expect(before).toBeGreaterThan(0)
    expect(opened()).toBeGreaterThan(before)
  })

  it('those of one organization that wait at the same time give up the same time once', async () => {
    const own = newId()
    const clock = holdClock()
    visitOf(newId())
    let looks = 0
    vi.spyOn(scheduler, 'wait').mockImplementation(async ms => {
      // All who wait look at the same moment.
      await Promise.resolve()
      if (ms === COMPANY_LOOK_MS && looks++ % 2 === 0) clock.forward(COMPANY_LOOK_MS)
    })
    await Promise.all([letPass(own), letPass(own)])
    expect(looks).toBeGreaterThan((1.5 * COMPANY_PASS_MAX_MS) / COMPANY_LOOK_MS)
  })
})
