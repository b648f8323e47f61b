// An organization as lines of JSON, in pages that each fit into memory; a call takes a bounded number of them and the next one goes
// on behind. What commits write is read in passes: the first reads all of it, each further one what has been written since the one
// before began, until no commit came between the begin of a pass and its end. Settings, people and logs come after that.
import type { OpenContext } from '../../platform/context.ts'
import { type Database, databaseFor, directory } from '../../platform/db/client.ts'
import { notFound } from '../../platform/errors.ts'
import { allKinds, findKind } from '../../platform/kind.ts'
import { EXPORT_CALL_MAX_BYTES, EXPORT_KEY_DAYS } from '../../platform/limits.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { OPERATOR } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { changeOrg } from '../operator/store.ts'
import { organization } from '../organizations/service.ts'
import type { OrgRow } from '../organizations/store.ts'
import { Cursor, END, FOLLOW, kindOf, LATE, LIVE, nextStage, raised, SETTINGS, stagesOf } from './cursor.ts'
import { checkPlace, endOfPass, expired, follow, kindNames, linesOf, type Step } from './follow.ts'
import { chained, FORMAT, type Line, organizationLine, type Secrets, textOf } from './lines.ts'
import { withSecrets } from './secrets.ts'
import { type ArchivedName, isInDirectory } from './store/archived-tables.ts'
import { type Page, readBeginning, readChanges, readKind, readOrg, readTable } from './store/read.ts'

const DAY_MS = 24 * 3600 * 1000

export interface Exported {
  /** Lines, the mark last. */
  text: string
  /** None: the archive is whole. */
  after: string | null
  /** When the reading began that found one state: the archive has every commit from before. */
  stateOn: number
  /** How many that were. */
  stateCommits: number
}

interface Source {
  context: Pick<OpenContext, 'env' | 'now'>
  db: Database
  org: OrgRow
  secrets: Secrets
}

const keyBelongsTo = ({ org, secrets }: Source) => JSON.stringify([org.id, 'export', secrets])

/** Pages behind a key, or from the beginning, as many as one call may have. */
export async function* exportPages(
  context: Source['context'],
  org: OrgRow,
  secrets: Secrets,
  after: string | undefined,
): AsyncGenerator<Exported, void> {
  const source: Source = { context, db: databaseFor(context.env, org.id), org, secrets }
  // What this isolate knows may be from before a move.
  await source.db.lookAgain()
  let cursor = after === undefined ? await beginning(source) : await cursorIn(source, after)
  for (let bytes = 0; bytes < EXPORT_CALL_MAX_BYTES; ) {
    const lines: Line[] = after === undefined && cursor.part === 0 ? [headOf(source)] : []
    do {
      const step = await stepFrom(source, cursor)
      lines.push(...step.lines)
      cursor = step.cursor
    } while (lines.length === 0)
    const page = await marked(source, lines, cursor)
    cursor = page.cursor
    bytes += page.exported.text.length
    yield page.exported
    if (page.exported.after === null) return
  }
}

async function marked(source: Source, lines: Line[], cursor: Cursor) {
  const isLast = lines.at(-1)?.table === END
  const text = textOf(lines)
  const digest = await chained(cursor.digest, text)
  const next: Cursor = { ...cursor, part: cursor.part + 1, digest }
  const after = isLast ? null : await writeKey([JSON.stringify(next)], keyBelongsTo(source))
  const files = lines.flatMap(contentIn)
  const mark: Line = { table: 'mark', part: cursor.part, digest, after, ...(files.length && { files }) }
  return {
    exported: { text: text + textOf([mark]), after, stateOn: cursor.passOn, stateCommits: cursor.commits },
    cursor: next,
  }
}

function contentIn({ table, kind, id, data }: Line): { id: string; size: number }[] {
  if (table !== 'entities' || !findKind(String(kind))?.hasContent) return []
  const { status, size } = JSON.parse(String(data)) as Record<string, unknown>
  return status === 'ready' ? [{ id: String(id), size: Number(size) }] : []
}

async function cursorIn(source: Source, after: string): Promise<Cursor> {
  const [text] = await readKey(after, keyBelongsTo(source), 'after')
  const cursor = Cursor.safeParse(parsed(String(text)))
  const isOld = cursor.success && cursor.data.begunOn < source.context.now - EXPORT_KEY_DAYS * DAY_MS
  if (cursor.success && !isOld) return cursor.data
  throw expired(`A backup must end within ${EXPORT_KEY_DAYS} days.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Those that the clock counts. */
const recordedKinds = () => allKinds().flatMap(({ name, recorded }) => (recorded ? [name] : []))

async function beginning({ context, db, org }: Source): Promise<Cursor> {
  const { clock, changes, unrecorded, publishes } = await readBeginning(db, org.id, recordedKinds())
  const newest = Math.max(changes, clock?.filedSeq ?? 0, clock?.historyFloor ?? 0)
  return {
    form: 1,
    begunOn: context.now,
    epoch: (await db.place()).epoch,
    pass: 1,
    passOn: context.now,
    commits: clock?.commits ?? 0,
    time: clock?.time ?? 0,
    since: 0,
    stage: stagesOf(kindNames())[0] ?? END,
    place: null,
    kinds: {},
    seqs: { unrecorded, publishes, deleted: newest, deletedUnrecorded: unrecorded },
    highest: {},
    part: 0,
    digest: '',
  }
}

const headOf = ({ org, secrets, context }: Source): Line => ({
  table: 'archive',
  format: FORMAT,
  organizationId: org.id,
  slug: org.slug,
  begunOn: context.now,
  secrets,
})

async function stepFrom(source: Source, cursor: Cursor): Promise<Step> {
  const { stage } = cursor
  if (stage === FOLLOW) return follow(source.db, source.org.id, cursor)
  if (stage === SETTINGS) return settings(source, cursor)
  if (stage === END) return { lines: [endOf(source, cursor)], cursor }
  const name = [...LIVE, ...LATE].find(one => one === stage)
  return name ? readOn(source, cursor, name) : readOnKind(source, cursor, kindOf(stage) ?? '')
}

async function readOnKind({ db, org }: Source, cursor: Cursor, kind: string): Promise<Step> {
  const page = await readKind(db, org.id, kind, cursor.place)
  checkPlace(cursor, page.clock)
  return { lines: linesOf('entities', page), cursor: moved(cursor, 'entities', page) }
}

async function readOn(source: Source, cursor: Cursor, name: ArchivedName): Promise<Step> {
  const { context, db, org } = source
  const upTo = name === 'unrecorded' || name === 'publishes' ? cursor.seqs[name] : undefined
  const page =
    name === 'changes'
      ? await readChanges(context.env, db, org.id, cursor.place)
      : await readTable(isInDirectory(name) ? directory(context.env) : db, name, org.id, cursor.place, upTo)
  if (!isInDirectory(name)) checkPlace(cursor, page.clock)
  const lines = await withSecrets(context.env, org.id, source.secrets, linesOf(name, page))
  const next = moved(cursor, name, page)
  const reached = Math.max(next.highest.changes ?? 0, page.clock?.filedSeq ?? 0)
  const seqs = name === 'changes' ? { ...next.seqs, changes: reached } : next.seqs
  const isEndOfPass = next.stage === FOLLOW
  return isEndOfPass
    ? endOfPass({ lines, cursor: { ...next, seqs } }, page.clock)
    : { lines, cursor: { ...next, seqs } }
}

function moved(cursor: Cursor, name: ArchivedName, { rows, place }: Page): Cursor {
  const stage = place ? cursor.stage : nextStage(stagesOf(kindNames()), cursor.stage)
  return { ...cursor, stage, place, highest: raised(cursor.highest, name, rows) }
}

async function settings({ context, org }: Source, cursor: Cursor): Promise<Step> {
  const row = await readOrg(context.env, org.id)
  if (!row) throw notFound('organization')
  return { lines: [organizationLine(row)], cursor: { ...cursor, stage: LATE[0], place: null } }
}

const endOf = ({ org }: Source, { part, highest }: Cursor): Line => ({
  table: END,
  format: FORMAT,
  organizationId: org.id,
  slug: org.slug,
  parts: part + 1,
  highest,
})

/** The lines of one call. It counts as exported when the last line has been sent (N70). */
export async function exportOrganization(
  context: OpenContext,
  slug: string,
  { secrets, after }: { secrets: Secrets; after?: string | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const org = await organization(context, slug)
  const pages = exportPages(context, org, secrets, after)
  // What is wrong with the key is told by a status, not in the middle of the lines.
  let next: IteratorResult<Exported, void> | undefined = await pages.next()
  // Whoever begins may stop before the end, and has read it all the same.
  if (after === undefined) {
    await recordAudit(context, { orgId: org.id, action: 'organization_exported', actor: OPERATOR, detail: { secrets } })
  }
  let sent: Exported | undefined
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = next ?? (await pages.next())
      next = undefined
      if (!done) {
        sent = value
        return controller.enqueue(encoder.encode(value.text))
      }
      if (sent?.after === null) {
        await changeOrg(context.env, slug, { exportedOn: sent.stateOn, exportedCommits: sent.stateCommits })
      }
      controller.close()
    },
    async cancel() {
      await pages.return(undefined)
    },
  })
}
