// Who lets whom pass, and that loads take smaller steps while others are being served (N60).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { workOnLoads } from '../../src/features/loads/run.ts'
import * as company from '../../src/platform/company.ts'
import { afterOthers, inCompany, letPass, noteTaken, takesMuch, Visit } from '../../src/platform/company.ts'
import { databaseFor } from '../../src/platform/db/client.ts'
import { CARRIED_CHARACTERS } from '../../src/platform/db/limits.ts'
import { newId } from '../../src/platform/ids.ts'
import {
  COMPANY_LOOK_MS,
  COMPANY_MUCH_MS,
  COMPANY_PASS_MAX_MS,
  COMPANY_SENT_BYTES,
  COMPANY_TURN_MAX_LOOKS,
  LOAD_COMMIT_IN_COMPANY_ENTITIES,
} from '../../src/platform/limits.ts'
import { env, newOrg, type TestOrg } from './api.ts'
import { holdClock } from './clock.ts'
import { eventually } from './eventually.ts'
import { holdLoads, type Load, start, upload } from './loads/loading.ts'

function visitOf(orgId: string): Visit {
  const visit = new Visit()
  onTestFinished(() => visit.end())
  visit.isOf(orgId)
  return visit
}

const alone = (orgId: string) =>
  eventually(
    async () => inCompany(orgId),
    isInCompany => !isInCompany,
  )

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
    expect((await looksOf(own)) > 0, 'it waits').toBe(waits)
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

  it('who sends much takes much, also where it is refused', async () => {
    const org = await newOrg()
    expect(takesMuch(org.id)).toBe(false)
    const names = ['x'.repeat(1.2 * COMPANY_MUCH_MS * COMPANY_SENT_BYTES)]
    expect((await org.post('/items/batch', names)).status).toBe(400)
    expect(takesMuch(org.id)).toBe(true)
  })

  it('a configuration counts as sent', async () => {
    const org = await newOrg()
    const text = 'loadType: [ITEM]\n'
    const loaderConfigurationId = await upload(org, text, 'load.yaml')
    const noteSent = vi.spyOn(company, 'noteSent')
    expect((await org.post('/loader-processes', { loaderConfigurationId, fileLocation: 'none' })).status).toBe(400)
    expect(noteSent).toHaveBeenCalledWith(org.id, text.length)
  })

  it('a call to the database in the background waits for others, and that of a caller does not', async () => {
    const orgId = newId()
    const afterOthers = vi.spyOn(company, 'afterOthers')
    const question = { sql: 'SELECT 1', params: [] }
    await databaseFor(env, orgId, null).all(question)
    expect(afterOthers).not.toHaveBeenCalledWith(orgId, expect.anything(), expect.anything())
    await databaseFor(env, orgId).all(question)
    expect(afterOthers).toHaveBeenCalledWith(orgId, expect.anything(), true)
  })

  it('a caller whose answers are large takes much of the database, and waits for others', async () => {
    const orgId = newId()
    const afterOthers = vi.spyOn(company, 'afterOthers')
    const large = 1_000_000
    const rows = Array.from({ length: (1.2 * COMPANY_MUCH_MS * CARRIED_CHARACTERS) / large }, () => large / 2)
    const question = { sql: 'SELECT hex(zeroblob(value)) AS text FROM json_each(?1)', params: [JSON.stringify(rows)] }
    await databaseFor(env, orgId, null).all(question)
    expect(afterOthers).not.toHaveBeenCalledWith(orgId, expect.anything(), expect.anything())
    await databaseFor(env, orgId, null).all({ sql: 'SELECT 1', params: [] })
    expect(afterOthers).toHaveBeenCalledWith(orgId, expect.anything(), false)
  })

  it('what is done in the background does not count as taken by those who call', async () => {
    const orgId = newId()
    const question = { sql: 'SELECT hex(zeroblob(?1)) AS text', params: [500_000] }
    const noteTaken = vi.spyOn(company, 'noteTaken')
    await databaseFor(env, orgId).all(question)
    expect(noteTaken).not.toHaveBeenCalledWith(orgId, expect.anything())
    await databaseFor(env, orgId, null).all(question)
    expect(noteTaken).toHaveBeenCalledWith(orgId, expect.anything())
  })

  it('work in the background reads in portions in company alone', async () => {
    const orgId = newId()
    await alone(orgId)
    const db = databaseFor(env, orgId)
    expect(db.holdsUpOthers).toBe(false)
    visitOf(newId())
    expect(db.holdsUpOthers).toBe(true)
    expect(databaseFor(env, orgId, null).holdsUpOthers).toBe(false)
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

  it('whoever takes much is known for a moment', async () => {
    const own = newId()
    for (let call = 0; call < 20; call++) noteTaken(own, 1)
    expect(takesMuch(own)).toBe(false)
    noteTaken(own, 150)
    expect(takesMuch(own)).toBe(true)
    await eventually(
      async () => takesMuch(own),
      isMuch => !isMuch,
    )
  })
})

describe('N60 a load', () => {
  const ROWS = 1000
  const csv = ['itemFamilyFederatedId', ...Array.from({ length: ROWS }, (_, at) => `F${at}`)].join('\n')

  /** How many entities each of its commits has written. */
  async function commitsOf(org: TestOrg): Promise<number[]> {
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const look = async () => {
      await workOnLoads(env, org.id)
      return (await org.get<Load>(`/loader-processes/${id}`)).body
    }
    expect(await eventually(look, ({ endedOn }) => endedOn !== undefined)).toMatchObject({ status: 'completed' })
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS count FROM entities WHERE org_id = ?1 AND kind = 'item' GROUP BY created_on",
    )
      .bind(org.id)
      .all<{ count: number }>()
    return results.map(({ count }) => count)
  }

  it('writes in one commit what it writes alone', async () => {
    const org = await newOrg()
    await alone(org.id)
    expect(await commitsOf(org)).toEqual([ROWS])
  })

  it('writes in smaller commits while others are being served', async () => {
    const org = await newOrg()
    holdClock()
    visitOf(newId())
    const commits = await commitsOf(org)
    expect(Math.max(...commits)).toBe(LOAD_COMMIT_IN_COMPANY_ENTITIES)
    expect(commits.reduce((sum, count) => sum + count, 0)).toBe(ROWS)
  })
})
