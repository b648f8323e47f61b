// Forgets runs and tasks after their time (N42), a bounded number at a time.

import { type Database, databaseFor, inEachDatabase } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import type { Env } from '../../platform/env.ts'
import { inPages } from '../../platform/in-pages.ts'
import { kindNamed } from '../../platform/kind.ts'
import { RUNS_RETENTION_MS } from '../../platform/limits.ts'
import { type Expired, expiredRecords, sweepSecrets } from './sweep-store.ts'

const RECORDS_A_PAGE = 200
const RECORDS_A_COMMIT = 500

export async function sweepRuns(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, async db => {
    await sweepSecrets(db)
    const failed: string[] = []
    await inPages(
      RECORDS_A_PAGE,
      limit => expiredRecords(db, now - RUNS_RETENTION_MS, limit, failed),
      async expired => {
        for (const [orgId, own] of grouped(expired, record => record.orgId)) {
          await removeAll(databaseFor(env, orgId), orgId, own, now).catch(error => {
            // The others do not wait for it; the next sweep tries again.
            failed.push(orgId)
            console.error('runs of', orgId, error)
          })
        }
      },
    )
  })
}

async function removeAll(db: Database, orgId: string, expired: readonly Expired[], now: number): Promise<void> {
  let some: Expired[] = []
  for (const run of grouped(expired, ({ id, processId }) => processId ?? id).values()) {
    if (some.length + run.length > RECORDS_A_COMMIT) {
      await remove(db, orgId, some, now)
      some = []
    }
    some.push(...run)
  }
  await remove(db, orgId, some, now)
}

function grouped(expired: readonly Expired[], keyOf: (record: Expired) => string): Map<string, Expired[]> {
  const groups = new Map<string, Expired[]>()
  for (const record of expired) {
    const own = groups.get(keyOf(record))
    if (own) own.push(record)
    else groups.set(keyOf(record), [record])
  }
  return groups
}

/** A run goes with its tasks, in one transaction. */
async function remove(db: Database, orgId: string, records: readonly Expired[], now: number): Promise<void> {
  const writes = records.map(({ id, kind }): Write => ({ op: 'delete', kind: kindNamed(kind), id }))
  const scope = { db, org: { id: orgId, slug: '' }, actor: { id: 'sweep', type: 'workflow' as const }, now }
  await commit(scope, writes)
}
