// The backups that lie in the bucket: what they are called, how they are listed and read, and when they go.
import * as z from 'zod'
import type { OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { ID_PATTERN } from '../../platform/ids.ts'
import { BACKUP_KEPT_DAYS } from '../../platform/limits.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { OPERATOR, OPERATOR_TRAIL } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { orgWith } from './store/restores.ts'

const DAY_MS = 24 * 3600 * 1000
/** What the keys of their list belong to. */
const BACKUPS = 'backups'
const Cursor = z.tuple([z.string()])
/** Where the removal of those that are over has stopped. */
const POSITION = 'removal-position'
const REMOVALS_A_SWEEP = 100

export interface Kept {
  orgId: string
  slug: string
  /** Begins with its time, so that they lie in its order. */
  id: string
  begunOn: number
  bytes: number
  segments: string[]
}

export type Place = Pick<Kept, 'orgId' | 'id'>

/** The name is that of earlier releases, which kept the state of a backup under way in it. */
export const markKey = (orgId: string) => `under-way/${orgId}`
export const COMPLETE = 'complete/'
export const SEGMENTS = 'segments/'
export const completeKey = ({ orgId, id }: Place) => `${COMPLETE}${orgId}/${id}`
export const segmentsOf = ({ orgId, id }: Place) => `${SEGMENTS}${orgId}/${id}/`
export const segmentKey = (place: Place, name: string) => `${segmentsOf(place)}${name}`
/** What the id of a backup begins with. */
export const idTime = (time: number) => timeText(time).replaceAll(/[-:.]/g, '')

export function bucketOf({ env }: Pick<OpenContext, 'env'>): R2Bucket {
  if (env.BACKUPS) return env.BACKUPS
  throw new Fault('conflict', 'This deployment keeps no backups: it has no BACKUPS bucket.')
}

export function keyParts(key: string): Place {
  const [, orgId = '', id = ''] = key.split('/')
  return { orgId, id }
}

/** Those of one organization after the other, the oldest first. */
export async function listBackups(
  context: OpenContext,
  { limit, nextPageKey }: { limit: number; nextPageKey?: string | undefined },
) {
  // A cursor that is not the bucket's own would be its error, and ours.
  const [cursor] = nextPageKey === undefined ? [] : await readKey(nextPageKey, BACKUPS, 'nextPageKey', Cursor)
  const page = await bucketOf(context).list({
    prefix: COMPLETE,
    limit,
    ...(cursor && { cursor }),
    include: ['customMetadata'],
  })
  return {
    results: page.objects.map(({ key, uploaded, customMetadata = {} }) => ({
      id: keyParts(key).id,
      organizationId: keyParts(key).orgId,
      slug: customMetadata.slug ?? '',
      bytes: Number(customMetadata.bytes ?? 0),
      begunOn: timeText(Number(customMetadata.begunOn ?? 0)),
      completedOn: uploaded.toISOString(),
    })),
    nextPageKey: page.truncated ? await writeKey([page.cursor], BACKUPS) : null,
  }
}

/** The archive as one file. */
export async function backupContent(context: OpenContext, orgId: string, id: string) {
  const bucket = bucketOf(context)
  const isName = ID_PATTERN.test(orgId) && /^[\w-]{1,60}$/.test(id)
  const held = isName ? await bucket.get(completeKey({ orgId, id })) : null
  if (!held) throw notFound('backup')
  const kept = (await held.json()) as Kept
  await recordDownload(context, kept)
  const { readable, writable } = new FixedLengthStream(kept.bytes)
  context.defer(
    joined(bucket, kept, writable).catch(error => {
      console.error('backup', orgId, id, 'was not read to its end', error)
    }),
  )
  return { body: readable, bytes: kept.bytes, fileName: `${kept.slug}-${id}.selvedge` }
}

/** It holds digests of passwords. Of an organization that is gone nothing is written but the operator's own line (N70). */
async function recordDownload(context: OpenContext, { orgId, slug, id }: Kept): Promise<void> {
  const isThere = (await orgWith(context.env, orgId))?.deletedOn === null
  const trail = isThere ? orgId : OPERATOR_TRAIL
  const about = { actor: OPERATOR, subjectId: orgId, detail: { slug, backupId: id } }
  await recordAudit(context, { orgId: trail, action: 'backup_downloaded', ...about })
}

async function joined(bucket: R2Bucket, kept: Kept, writable: WritableStream): Promise<void> {
  for (const name of kept.segments) {
    const segment = await bucket.get(segmentKey(kept, name))
    if (!segment) return writable.abort(new Error('a segment is gone'))
    await segment.body.pipeTo(writable, { preventClose: true })
  }
  await writable.close()
}

export async function* pagesOf(bucket: R2Bucket, options: R2ListOptions): AsyncGenerator<R2Object[], void> {
  for (let { startAfter } = options; ; ) {
    const { objects, truncated } = await bucket.list({ ...options, ...(startAfter && { startAfter }) })
    yield objects
    startAfter = objects.at(-1)?.key
    if (!truncated) return
  }
}

/**
 * Those that are over their time; of an organization that is there the newest stays. A bounded number of them in each sweep: the next
 * one goes on behind, and at the end begins anew.
 */
export async function sweepBackups(
  bucket: R2Bucket,
  now: number,
  isThere: (orgId: string) => Promise<boolean>,
): Promise<void> {
  const before = now - BACKUP_KEPT_DAYS * DAY_MS
  const startAfter = await (await bucket.get(POSITION))?.text()
  let left = REMOVALS_A_SWEEP
  const from = { prefix: COMPLETE, include: ['customMetadata' as const], ...(startAfter && { startAfter }) }
  for await (const objects of pagesOf(bucket, from)) {
    for (const [at, { key, customMetadata = {} }] of objects.entries()) {
      if (Number(customMetadata.begunOn ?? 0) >= before) continue
      const kept = keyParts(key)
      const isNewest = keyParts(objects[at + 1]?.key ?? '').orgId !== kept.orgId
      if (isNewest && (await isThere(kept.orgId))) continue
      if (await removeSegments(bucket, kept)) await removed(kept, () => bucket.delete(key))
      left--
      if (left > 0) continue
      await bucket.put(POSITION, key)
      return
    }
  }
  if (startAfter) await bucket.put(POSITION, '')
}

/** Whether none is left. */
export function removeSegments(bucket: R2Bucket, place: Place): Promise<boolean> {
  const prefix = segmentsOf(place)
  return removed(place, async () => {
    for await (const objects of pagesOf(bucket, { prefix })) {
      if (objects.length) await bucket.delete(objects.map(({ key }) => key))
    }
    if ((await bucket.list({ prefix, limit: 1 })).objects.length) throw new Error('still there')
  })
}

/** What cannot be removed yet, because a lock rule guards it, holds up nothing: a later sweep finds it again. */
async function removed({ orgId, id }: Place, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    console.error('backup', orgId, id, 'was not removed', error)
    return false
  }
}
