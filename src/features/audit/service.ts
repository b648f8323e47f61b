// Verbs of the audit trail: write down an act, with the commit that it is or where it has no batch of its own, and read the trail page
// by page or take it out.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { type CommitOptions, type Committed, commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { type ChainHead, headText } from '../../platform/formats/audit-chain.ts'
import { brokenRow, writeRow } from '../../platform/formats/csv-cell.ts'
import { BROKEN_LINE, streamOf, withLast } from '../../platform/http/streamed.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { bringLines, chainTrail, linesOf } from './chain.ts'
import type { ExportQuery } from './contract.ts'
import { type AuditEvent, type AuditScope, auditRow } from './entry.ts'
import { auditLine, insertAudit, type StoredAudit, selectAudit } from './store.ts'

export async function recordAudit(scope: AuditScope, event: AuditEvent): Promise<void> {
  await insertAudit(scope.env, auditRow(scope, event))
}

/** An act of the caller. */
export type Told = Omit<AuditEvent, 'orgId' | 'actor'>

/** The line is committed with the act that it records; a repeat under an Idempotency-Key adds none. */
export async function commitTold(
  context: Context,
  writes: readonly Write[],
  options: CommitOptions,
  event: Told | undefined,
): Promise<Committed> {
  const { env, org, actor } = context
  const line = event ? [auditLine(auditRow(context, { ...event, orgId: org.id, actor }))] : []
  const done = await commit(context, writes, { ...options, after: [...(options.after ?? []), ...line] })
  const { database } = await context.db.place()
  // What fails there is brought by the hour.
  if (event) context.defer(bringLines(env, database, org.id))
  return done
}

function shownAudit(row: StoredAudit) {
  return {
    id: row.id,
    createdOn: timeText(row.createdOn),
    action: row.action,
    actorType: row.actorType,
    actorId: row.actorId,
    address: row.address,
    subjectId: row.subjectId,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    number: row.number,
    digest: row.digest,
  }
}

export function listAudit({ env }: { env: Env }, orgId: string, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: `audit ${orgId}`,
      place: z.tuple([z.number(), z.number()]),
      placeOf: ({ createdOn, seq }: StoredAudit) => [createdOn, seq],
      read: (after, limit) => selectAudit(env, orgId, after, limit),
      show: shownAudit,
    },
    page,
  )
}

const COLUMNS = [
  'number',
  'id',
  'organizationId',
  'createdOn',
  'action',
  'actorType',
  'actorId',
  'address',
  'subjectId',
  'detail',
  'previousDigest',
  'digest',
] as const

/** The whole trail, oldest first. The head is told before the first line: a file that lacks its end does not fit it. */
export async function exportAudit(
  { env }: { env: Env },
  orgId: string,
  { format, after }: ExportQuery,
): Promise<Response> {
  const head = await chainTrail(env, orgId)
  const isCsv = format === 'csv'
  const texts = (isCsv ? csvTexts : jsonTexts)(env, orgId, after, head)
  return new Response(streamOf(withLast(texts, isCsv ? brokenRow(COLUMNS.length) : BROKEN_LINE)), {
    headers: {
      'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="audit.${format}"`,
      'Cache-Control': 'no-store',
      'Selvedge-Audit-Head': headText(head),
    },
  })
}

async function* jsonTexts(env: Env, orgId: string, after: number, head: ChainHead): AsyncGenerator<string> {
  for await (const lines of linesOf(env, orgId, after, head)) {
    yield lines.map(line => `${JSON.stringify(line)}\n`).join('')
  }
}

async function* csvTexts(env: Env, orgId: string, after: number, head: ChainHead): AsyncGenerator<string> {
  yield writeRow(COLUMNS, ',')
  for await (const lines of linesOf(env, orgId, after, head)) {
    const cells = lines.map(line => ({ ...line, detail: JSON.stringify(line.detail) }))
    yield cells
      .map(line =>
        writeRow(
          COLUMNS.map(name => String(line[name] ?? '')),
          ',',
        ),
      )
      .join('')
  }
}
