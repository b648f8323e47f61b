// The backups that the service has made by itself, as the tests see them.
import { beforeEach, expect, onTestFinished, vi } from 'vitest'
import { BACKUPS } from '../../../src/features/backup/nightly.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import type { Env } from '../../../src/platform/env.ts'
import { pagesIn, pieceIn, unpacked } from '../../../src/platform/formats/bodies.ts'
import { readFrames } from '../../../src/platform/formats/frames.ts'
import { runLane } from '../../../src/platform/jobs/run.ts'
import { hasJobs } from '../../../src/platform/jobs/store.ts'
import { WatchObject } from '../../../src/platform/wake/watch-object.ts'
import { env, fetchWorker, OPERATOR_KEY, operator } from '../api.ts'
import type { Archive } from './archive.ts'

export const bucket = () => {
  if (!env.BACKUPS) throw new Error('no bucket')
  return env.BACKUPS
}

/** Nothing wakes it but the test. */
const nobody = async () => undefined
export const still = { ...env, LOAD_QUEUE: { send: nobody, sendBatch: nobody } as unknown as Queue }

/** The bucket, but for some of its calls. */
export const bucketWith = (calls: Partial<R2Bucket>): R2Bucket =>
  new Proxy(bucket(), {
    get(target, name) {
      const own = Reflect.get(calls, name)
      const value = Reflect.get(target, name)
      return own ?? (typeof value === 'function' ? value.bind(target) : value)
    },
  })

export async function isUnderWay(orgId: string): Promise<boolean> {
  return hasJobs(databaseFor(env, orgId), 'organization', orgId, BACKUPS.name)
}

/** A wake-up, to the end of its time. */
export const stepBackup = (given: Env, orgId: string) => runLane(given, BACKUPS, orgId)

/** A wake-up whose time is over after one step. */
export const stepOnce = (given: Env, orgId: string) => runLane(given, BACKUPS, orgId, 0)

/** No watchdog wakes it either. */
export function holdWatchdogs(): void {
  beforeEach(() => {
    const watch = vi.spyOn(WatchObject.prototype, 'watch').mockResolvedValue()
    onTestFinished(() => watch.mockRestore())
  })
}

export interface Backup {
  id: string
  organizationId: string
  slug: string
  bytes: number
}

/** A night of another test may have saved all organizations that there are. */
export async function backupsOf(orgId: string): Promise<Backup[]> {
  const found: Backup[] = []
  for (let key: string | null = ''; key !== null; ) {
    const place: string = key === '' ? '' : `&nextPageKey=${encodeURIComponent(key)}`
    const { body } = await operator<{ results: Backup[]; nextPageKey: string | null }>(
      'GET',
      `/backups?limit=1000${place}`,
    )
    found.push(...body.results.filter(({ organizationId }) => organizationId === orgId))
    key = body.nextPageKey
  }
  return found
}

export async function archiveOf({ organizationId, id, bytes }: Backup): Promise<Archive> {
  const headers = { 'X-Operator-Key': OPERATOR_KEY }
  const response = await fetchWorker(`/api/operator/backups/${organizationId}/${id}`, { headers })
  const content = new Uint8Array(await response.arrayBuffer())
  expect(content.length).toBe(bytes)
  const archive: Archive = { pages: [], contents: new Map() }
  async function* whole() {
    yield content
  }
  for await (const { kind, body } of readFrames(whole(), async () => undefined)) {
    if (kind === 'rows') archive.pages.push(pagesIn(await unpacked(body))[0]?.page ?? '')
    if (kind !== 'content') continue
    const { piece, bytes: part } = pieceIn(body)
    const at = archive.pages.length - 1
    archive.contents.set(at, [...(archive.contents.get(at) ?? []), { id: piece.fileId, bytes: part.buffer }])
  }
  return archive
}
