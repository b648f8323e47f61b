// Forgets runs and tasks after their time (N42), a bounded number at a time.
import type { Env } from '../../env.ts'
import { type Database, databaseFor, inEachDatabase } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { inPages } from '../../platform/in-pages.ts'
import { kindNamed } from '../../platform/kind.ts'
import { RUNS_RETENTION_MS } from '../../platform/limits.ts'
import { type Expired, expiredRecords, sweepSecrets } from './sweep-store.ts'

const RECORDS_A_PAGE = 200

export async function sweepRuns(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, async db => {
    await sweepSecrets(db)
    await inPages(
      RECORDS_A_PAGE,
      limit => expiredRecords(db, now - RUNS_RETENTION_MS, limit),
      expired => removeAll(env, expired, now),
    )
  })
}

async function removeAll(env: Env, expired: readonly Expired[], now: number): Promise<void> {
  for (const orgId of new Set(expired.map(record => record.orgId))) {
    const own = expired.filter(record => record.orgId === orgId)
    await remove(databaseFor(env, orgId), orgId, own, now)
  }
}

/** A run goes with its tasks, in one transaction. */
async function remove(db: Database, orgId: string, records: readonly Expired[], now: number): Promise<void> {
  const writes = records.map(({ id, kind }): Write => ({ op: 'delete', kind: kindNamed(kind), id }))
  const scope = { db, org: { id: orgId, slug: '' }, actor: { id: 'sweep', type: 'workflow' as const }, now }
  await commit(scope, writes)
}
