// Publishing an assortment (N33): its lists as files, its summary and those of the composites above it, a publish record
// and the event `assortment|publish`, the last three in one commit.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { claimedRows } from '../../platform/db/commit/idempotency.ts'
import { fieldsOf, type Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, isRefusal, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { PUBLISH_BY_HAND_MAX_MEMBERS, PUBLISH_MAX_COMPOSITES } from '../../platform/limits.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { getEntity } from '../entities/service.ts'
import { jsonTexts, type ReportFile, writeReport } from '../files/report-file.ts'
import { checkRoom, type FileScope } from '../files/service.ts'
import { contentKey, roomFor } from '../files/store.ts'
import { PUBLISHED, publishStatement } from '../history/outbox-store.ts'
import { ASSORTMENT } from './kind.ts'
import { putDownChanges } from './members-file.ts'
import { byTry } from './notes.ts'
import {
  type Change,
  changePages,
  clearChanges,
  countChanges,
  countMembers,
  insertPublish,
  isPublishedMeanwhile,
  lastPublish,
  memberPages,
  type Publish,
  type PublishFiles,
  type PublishPlace,
  publishesOf,
  readPublish,
  stillNewest,
} from './store.ts'
import { assortmentsAbove, summariesOf } from './summaries-store.ts'

function writeList(scope: FileScope, name: string, pages: AsyncIterable<readonly unknown[]>): Promise<ReportFile> {
  return writeReport(scope, { fileName: `${name}.json`, contentType: 'application/json' }, jsonTexts(pages))
}

export interface Counted {
  adds: number
  updates: number
  deletes: number
}

/** The assortment itself among them. */
async function allAbove({ db, org }: FileScope, assortmentId: string) {
  const above = await assortmentsAbove(db, org.id, assortmentId, PUBLISH_MAX_COMPOSITES + 2)
  if (above.length <= PUBLISH_MAX_COMPOSITES + 1) return above
  const detail = `More than ${PUBLISH_MAX_COMPOSITES} composites contain the assortment: it cannot be published.`
  throw new Fault('conflict', detail)
}

const TRIES = 5

/** Summaries are read before they are written: again, where one of the assortments was written or deleted in between. */
export async function untilUndisturbed<T>(publish: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await publish()
    } catch (error) {
      const isOvertaken = error instanceof Fault && ['precondition_failed', 'not_found'].includes(error.code)
      if (!isOvertaken || tries === TRIES) throw error
    }
  }
}

/** What must be committed for a publish whose files lie ready: the summaries are those of the versions that were read. */
export async function publishWork(
  scope: FileScope,
  changeId: string,
  assortmentId: string,
  counted: Counted,
  files: PublishFiles,
): Promise<{ writes: Write[]; statements: Statement[] }> {
  const { db, org, actor, chainDepth } = scope
  const now = Date.now()
  const above = await allAbove(scope, assortmentId)
  const summaryOf = await summariesOf(
    db,
    org.id,
    above.map(({ id }) => id),
  )
  const writes = above.map(({ id, version }): Write => {
    return { op: 'update', kind: ASSORTMENT, id, patch: { summary: summaryOf(id) }, versions: [version] }
  })
  const publish = {
    id: changeId,
    assortmentId,
    createdOn: now,
    createdById: actor.id,
    createdByType: actor.type,
    ...counted,
    files,
  }
  const event = { assortmentId, assortmentPublishChangeId: changeId }
  return {
    writes,
    statements: [
      stillNewest(scope, assortmentId, files.baseline),
      insertPublish(scope, publish),
      publishStatement({
        orgId: org.id,
        triggerKey: PUBLISHED,
        event,
        createdById: actor.id,
        chainDepth,
        id: changeId,
      }),
    ],
  }
}

/** Long lists are written in one go: `pause` is called after every page of them. */
type Pause = () => Promise<void>

async function* paused<T>(pages: AsyncIterable<T>, pause: Pause): AsyncGenerator<T> {
  for await (const page of pages) {
    yield page
    await pause()
  }
}

/**
 * The lists of a publish as files, and what to commit with them; `publishId` is whose changes are put down meanwhile. The files are
 * compared with each other, so that a change that comes in between is left for the next publish.
 */
export async function listChanges(
  scope: FileScope,
  { publishId, assortmentId }: { publishId: string; assortmentId: string },
  last: Publish | undefined,
  pause: Pause = async () => undefined,
): Promise<{ counted: Counted; files: PublishFiles; writes: Write[] }> {
  const { db, org } = scope
  await allAbove(scope, assortmentId)
  const list = (name: string, pages: AsyncIterable<readonly unknown[]>) => writeList(scope, name, paused(pages, pause))
  const members = await list('members', memberPages(db, org.id, assortmentId))
  await putDownChanges(scope, publishId, assortmentId, [last?.files.members, members.id], pause)
  const counted = await countChanges(db, publishId, assortmentId)
  const changed = (name: string, change: Change) =>
    list(name, changePages(db, { orgId: org.id, loadId: publishId, assortmentId, change }))
  const lists = {
    adds: await changed('adds', 'add'),
    updates: await changed('updates', 'update'),
    deletes: await changed('deletes', 'delete'),
  }
  const baseline = last ? undefined : await list('baseline', noPages())
  const files = {
    adds: lists.adds.id,
    updates: lists.updates.id,
    deletes: lists.deletes.id,
    members: members.id,
    // The members at the last publish are what was there before this one.
    baseline: last?.files.members ?? baseline?.id ?? '',
  }
  const written = [...Object.values(lists), members, ...(baseline ? [baseline] : [])]
  return { counted, files, writes: written.map(({ write }) => write) }
}

async function* noPages(): AsyncGenerator<readonly unknown[]> {}

/** By hand: also where nothing has changed. */
export async function publishByHand(context: Context, assortmentId: string) {
  await getEntity(context, ASSORTMENT, assortmentId)
  const kept = context.idempotency && (await claimedRows(context.db, context.org.id, context.idempotency))
  if (kept?.[0]) return repeated(context, assortmentId, kept[0].id)
  const { db, org } = context
  if ((await countMembers(db, org.id, assortmentId, PUBLISH_BY_HAND_MAX_MEMBERS + 1)) > PUBLISH_BY_HAND_MAX_MEMBERS) {
    throw new Fault(
      'too_large',
      `An assortment of more than ${PUBLISH_BY_HAND_MAX_MEMBERS} items is published by loads only.`,
    )
  }
  await checkRoom(context, 1, 1)
  const changeId = newId()
  const publishId = byTry(context.now, changeId)
  const last = await lastPublish(db, org.id, assortmentId)
  const { counted, files, writes } = await listChanges(context, { publishId, assortmentId }, last)
  const removeLists = () => context.env.FILES.delete(writes.map(({ id }) => contentKey(org.id, id)))
  const bytes = writes.reduce((sum, write) => sum + Number(fieldsOf(write).size), 0)
  const before = [roomFor({ orgId: org.id }, bytes, writes.length)]
  const { rows } = await untilUndisturbed(async () => {
    const work = await publishWork(context, changeId, assortmentId, counted, files)
    return commit(context, [...writes, ...work.writes], { before, after: work.statements, returning: false })
  }).catch(async error => {
    const isOvertaken = isPublishedMeanwhile(error)
    if (!isOvertaken && !isRefusal(error)) throw error
    await clearChanges(db, publishId, assortmentId)
    await removeLists()
    if (!isOvertaken) throw error
    throw new Fault('unavailable', 'Another caller published the assortment at the same time. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  })
  await clearChanges(db, publishId, assortmentId)
  const first = rows.find(row => row !== null)?.id
  if (first === undefined || first === files.adds) return publishRecord(context, assortmentId, changeId)
  await removeLists()
  return repeated(context, assortmentId, first)
}

/** A repeat under the same Idempotency-Key: the rows that came back are those of the first publish, its adds before all (N64). */
async function repeated(context: Context, assortmentId: string, addsFileId: string) {
  const publish = await readPublish(context.db, context.org.id, assortmentId, { addsFileId })
  if (!publish) throw notFound('publish')
  return shown(context, publish)
}

export async function publishRecord(context: Context, assortmentId: string, changeId: string) {
  await getEntity(context, ASSORTMENT, assortmentId)
  const publish = await readPublish(context.db, context.org.id, assortmentId, { id: changeId })
  if (!publish) throw notFound('publish')
  return shown(context, publish)
}

/** Newest first. */
export async function publishRecords(context: Context, assortmentId: string, page: PageRequest) {
  const { db, org } = context
  await getEntity(context, ASSORTMENT, assortmentId)
  return keysetPage(
    {
      belongsTo: `publishes ${org.id} ${assortmentId}`,
      place: z.tuple([z.number()]),
      placeOf: ({ seq }: PublishPlace) => [seq],
      read: (after, limit) => publishesOf(db, { orgId: org.id, assortmentId, before: after?.[0], limit }),
      show: ({ publish }) => shown(context, publish),
    },
    page,
  )
}

function shown({ baseUrl }: Context, publish: Publish) {
  const { id, assortmentId, createdById, createdByType, adds, updates, deletes, files } = publish
  const link = (fileId: string) => `${baseUrl}/files/${fileId}/content`
  return {
    id,
    assortmentId,
    createdOn: timeText(publish.createdOn),
    createdById,
    createdByType,
    detail: {
      adds,
      updates,
      deletes,
      addsUrl: link(files.adds),
      updatesUrl: link(files.updates),
      deletesUrl: link(files.deletes),
      baselineUrl: link(files.baseline),
    },
  }
}
