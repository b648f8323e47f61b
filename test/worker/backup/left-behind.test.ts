// What lies in the bucket of the nightly backups where somebody hung or died, and under lock rules (N63, N70).
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sweepSegments } from '../../../src/features/backup/abandoned.ts'
import { sweepBackups } from '../../../src/features/backup/kept.ts'
import { backUpAll, beginBackup, takeOver } from '../../../src/features/backup/nightly.ts'
import { sweepJobs } from '../../../src/platform/jobs/run.ts'
import { env, newOrg } from '../api.ts'
import { deleteOrg, exportCall } from './archive.ts'
import {
  archiveOf,
  type Backup,
  backupsOf,
  bucket,
  bucketWith,
  holdWatchdogs,
  isUnderWay,
  stepBackup,
  stepOnce,
  still,
} from './kept.ts'

holdWatchdogs()

const DAY_MS = 24 * 3600 * 1000
/** Any hour but that of the backups. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + 12 * 3600 * 1000

type Org = Awaited<ReturnType<typeof newOrg>>

const begin = ({ id, slug }: Org, now = Date.now(), env = still) =>
  beginBackup(env, env.BACKUPS ?? bucket(), id, slug, now)

const segmentsOf = async ({ id }: Org) => (await bucket().list({ prefix: `segments/${id}/` })).objects.length

const sweepLost = (of: R2Bucket, now: number) => sweepSegments(of, now, ({ orgId }) => isUnderWay(orgId))

const pagesOf = (limit: number) => bucketWith({ list: options => bucket().list({ ...options, limit }) })

/** As a rule for both prefixes has it: nothing goes, and nothing is written over. */
function lockedBucket() {
  const isLocked = (key: string) => /^(segments|complete)\//.test(key)
  return bucketWith({
    async delete(keys) {
      if ([keys].flat().some(isLocked)) throw new Error('delete: The object is locked by the bucket policy. (10069)')
      return bucket().delete(keys)
    },
    put: (async (...args: Parameters<R2Bucket['put']>) => {
      if (isLocked(args[0]) && (await bucket().head(args[0]))) throw new Error('put: The object is locked. (10069)')
      return bucket().put(...args)
    }) as R2Bucket['put'],
  })
}

/** The last step puts the entry, and dies before its mark is over. */
async function dies(of: R2Bucket, org: Org): Promise<void> {
  const put = (async (...args: Parameters<R2Bucket['put']>) => {
    if (args[1] === '') throw new Error('died')
    return of.put(...args)
  }) as R2Bucket['put']
  await expect(stepBackup({ ...still, BACKUPS: bucketWith({ put }) }, org.id)).rejects.toThrow('died')
}

describe('N63 the job of a nightly backup', () => {
  it('is not taken from the next backup by a wake-up that hung', async () => {
    const org = await newOrg()
    let goOn = () => {}
    const hung = new Promise<void>(resolve => {
      goOn = resolve
    })
    let isHeld = false
    const hold = async (key: unknown, isLast: boolean) => {
      if (key !== `under-way/${org.id}` || !isLast) return
      isHeld = true
      await hung
    }
    const slow = bucketWith({
      async delete(key) {
        await hold(key, true)
        return bucket().delete(key)
      },
      put: (async (...args: Parameters<R2Bucket['put']>) => {
        await hold(args[0], args[1] === '')
        return bucket().put(...args)
      }) as R2Bucket['put'],
    })
    await begin(org)
    const first = stepBackup({ ...still, BACKUPS: slow }, org.id)
    await expect.poll(() => isHeld).toBe(true)
    await stepBackup(still, org.id)
    expect(await isUnderWay(org.id)).toBe(false)
    await begin(org)
    goOn()
    await first
    expect(await isUnderWay(org.id)).toBe(true)
    await stepBackup(still, org.id)
    expect(await backupsOf(org.id)).toHaveLength(2)
  })

  it('of a backup that is whole does not cost it its segments, however old it is', async () => {
    const org = await newOrg()
    await begin(org)
    await dies(bucket(), org)
    await env.DB.prepare("UPDATE jobs SET state = json_set(state, '$.begunOn', ?) WHERE org_id = ?")
      .bind(Date.now() - 2 * DAY_MS, org.id)
      .run()
    await stepBackup(still, org.id)
    expect(await isUnderWay(org.id)).toBe(false)
    const [backup] = await backupsOf(org.id)
    expect((await archiveOf(backup as Backup)).pages.length).toBeGreaterThan(0)
  })

  it('goes with its organization, and its segments and its mark after two days', async () => {
    const org = await newOrg()
    await begin(org)
    await stepBackup(still, org.id)
    await begin(org)
    await exportCall(org.slug)
    await deleteOrg(org)
    await stepBackup(still, org.id)
    expect(await isUnderWay(org.id)).toBe(false)
    await backUpAll(still, NOON + DAY_MS)
    expect(await bucket().head(`under-way/${org.id}`)).not.toBeNull()
    const before = await segmentsOf(org)
    await bucket().delete('sweep-position')
    await backUpAll(still, NOON + 4 * DAY_MS)
    expect(await bucket().head(`under-way/${org.id}`)).toBeNull()
    expect(await segmentsOf(org)).toBeLessThan(before)
  })

  it('is woken by the cron where its watchdog is lost', async () => {
    const org = await newOrg()
    await begin(org)
    const woken: unknown[] = []
    const send = async (body: unknown) => {
      woken.push(body)
    }
    await sweepJobs({ ...still, LOAD_QUEUE: { send } as unknown as Queue })
    expect(woken).toContainEqual({ kind: 'job', lane: 'backup', orgId: org.id })
  })

  it('goes on where an earlier release has begun it, with the segments that are there', async () => {
    const org = await newOrg()
    await begin(org)
    const stored = await env.DB.prepare('SELECT state FROM jobs WHERE org_id = ?').bind(org.id).first<string>('state')
    const { phase: _, ...state } = JSON.parse(String(stored))
    await env.DB.prepare('DELETE FROM jobs WHERE org_id = ?').bind(org.id).run()
    await bucket().put(`under-way/${org.id}`, JSON.stringify(state))
    await takeOver(still, bucket(), org.id)
    await takeOver(still, bucket(), org.id)
    await stepBackup(still, org.id)
    const [backup, ...more] = await backupsOf(org.id)
    expect([backup?.id, more]).toEqual([state.id, []])
    expect((await archiveOf(backup as Backup)).pages.length).toBeGreaterThan(0)
  })
})

describe('N63, N70 segments that nothing leads to', () => {
  // From the beginning, wherever an earlier sweep has stopped.
  beforeEach(() => bucket().delete('sweep-position'))

  it('go after two days, whoever they belong to; those of a backup under way or complete stay', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const puts = (org: Org, id: string) => bucket().put(`segments/${org.id}/${id}/a`, 'x')
    await puts(org, '20200101T000000000Z-died')
    await puts({ ...org, id: 'AAAAAAAAAAAAAAAA' } as Org, '20200101T000000000Z-gone')
    await begin(other)
    await stepBackup(still, other.id)
    await begin(other)
    const before = await segmentsOf(other)
    await backUpAll(still, NOON)
    expect([await segmentsOf(org), await segmentsOf(other)]).toEqual([0, before])
    expect((await bucket().list({ prefix: 'segments/AAAAAAAAAAAAAAAA/' })).objects).toEqual([])
    await begin(org)
    await env.DB.prepare('DELETE FROM jobs WHERE org_id = ?').bind(org.id).run()
    await sweepLost(bucket(), Date.now() + DAY_MS)
    expect(await segmentsOf(org)).toBe(1)
    await sweepLost(bucket(), Date.now() + 3 * DAY_MS)
    expect([await segmentsOf(org), await segmentsOf(other)]).toEqual([0, before])
    await env.DB.prepare('DELETE FROM jobs WHERE org_id = ?').bind(other.id).run()
    await sweepLost(bucket(), Date.now() + 3 * DAY_MS)
    expect(await segmentsOf(other)).toBe(before - 1)
  })

  it('are found in steps, each behind the last one', async () => {
    const org = await newOrg()
    const left = Array.from({ length: 15 }, (_, n) => `segments/${org.id}/202001${10 + n}T000000000Z-died/a`)
    for (const key of left) await bucket().put(key, 'x')
    await sweepLost(pagesOf(1), Date.now())
    const after = await segmentsOf(org)
    expect(after).toBeGreaterThan(0)
    // Others may lie before them: a night of another test saves all organizations that there are.
    for (let turn = 0; turn < 1000 && (await segmentsOf(org)) > 0; turn++) await sweepLost(pagesOf(1), Date.now())
    expect(await segmentsOf(org)).toBe(0)
  })
})

describe('N63 a lock rule for complete/ and segments/', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockReturnValue()
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('keeps no backup from its end, and none from being given up', async () => {
    const org = await newOrg()
    const env = { ...still, BACKUPS: lockedBucket() }
    await begin(org, Date.now() - 2 * DAY_MS, env)
    await stepOnce(env, org.id)
    expect(await isUnderWay(org.id)).toBe(true)
    await dies(env.BACKUPS, org)
    await stepBackup(env, org.id)
    expect([await isUnderWay(org.id), (await backupsOf(org.id)).length]).toEqual([false, 1])
  })

  it('holds up no sweep: what is locked goes later', async () => {
    const org = await newOrg()
    await begin(org)
    await stepBackup(still, org.id)
    await bucket().put(`segments/${org.id}/20200101T000000000Z-died/a`, 'x')
    const sweep = async (swept: R2Bucket) => {
      await sweepBackups(swept, Date.now() + 60 * DAY_MS, async orgId => orgId !== org.id)
      await sweepLost(swept, Date.now() + 60 * DAY_MS)
      return [(await backupsOf(org.id)).length, await segmentsOf(org)]
    }
    expect(await sweep(lockedBucket())).toEqual([1, 3])
    // Whoever takes the keys and removes nothing is no endless loop.
    expect(await sweep(bucketWith({ delete: async () => undefined }))).toEqual([1, 3])
    expect(await sweep(bucket())).toEqual([0, 0])
  })
})
