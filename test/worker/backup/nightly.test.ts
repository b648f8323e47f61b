// Organizations saved by the cron into a bucket of their own (N63).
import { describe, expect, it, vi } from 'vitest'
import { sweepBackups } from '../../../src/features/backup/kept.ts'
import { backUpAll, beginBackup, beginNightly } from '../../../src/features/backup/nightly.ts'
import { call, env, newOrg, OPERATOR_KEY, operator } from '../api.ts'
import { eventually } from '../eventually.ts'
import { deleteOrg, exportCall, restore } from './archive.ts'
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
/** The hour of the coming night. */
const NIGHT = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2.3 * 3600 * 1000

interface Line {
  action: string
  subjectId: string
}

describe('N63 the nightly backup', () => {
  it('begins for every organization at its hour, and at no other', async () => {
    const org = await newOrg()
    const told: { kind: string; orgId: string }[] = []
    // The organizations of all tests are in one database: their backups are asked for, and not made.
    const sendBatch = async (messages: { body: (typeof told)[number] }[]) => {
      told.push(...messages.map(({ body }) => body))
    }
    const BACKUPS = bucketWith({ list: async () => ({ objects: [], truncated: false, delimitedPrefixes: [] }) })
    const asked = { ...env, BACKUPS, LOAD_QUEUE: { sendBatch } as unknown as Queue }
    await backUpAll(asked, NIGHT + 3_600_000)
    expect(told).toEqual([])
    await backUpAll(asked, NIGHT)
    expect(told.filter(({ orgId }) => orgId === org.id)).toEqual([{ kind: 'begin-backup', orgId: org.id }])
  })

  it('begins later where its hour was missed: a day after the end of the last one', async () => {
    const org = await newOrg()
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    await stepBackup(still, org.id)
    const ended = (await bucket().head(`under-way/${org.id}`))?.uploaded.getTime() ?? 0
    const told: string[] = []
    const sendBatch = async (messages: { body: { kind: string; orgId: string } }[]) => {
      told.push(...messages.map(({ body }) => `${body.kind} ${body.orgId}`))
    }
    const asked = { ...still, LOAD_QUEUE: { ...still.LOAD_QUEUE, sendBatch } as unknown as Queue }
    await backUpAll(asked, ended + DAY_MS)
    const isNight = new Date(ended).getUTCHours() === 2
    expect(told.includes(`begin-backup ${org.id}`)).toBe(isNight)
    await backUpAll(asked, ended + DAY_MS + (isNight ? 3_600_000 : 1))
    expect(told).toContain(`begin-backup ${org.id}`)
  })

  it('is begun by a message, for organizations that are there', async () => {
    const org = await newOrg()
    await beginNightly(still, 'AAAAAAAAAAAAAAAA', Date.now())
    expect(await isUnderWay('AAAAAAAAAAAAAAAA')).toBe(false)
    await beginNightly(still, org.id, Date.now())
    expect(await isUnderWay(org.id)).toBe(true)
  })

  it('is begun by the operator at any time; one under way goes on; nobody has none', async () => {
    const org = await newOrg()
    const begin = (headers = {}) =>
      call('POST', `/api/operator/orgs/${org.slug}/backups`, {
        headers: { 'X-Operator-Key': OPERATOR_KEY, ...headers },
      })
    const keyed = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await begin(keyed)
    expect(first).toMatchObject({ status: 202, body: { id: org.id, slug: org.slug } })
    expect((await begin()).status).toBe(202)
    const isOver = async () => !(await isUnderWay(org.id))
    await eventually(isOver, is => is)
    // A repeat begins no other (N64).
    const made = await backupsOf(org.id)
    expect((await begin(keyed)).body).toEqual(first.body)
    await eventually(isOver, is => is)
    expect(await backupsOf(org.id)).toEqual(made)
    expect((await operator('POST', '/orgs/nobody/backups')).status).toBe(404)
  })

  it('is listed page by page, and a key of something else is 400', async () => {
    const orgs = [await newOrg(), await newOrg()]
    for (const { id, slug } of orgs) {
      await beginBackup(still, bucket(), id, slug, Date.now())
      await stepBackup(still, id)
    }
    const seen: string[] = []
    for (let key: string | null | undefined; key !== null; ) {
      const { body } = await operator<{ results: Backup[]; nextPageKey: string | null }>(
        'GET',
        `/backups?limit=1${key ? `&nextPageKey=${key}` : ''}`,
      )
      seen.push(...body.results.map(({ organizationId }) => organizationId))
      key = body.nextPageKey
    }
    for (const { id } of orgs) expect(seen.filter(each => each === id)).toHaveLength(1)
    expect((await operator('GET', '/backups?nextPageKey=nonsense')).status).toBe(400)
  })

  it('saves an organization whole, and it comes back from it with its secrets', async () => {
    const org = await newOrg()
    await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }])
    await org.call('POST', '/files?fileName=a.txt', { body: 'content', headers: { 'Content-Type': 'text/plain' } })
    const auth = { kind: 'header', name: 'X-Key', value: 'secret' }
    await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, { url: 'https://erp.example.com/in', events: [], auth })
    await beginBackup(env, bucket(), org.id, org.slug, Date.now())
    const [backup] = await eventually(
      () => backupsOf(org.id),
      ({ length }) => length === 1,
    )
    expect(backup).toMatchObject({ slug: org.slug })
    const archive = await archiveOf(backup as Backup)
    expect(archive.pages.join('')).not.toContain('"secret"')
    await exportCall(org.slug)
    await deleteOrg(org)
    const { body } = await restore(archive)
    expect(body).toMatchObject({ state: 'complete', leftOut: { endpoints: [] } })
    expect((await org.get('/items')).body.results).toHaveLength(2)
    expect((await operator('GET', '/backups/AAAAAAAAAAAAAAAA/none')).status).toBe(404)
  })

  it.each([
    ['before it writes a segment', (key: string) => !key.startsWith('under-way/')],
    ['between writing a segment and noting it', (key: string) => key.startsWith('under-way/')],
  ])('goes on where it died %s, and comes out whole', async (_, isTheEnd) => {
    const org = await newOrg()
    await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }])
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    const dies = bucketWith({
      put: ((key: string, ...rest: [string]) => {
        if (isTheEnd(key)) throw new Error('dies here')
        return bucket().put(key, ...rest)
      }) as unknown as R2Bucket['put'],
    })
    await expect(stepBackup({ ...still, BACKUPS: dies }, org.id)).rejects.toThrow('dies here')
    await stepBackup(still, org.id)
    const backups = await backupsOf(org.id)
    expect(backups).toHaveLength(1)
    const archive = await archiveOf(backups[0] as Backup)
    expect(archive.pages.join('').match(/name\W+[ab]\W/g)?.length).toBeGreaterThanOrEqual(2)
    expect(await isUnderWay(org.id)).toBe(false)
  })

  it('leaves a line for each download, with the operator where the organization is gone', async () => {
    const org = await newOrg()
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    await stepBackup(still, org.id)
    const [backup] = await backupsOf(org.id)
    const linesIn = async (path: string) => {
      const { body } = await operator<{ results: Line[] }>('GET', `${path}?limit=200`)
      return body.results.filter(({ action, subjectId }) => action === 'backup_downloaded' && subjectId === org.id)
    }
    const line = { actorId: 'operator', detail: { slug: org.slug, backupId: backup?.id } }
    await archiveOf(backup as Backup)
    await archiveOf(backup as Backup)
    expect(await linesIn(`/orgs/${org.slug}/audit`)).toMatchObject([line, line])
    expect(await linesIn('/audit')).toEqual([])
    await exportCall(org.slug)
    await deleteOrg(org)
    await archiveOf(backup as Backup)
    expect(await linesIn('/audit')).toMatchObject([line])
  })

  it('counts a step that is made twice once', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    for (let turn = 0; turn < 5; turn++) await Promise.all([stepBackup(still, org.id), stepBackup(still, org.id)])
    const [backup, ...more] = await backupsOf(org.id)
    expect(more).toEqual([])
    expect((await archiveOf(backup as Backup)).pages.length).toBeGreaterThan(1)
    expect(await isUnderWay(org.id)).toBe(false)
  })

  it('is whole where its last step was cut off after the end was framed', async () => {
    const org = await newOrg()
    await org.make('/items', { name: 'a' })
    let isCut = false
    const put: R2Bucket['put'] = async (...args: Parameters<R2Bucket['put']>) => {
      if (isCut || !args[0].startsWith('complete/')) return bucket().put(...args)
      isCut = true
      throw new Error('cut off')
    }
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    const cut = { ...still, BACKUPS: bucketWith({ put }) }
    for (let turn = 0; turn < 6; turn++) await stepBackup(cut, org.id).catch(() => undefined)
    expect(isCut).toBe(true)
    const [backup] = await backupsOf(org.id)
    expect((await archiveOf(backup as Backup)).pages.length).toBeGreaterThan(1)
    expect(await isUnderWay(org.id)).toBe(false)
  })

  it('has one under way at a time; one that takes longer than a day is given up with everything for the next', async () => {
    const org = await newOrg()
    const segments = async () => (await bucket().list({ prefix: `segments/${org.id}/` })).objects.length
    await beginBackup(still, bucket(), org.id, org.slug, Date.now() - 2 * DAY_MS)
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    expect(await segments()).toBe(1)
    await stepOnce(still, org.id)
    const job = await env.DB.prepare('SELECT state FROM jobs WHERE org_id = ?').bind(org.id).first<string>('state')
    const next = JSON.parse(String(job)) as { begunOn: number }
    expect(next.begunOn).toBeGreaterThan(Date.now() - DAY_MS)
    expect([await segments(), await backupsOf(org.id)]).toEqual([1, []])
    await stepBackup(still, org.id)
    expect(await backupsOf(org.id)).toHaveLength(1)
    expect(await isUnderWay(org.id)).toBe(false)
  })

  it('begins anew by itself where it cannot be gone on with', async () => {
    const org = await newOrg()
    const batch = Array.from({ length: 14 }, (_, n) => ({ name: `${n}`, text: 'x'.repeat(300_000) }))
    for (let turn = 0; turn < 5; turn++) await org.post('/items/batch', batch)
    const still = { ...env, LOAD_QUEUE: { send: async () => undefined } as unknown as Queue }
    await beginBackup(still, bucket(), org.id, org.slug, Date.now())
    await stepOnce(still, org.id)
    // As after a move.
    await env.DB.batch([
      env.DB.prepare('UPDATE orgs SET epoch = 2 WHERE id = ?').bind(org.id),
      env.DB.prepare('UPDATE clocks SET epoch = 2 WHERE org_id = ?').bind(org.id),
    ])
    while (await isUnderWay(org.id)) await stepBackup(still, org.id)
    const [backup] = await backupsOf(org.id)
    const archive = await archiveOf(backup as Backup)
    expect(archive.pages.join('').match(/"table":"entities"/g)).toHaveLength(70)
  })

  it('keeps backups for 30 days, and the newest of who is still there', async () => {
    const org = await newOrg()
    // A backup that takes longer than a day is given up: each is begun in the present and dated back.
    for (const days of [40, 35, 10]) {
      await beginBackup(still, bucket(), org.id, org.slug, Date.now())
      await stepBackup(still, org.id)
      const last = (await backupsOf(org.id)).at(-1)?.id
      const customMetadata = { slug: org.slug, bytes: '1', begunOn: String(Date.now() - days * DAY_MS) }
      await bucket().put(`complete/${org.id}/${last}`, '{}', { customMetadata })
    }
    const made = await backupsOf(org.id)
    expect(made).toHaveLength(3)
    const idsAfter = async (now: number, isThere: boolean) => {
      await sweepBackups(bucket(), now, async orgId => orgId !== org.id || isThere)
      return (await backupsOf(org.id)).map(({ id }) => id)
    }
    const ids = made.map(({ id }) => id)
    expect(await idsAfter(Date.now(), true)).toEqual(ids.slice(2))
    expect(await idsAfter(Date.now() + 60 * DAY_MS, true)).toEqual(ids.slice(2))
    expect(await idsAfter(Date.now() + 60 * DAY_MS, false)).toEqual([])
    expect((await bucket().list({ prefix: `segments/${org.id}/` })).objects).toEqual([])
  })

  it('removes a bounded number of them in an hour, each time behind the last one', async () => {
    const org = await newOrg()
    const begunOn = String(Date.now() - 40 * DAY_MS)
    const keys = Array.from({ length: 130 }, (_, at) => `complete/${org.id}/20200101T000000000Z-${1000 + at}`)
    for (const key of keys) await bucket().put(key, '{}', { customMetadata: { slug: org.slug, bytes: '1', begunOn } })
    const left = async () => (await bucket().list({ prefix: `complete/${org.id}/` })).objects.length
    const isThere = async (orgId: string) => orgId !== org.id
    // What a lock rule guards stays, and holds up nothing behind it.
    const locked = bucketWith({
      delete: async key => {
        if (String(key) <= String(keys[99])) throw new Error('locked')
        await bucket().delete(key)
      },
    })
    const quiet = vi.spyOn(console, 'error').mockReturnValue()
    await bucket().delete('removal-position')
    await sweepBackups(locked, Date.now(), isThere)
    expect(await left()).toBe(130)
    await sweepBackups(locked, Date.now(), isThere)
    quiet.mockRestore()
    expect(await left()).toBe(100)
    await sweepBackups(bucket(), Date.now(), isThere)
    await sweepBackups(bucket(), Date.now(), isThere)
    expect(await left()).toBe(0)
    await bucket().delete('removal-position')
  })
})
