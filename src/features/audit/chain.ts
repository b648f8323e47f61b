// Chains the lines of audit trails (see formats/audit-chain.ts): by the hour, and before every export. An act and its line are one commit;
// the link follows, because the database knows no digests, and reading the last one first would let acts wait for each other.

import { databaseAt, directory } from '../../platform/db/client.ts'
import { DIRECTORY, databasesOf } from '../../platform/db/placement.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { type AuditLine, type ChainHead, digestOfLine, NO_LINES } from '../../platform/formats/audit-chain.ts'
import { AUDIT_EXPORT_LINES } from '../../platform/limits.ts'
import { bringRows, type Link, type StoredAudit, selectLines, unchained, unchainedTrails, writeLinks } from './store.ts'

const LINES_A_STEP = 500
const STEPS_A_CALL = 200
const STEPS_A_SWEEP = 20
const TRAILS_A_STEP = 100

/** Chains what is not chained yet, as much as one call may; where the chain then ends. */
export async function chainTrail(env: Env, orgId: string, maxSteps = STEPS_A_CALL): Promise<ChainHead> {
  for (let step = 0; ; step++) {
    const { head, rows } = await unchained(directory(env), orgId, LINES_A_STEP)
    if (rows.length === 0 || step === maxSteps) return headOf(head)
    await writeLinks(env, orgId, await linksOf(head, rows))
  }
}

const headOf = (row: StoredAudit | undefined): ChainHead =>
  row ? { number: row.number ?? 0, digest: row.digest ?? '' } : NO_LINES

async function linksOf(head: StoredAudit | undefined, rows: readonly StoredAudit[]): Promise<Link[]> {
  const links: Link[] = []
  let before = headOf(head)
  let latestOn = head?.latestOn ?? 0
  for (const row of rows) {
    const link = { seq: row.seq, number: before.number + 1, previousDigest: before.digest }
    const digest = await digestOfLine(lineOf({ ...row, ...link }))
    latestOn = Math.max(latestOn, row.createdOn)
    links.push({ ...link, digest, latestOn })
    before = { number: link.number, digest }
  }
  return links
}

export function lineOf(row: StoredAudit): AuditLine {
  return {
    number: row.number ?? 0,
    id: row.id,
    organizationId: row.orgId,
    createdOn: timeText(row.createdOn),
    action: row.action,
    actorType: row.actorType,
    actorId: row.actorId,
    address: row.address,
    subjectId: row.subjectId,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    previousDigest: row.previousDigest ?? '',
    digest: row.digest ?? '',
  }
}

/**
 * What is one commit with an organization's own rows has its line beside them: where that is not the directory, it is brought there.
 * Any number may do so at once.
 */
export async function bringLines(env: Env, database: string, orgId: string): Promise<void> {
  const db = databaseAt(env, database)
  while (database !== DIRECTORY) {
    const { rows } = await unchained(db, orgId, LINES_A_STEP)
    if (rows.length === 0) return
    await bringRows(env, db, orgId, rows)
  }
}

/** Of all organizations; one that fails does not hold up the others. Lines that were not exported yet come first. */
export async function chainTrails(env: Env): Promise<void> {
  for (const database of [...databasesOf(env).keys()].reverse()) {
    await inTrails(env, database, orgId =>
      database === DIRECTORY ? chainTrail(env, orgId, STEPS_A_SWEEP) : bringLines(env, database, orgId),
    ).catch(error => console.error('audit in', database, error))
  }
}

async function inTrails(env: Env, database: string, work: (orgId: string) => Promise<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const trails = await unchainedTrails(databaseAt(env, database), after, TRAILS_A_STEP)
    for (const { orgId } of trails) await work(orgId).catch(error => console.error('audit', orgId, error))
    const last = trails.length === TRAILS_A_STEP ? trails.at(-1) : undefined
    if (!last) return
    after = last.orgId
  }
}

/** The lines behind a number up to the head that the caller was told, page by page. */
export async function* linesOf(env: Env, orgId: string, after: number, head: ChainHead): AsyncGenerator<AuditLine[]> {
  for (let at = after; at < head.number; ) {
    const rows = await selectLines(env, orgId, at, head.number, AUDIT_EXPORT_LINES)
    const last = rows.at(-1)?.number
    if (!last) return
    yield rows.map(lineOf)
    at = last
  }
}
