// Publishing an assortment (N33): its lists as files, its summary and those of the composites above it, a publish record
// and the event `assortment|publish`, the last three in one commit.
import { kindNamed } from '../../kinds.ts'
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { claimedRows } from '../../platform/db/commit/idempotency.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { PUBLISH_BY_HAND_MAX_MEMBERS } from '../../platform/limits.ts'
import { getEntity } from '../entities/entities.ts'
import type { FileScope } from '../files/files.ts'
import { jsonTexts, type ReportFile, writeReport } from '../files/report-file.ts'
import { contentKey } from '../files/store.ts'
import { publishStatement } from '../history/outbox-store.ts'
import {
  assortmentsAbove,
  insertPublish,
  lastPublish,
  type MemberLine,
  memberPages,
  type Publish,
  type PublishFiles,
  readPublish,
  summaryOf,
} from './store.ts'

export const ASSORTMENT = kindNamed('assortment')

export function writeList(
  scope: FileScope,
  purpose: string,
  name: string,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<ReportFile> {
  return writeReport(scope, purpose, { fileName: `${name}.json`, contentType: 'application/json' }, jsonTexts(pages))
}

export interface Counted {
  adds: number
  updates: number
  deletes: number
}

/** What must be committed for a publish whose files lie ready. */
export async function publishWork(
  scope: FileScope,
  changeId: string,
  assortmentId: string,
  counted: Counted,
  files: PublishFiles,
): Promise<{ writes: Write[]; statements: Statement[] }> {
  const { db, org, actor } = scope
  const now = Date.now()
  const writes: Write[] = []
  for (const id of await assortmentsAbove(db, org.id, assortmentId)) {
    writes.push({ op: 'update', kind: ASSORTMENT, id, patch: { summary: await summaryOf(db, org.id, id) } })
  }
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
      insertPublish(scope, publish),
      publishStatement({
        orgId: org.id,
        triggerKey: 'assortment|publish',
        event,
        createdById: actor.id,
        now,
        id: changeId,
      }),
    ],
  }
}

interface Changes {
  adds: MemberLine[]
  updates: MemberLine[]
  deletes: MemberLine[]
}

/** By hand: everything since the last publish. */
export async function publishByHand(context: Context, assortmentId: string) {
  await getEntity(context, ASSORTMENT, assortmentId)
  const kept = context.idempotency && (await claimedRows(context.db, context.idempotency))
  if (kept?.[0]) return repeated(context, assortmentId, kept[0].id)
  const last = await lastPublish(context.db, context.org.id, assortmentId)
  const before = last ? await membersIn(context, last.files.members) : []
  const changes = await changesSince(context, assortmentId, before)
  const changeId = newId()
  const list = (name: string, lines: readonly MemberLine[]) =>
    writeList(context, `${changeId} ${name}`, name, pagesOf(lines))
  const written = {
    adds: await list('adds', changes.adds),
    updates: await list('updates', changes.updates),
    deletes: await list('deletes', changes.deletes),
    baseline: await list('baseline', before),
    members: await writeList(
      context,
      `${changeId} members`,
      'members',
      memberPages(context.db, context.org.id, assortmentId),
    ),
  }
  const files = Object.fromEntries(
    Object.entries(written).map(([name, { id }]) => [name, id]),
  ) as unknown as PublishFiles
  const counted = { adds: changes.adds.length, updates: changes.updates.length, deletes: changes.deletes.length }
  const work = await publishWork(context, changeId, assortmentId, counted, files)
  const fileWrites = Object.values(written).map(({ write }) => write)
  const { rows } = await commit(context, [...fileWrites, ...work.writes], { after: work.statements, returning: false })
  const first = rows.find(row => row !== null)?.id
  if (first === undefined || first === written.adds.id) return publishRecord(context, assortmentId, changeId)
  await context.env.FILES.delete(Object.values(written).map(({ id }) => contentKey(context.org.id, id)))
  return repeated(context, assortmentId, first)
}

/** A repeat under the same Idempotency-Key: the rows that came back are those of the first publish, its adds before all (N64). */
async function repeated(context: Context, assortmentId: string, addsFileId: string) {
  const publish = await readPublish(context.db, context.org.id, assortmentId, { addsFileId })
  if (!publish) throw notFound('publish')
  return shown(context, publish)
}

async function* pagesOf(lines: readonly MemberLine[]): AsyncGenerator<readonly MemberLine[]> {
  yield lines
}

async function membersIn(context: Context, fileId: string): Promise<MemberLine[]> {
  const object = await context.env.FILES.get(contentKey(context.org.id, fileId))
  return object ? object.json<MemberLine[]>() : []
}

async function changesSince(context: Context, assortmentId: string, before: readonly MemberLine[]): Promise<Changes> {
  const gone = new Map(before.map(line => [line.itemId, line]))
  const changes: Changes = { adds: [], updates: [], deletes: [] }
  let members = 0
  for await (const page of memberPages(context.db, context.org.id, assortmentId)) {
    members += page.length
    if (members > PUBLISH_BY_HAND_MAX_MEMBERS) {
      throw new Fault(
        'too_large',
        `An assortment of more than ${PUBLISH_BY_HAND_MAX_MEMBERS} items is published by loads only.`,
      )
    }
    for (const line of page) {
      const known = gone.get(line.itemId)
      if (!known) changes.adds.push(line)
      else if (known.version !== line.version || known.id !== line.id) changes.updates.push(line)
      gone.delete(line.itemId)
    }
  }
  changes.deletes.push(...gone.values())
  return changes
}

export async function publishRecord(context: Context, assortmentId: string, changeId: string) {
  await getEntity(context, ASSORTMENT, assortmentId)
  const publish = await readPublish(context.db, context.org.id, assortmentId, { id: changeId })
  if (!publish) throw notFound('publish')
  return shown(context, publish)
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
