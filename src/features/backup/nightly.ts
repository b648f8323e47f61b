// Saves organizations into a bucket of their own, where one is bound, as durable jobs: one step is one bounded segment. A step that is done
// twice at once counts once: what it has written is named by the one that won.
import * as z from 'zod'
import { background } from '../../platform/background.ts'
import type { OpenContext } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { timeText } from '../../platform/db/row.ts'
import { base64Url, fromBase64Url } from '../../platform/digest.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { PIECE_BYTES, packed, pagesIn, pieceBody } from '../../platform/formats/bodies.ts'
import { beginning, FrameWriter } from '../../platform/formats/frames.ts'
import { newId } from '../../platform/ids.ts'
import { commitStep } from '../../platform/jobs/commit-step.ts'
import { defineJob, type Job, type JobContext, type Lane } from '../../platform/jobs/job.ts'
import { insertJob, readFirst } from '../../platform/jobs/store.ts'
import { sendJobs, watchJobs } from '../../platform/jobs/watchdog.ts'
import { BACKUP_HOUR_UTC, BACKUP_SEGMENT_BYTES } from '../../platform/limits.ts'
import { wakeNewBackups } from '../../platform/wake/message.ts'
import { OPERATOR } from '../audit/entry.ts'
import { download } from '../files/download.ts'
import { shownOrg } from '../operator/service.ts'
import { selectOrgs } from '../operator/store.ts'
import { organization } from '../organizations/service.ts'
import { ABANDONED_MS, sweepSegments } from './abandoned.ts'
import { exportPages } from './export.ts'
import {
  bucketOf,
  completeKey,
  idTime,
  markKey,
  type Place,
  pagesOf,
  removeSegments,
  segmentKey,
  sweepBackups,
} from './kept.ts'
import { orgWith } from './store/restores.ts'

const DAY_MS = 24 * 3600 * 1000
const ORGS_A_PAGE = 100
export const BACKUP_LANE = 'backup'

const State = z.object({
  phase: z.enum(['saving', 'completing']),
  orgId: z.string(),
  slug: z.string(),
  id: z.string(),
  begunOn: z.number(),
  bytes: z.number(),
  segments: z.array(z.string()),
  /** Absent: from the beginning; null: no page is left. */
  after: z.string().nullish(),
  files: z.array(z.object({ id: z.string(), size: z.number(), pieces: z.number() })),
  chain: z.string(),
})
type State = z.output<typeof State>

/** Once a day for each organization, by the hour, or later where that was missed. */
export async function backUpAll(env: Env, now: number): Promise<void> {
  const { BACKUPS } = env
  if (!BACKUPS) return
  const isNight = new Date(now).getUTCHours() === BACKUP_HOUR_UTC
  if (isNight) await beginAll(env)
  const isThere = async (orgId: string) => (await orgWith(env, orgId))?.deletedOn === null
  const prefix = markKey('')
  for await (const objects of pagesOf(BACKUPS, { prefix })) {
    const late: string[] = []
    for (const { key, uploaded, size } of objects) {
      const orgId = key.slice(prefix.length)
      const restedMs = now - uploaded.getTime()
      if (size > 0) await takeOver(env, BACKUPS, orgId)
      else if (restedMs > ABANDONED_MS && !(await isThere(orgId))) await BACKUPS.delete(key)
      // A mark is as old as the end of the last backup.
      else if (restedMs > DAY_MS && !isNight) late.push(orgId)
    }
    await wakeNewBackups(env, late)
  }
  await sweepBackups(BACKUPS, now, isThere)
  await sweepSegments(BACKUPS, now, place => isState(env, place))
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

/** The beginning of an archive is its first segment. */
async function newState(bucket: R2Bucket, orgId: string, slug: string, now: number): Promise<State> {
  const { bytes, chain } = await beginning({ slug, createdOn: timeText(now), source: null, encryption: null })
  const id = `${idTime(now)}-${newId()}`
  const name = newId()
  const about = { orgId, slug, id, begunOn: now, bytes: bytes.length, segments: [name] }
  await bucket.put(segmentKey(about, name), bytes)
  return { phase: 'saving', ...about, files: [], chain: base64Url(chain) }
}

/** One at a time; the one under way goes on. */
export async function beginBackup(env: Env, bucket: R2Bucket, orgId: string, slug: string, now: number): Promise<void> {
  const db = databaseFor(env, orgId)
  if (await readFirst(db, 'organization', orgId, BACKUP_LANE)) return
  const state = await newState(bucket, orgId, slug, now)
  if (!(await insertBackup(env, orgId, state))) await removeSegments(bucket, state)
}

async function insertBackup(env: Env, orgId: string, state: State): Promise<boolean> {
  const about = { id: newId(), orgId, lane: BACKUP_LANE, kind: 'backup', state, now: Date.now(), isAlone: true }
  await watchJobs(env, BACKUP_LANE, orgId)
  const isBegun = (await databaseFor(env, orgId).run(insertJob(about))) > 0
  await sendJobs(env, BACKUP_LANE, orgId)
  return isBegun
}

/** The release before the job runner kept its state in the mark. Its own steps fail from then on: the mark is another. */
export async function takeOver(env: Env, bucket: R2Bucket, orgId: string): Promise<void> {
  const held = await bucket.get(markKey(orgId))
  if (!held?.size) return
  const stored = State.parse({ phase: 'saving', ...(await held.json<object>()) })
  const state: State = isWhole(stored) ? { ...stored, phase: 'completing' } : stored
  const isTaken = await bucket.put(markKey(orgId), '', { onlyIf: { etagMatches: held.etag } })
  if (isTaken) await insertBackup(env, orgId, state)
}

async function isState(env: Env, { orgId, id }: Place): Promise<boolean> {
  const job = await readFirst(databaseFor(env, orgId), 'organization', orgId, BACKUP_LANE)
  return job !== undefined && State.parse(job.state).id === id
}

/** Whenever the operator wants one. */
export async function backUpNow(context: OpenContext, slug: string) {
  const bucket = bucketOf(context)
  const org = await organization(context, slug)
  await beginBackup(context.env, bucket, org.id, org.slug, context.now)
  return shownOrg(org)
}

export const BACKUP = defineJob<State>({
  kind: 'backup',
  state: State,
  phases: { saving: save, completing: complete },
  async onGiveUp(context, job) {
    const bucket = bucketOf(context)
    await removeSegments(bucket, job.state)
    return end(context, bucket, job)
  },
})

export const BACKUPS: Lane = {
  name: BACKUP_LANE,
  home: 'organization',
  jobs: [BACKUP],
  mayRun: async env => env.BACKUPS !== undefined,
}

/** One more segment. */
async function save(context: JobContext, job: Job<State>): Promise<Job<State> | undefined> {
  const { state, orgId } = job
  const bucket = bucketOf(context)
  const org = await orgWith(context.env, orgId)
  if (org?.deletedOn !== null) {
    await removeSegments(bucket, state)
    return end(context, bucket, job)
  }
  // A day later the next one was kept from beginning: it begins now.
  if (state.begunOn < Date.now() - DAY_MS) return beginAnew(context, bucket, job, org.slug)
  const key = fromBase64Url(state.chain)
  if (!key) throw new Error('unreadable state of a backup')
  const writer = new FrameWriter(key)
  const parts: Uint8Array[] = []
  const next = await taken(context.env, state, writer, parts).catch(error => {
    if (error instanceof Fault && error.code === 'sync_key_expired') return undefined
    throw error
  })
  // What was read cannot be gone on with: the organization has moved, or its history was swept.
  if (!next) return beginAnew(context, bucket, job, org.slug)
  const isDone = isWhole(next)
  if (isDone) parts.push(await writer.frame({ kind: 'end', body: new Uint8Array([123, 125]) }))
  const name = newId()
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  await bucket.put(segmentKey(state, name), joined(parts, length))
  return commitStep(context, job, {
    ...next,
    phase: isDone ? 'completing' : 'saving',
    bytes: state.bytes + length,
    segments: [...state.segments, name],
    chain: base64Url(writer.chain),
  })
}

async function beginAnew(context: JobContext, bucket: R2Bucket, job: Job<State>, slug: string): Promise<Job<State>> {
  const state = await newState(bucket, job.orgId, slug, Date.now())
  try {
    const begun = await commitStep(context, job, state)
    await removeSegments(bucket, job.state)
    return begun
  } catch (error) {
    await removeSegments(bucket, state)
    throw error
  }
}

const isWhole = ({ after, files }: State) => after === null && files.length === 0

async function complete(context: JobContext, job: Job<State>): Promise<undefined> {
  const { phase: _, after: __, files: ___, chain: ____, ...kept } = job.state
  const bucket = bucketOf(context)
  const customMetadata = { slug: kept.slug, bytes: String(kept.bytes), begunOn: String(kept.begunOn) }
  // Only once: a lock rule lets nothing be put again.
  if (!(await bucket.head(completeKey(kept)))) {
    await bucket.put(completeKey(kept), JSON.stringify(kept), { customMetadata })
  }
  return end(context, bucket, job)
}

/** The mark tells the cron when the last backup ended. */
async function end(context: JobContext, bucket: R2Bucket, job: Job<State>): Promise<undefined> {
  await bucket.put(markKey(job.orgId), '')
  await commitStep(context, job, job.state, { isDone: true, endsIt: true })
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
async function taken(env: Env, state: State, writer: FrameWriter, parts: Uint8Array[]): Promise<State> {
  const next: State = { ...state, files: [...state.files] }
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

async function pieceOf(env: Env, { orgId, slug }: State, { id, size, pieces }: State['files'][number]) {
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
