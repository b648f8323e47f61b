// Saves organizations into a bucket of their own, where one is bound: one wake-up is one bounded step, and how far a backup has come
// lies in the bucket beside it. A step that is done twice at once counts once: what it has written is named by the one that won.

import { background } from '../../platform/background.ts'
import type { OpenContext } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { base64Url, fromBase64Url } from '../../platform/digest.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { PIECE_BYTES, packed, pagesIn, pieceBody } from '../../platform/formats/bodies.ts'
import { beginning, FrameWriter } from '../../platform/formats/frames.ts'
import { newId } from '../../platform/ids.ts'
import { BACKUP_HOUR_UTC, BACKUP_SEGMENT_BYTES, BACKUP_STALL_MS } from '../../platform/limits.ts'
import { NOT_THERE } from '../../platform/not-there.ts'
import { wakeBackup, wakeNewBackups } from '../../platform/wake/message.ts'
import { OPERATOR } from '../audit/entry.ts'
import { download } from '../files/download.ts'
import { shownOrg } from '../operator/operator.ts'
import { selectOrgs } from '../operator/store.ts'
import { organization } from '../organizations/organizations.ts'
import { ABANDONED_MS, sweepSegments } from './abandoned.ts'
import { exportPages } from './export.ts'
import {
  bucketOf,
  completeKey,
  idTime,
  type Kept,
  pagesOf,
  removeSegments,
  segmentKey,
  sweepBackups,
  underWayKey,
} from './kept.ts'
import { orgWith } from './store/restores.ts'

const DAY_MS = 24 * 3600 * 1000
const ORGS_A_PAGE = 100
interface UnderWay extends Kept {
  after: string | null | undefined
  files: { id: string; size: number; pieces: number }[]
  chain: string
}

/** Once a day for each organization, by the hour, or later where that was missed; and again for backups that have stopped. */
export async function backUpAll(env: Env, now: number): Promise<void> {
  const { BACKUPS } = env
  if (!BACKUPS) return
  const isNight = new Date(now).getUTCHours() === BACKUP_HOUR_UTC
  if (isNight) await beginAll(env)
  const prefix = underWayKey('')
  for await (const objects of pagesOf(BACKUPS, { prefix })) {
    const late: string[] = []
    for (const { key, uploaded, size } of objects) {
      const orgId = key.slice(prefix.length)
      const restedMs = now - uploaded.getTime()
      // An empty mark is as old as the end of the last backup.
      if (size === 0 && restedMs > DAY_MS && !isNight) late.push(orgId)
      // A night without another backup: its organization may be gone.
      if (restedMs > (size === 0 ? ABANDONED_MS : BACKUP_STALL_MS)) await wakeBackup(env, orgId)
    }
    await wakeNewBackups(env, late)
  }
  await sweepBackups(BACKUPS, now, async orgId => (await orgWith(env, orgId))?.deletedOn === null)
  await sweepSegments(BACKUPS, now)
}

async function beginAll(env: Env): Promise<void> {
  for (let after: string | undefined; ; ) {
    const orgs = await selectOrgs(env, after, ORGS_A_PAGE)
    await wakeNewBackups(
      env,
      orgs.map(({ id }) => id),
    )
    after = orgs.at(-1)?.slug
    if (orgs.length < ORGS_A_PAGE || after === undefined) return
  }
}

export async function beginNightly(env: Env, orgId: string, now: number): Promise<void> {
  const org = await orgWith(env, orgId)
  if (env.BACKUPS && org?.deletedOn === null) await beginBackup(env, env.BACKUPS, orgId, org.slug, now)
}

/** `instead`: of one that is given up. */
export async function beginBackup(
  env: Env,
  bucket: R2Bucket,
  orgId: string,
  slug: string,
  now: number,
  instead?: { etag: string; state: UnderWay },
): Promise<void> {
  const held = instead ? undefined : await bucket.head(underWayKey(orgId))
  // One at a time; the one under way goes on.
  if (held?.size) return
  const about = { slug, createdOn: timeText(now), source: null, encryption: null }
  const { bytes, chain } = await beginning(about)
  const id = `${idTime(now)}-${newId()}`
  const name = newId()
  const state: UnderWay = {
    orgId,
    slug,
    id,
    begunOn: now,
    bytes: bytes.length,
    segments: [name],
    after: undefined,
    files: [],
    chain: base64Url(chain),
  }
  await bucket.put(segmentKey(state, name), bytes)
  const etag = (instead ?? held)?.etag
  const onlyIf = etag === undefined ? NOT_THERE : { etagMatches: etag }
  const begun = await bucket.put(underWayKey(orgId), JSON.stringify(state), { onlyIf })
  if (begun) await wakeBackup(env, orgId)
  const useless = begun ? instead?.state : state
  if (useless) await removeSegments(bucket, useless)
}

/** Whenever the operator wants one. */
export async function backUpNow(context: OpenContext, slug: string) {
  const bucket = bucketOf(context)
  const org = await organization(context, slug)
  await beginBackup(context.env, bucket, org.id, org.slug, context.now)
  return shownOrg(org)
}

export async function stepBackup(env: Env, orgId: string): Promise<void> {
  const { BACKUPS } = env
  const held = await BACKUPS?.get(underWayKey(orgId))
  if (!BACKUPS || !held) return
  const org = await orgWith(env, orgId)
  const isThere = org?.deletedOn === null
  if (held.size === 0) return isThere ? undefined : BACKUPS.delete(underWayKey(orgId))
  const state = (await held.json()) as UnderWay
  if (!isThere) {
    await removeSegments(BACKUPS, state)
    return release(BACKUPS, orgId, held.etag)
  }
  // An earlier step has framed the end, and got no further.
  if (isWhole(state)) return complete(BACKUPS, state, held.etag)
  // A day later the next one was kept from beginning: it begins now.
  const now = Date.now()
  const anew = () => beginBackup(env, BACKUPS, orgId, org.slug, now, { etag: held.etag, state })
  if (state.begunOn < now - DAY_MS) return anew()
  const key = fromBase64Url(state.chain)
  if (!key) throw new Error('unreadable state of a backup')
  const writer = new FrameWriter(key)
  const parts: Uint8Array[] = []
  const next = await taken(env, state, writer, parts).catch(error => {
    if (error instanceof Fault && error.code === 'sync_key_expired') return undefined
    throw error
  })
  // What was read cannot be gone on with: the organization has moved, or its history was swept.
  if (!next) return anew()
  const isDone = isWhole(next)
  if (isDone) parts.push(await writer.frame({ kind: 'end', body: new Uint8Array([123, 125]) }))
  const name = newId()
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const told: UnderWay = {
    ...next,
    bytes: state.bytes + bytes,
    segments: [...state.segments, name],
    chain: base64Url(writer.chain),
  }
  await BACKUPS.put(segmentKey(state, name), joined(parts, bytes))
  const won = await BACKUPS.put(underWayKey(orgId), JSON.stringify(told), { onlyIf: { etagMatches: held.etag } })
  if (!won) return
  return isDone ? complete(BACKUPS, told, won.etag) : wakeBackup(env, orgId)
}

const isWhole = ({ after, files }: UnderWay) => after === null && files.length === 0

async function complete(bucket: R2Bucket, told: UnderWay, etag: string): Promise<void> {
  const { after: _, files: __, chain: ___, ...kept } = told
  const customMetadata = { slug: kept.slug, bytes: String(kept.bytes), begunOn: String(kept.begunOn) }
  // Only once: a lock rule lets nobody put it again.
  if (!(await bucket.head(completeKey(kept)))) {
    await bucket.put(completeKey(kept), JSON.stringify(kept), { customMetadata })
  }
  await release(bucket, kept.orgId, etag)
}

/** Deleting has no condition, and might meet the next backup's mark: an empty one takes its place until then. */
async function release(bucket: R2Bucket, orgId: string, etag: string): Promise<void> {
  await bucket.put(underWayKey(orgId), '', { onlyIf: { etagMatches: etag } })
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Frames as many as fit into one segment: the contents that are still to come, or the next pages. */
async function taken(env: Env, state: UnderWay, writer: FrameWriter, parts: Uint8Array[]): Promise<UnderWay> {
  const next: UnderWay = { ...state, files: [...state.files] }
  const room = () => parts.reduce((sum, part) => sum + part.length, 0) < BACKUP_SEGMENT_BYTES
  if (next.files.length === 0 && next.after !== null) {
    const org = await orgWith(env, state.orgId)
    if (!org) return next
    for await (const { text, after } of exportPages({ env, now: Date.now() }, org, 'sealed', next.after)) {
      parts.push(await writer.frame({ kind: 'rows', body: await packed(text) }))
      next.after = after
      next.files = (pagesIn(text)[0]?.mark.files ?? []).map(file => ({ ...file, pieces: 0 }))
      if (next.files.length || !room()) break
    }
  }
  for (let [file] = next.files; file && room(); [file] = next.files) {
    const body = await pieceOf(env, state, file)
    parts.push(await writer.frame({ kind: 'content', body: body.bytes }))
    file.pieces++
    if (body.isLast) next.files.shift()
  }
  return next
}

async function pieceOf(env: Env, { orgId, slug }: UnderWay, { id, size, pieces }: UnderWay['files'][number]) {
  const from = pieces * PIECE_BYTES
  const isLast = from + PIECE_BYTES >= size
  const range = size > PIECE_BYTES ? { Range: `bytes=${from}-${Math.min(size, from + PIECE_BYTES) - 1}` } : {}
  const piece = { fileId: id, piece: pieces + 1, isLast }
  try {
    const { body } = await download(background(env, { id: orgId, slug }, OPERATOR), id, new Headers(range))
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    return { bytes: pieceBody(piece, bytes), isLast }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error
    const gone = { fileId: id, piece: 1, isLast: true, isGone: true } as const
    return { bytes: pieceBody(gone, new Uint8Array()), isLast: true }
  }
}
