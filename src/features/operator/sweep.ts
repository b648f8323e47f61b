// Removes what deleted organizations leave behind, a bounded number of rows at a time. Safe to repeat at any point, and repeated
// for days: what was under way at the deletion (an upload, a step of a load) may still write after the first sweep (N70).

import { type Database, inEachDatabase } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { allKinds, type Kind } from '../../platform/kind.ts'
import { DELETED_SWEPT_DAYS, DELETION_STALL_MS } from '../../platform/limits.ts'
import { forgetWatches } from '../../platform/wake/watch.ts'
import { abortUploads } from '../files/store.ts'
import { requireAllDatabases } from '../organizations/service.ts'
import { reopenAbandoned } from './deletion-store.ts'
import { buriedOrgs, hasTombstone, idsOf, removeOrg, removeSome, removeTombstone } from './store.ts'

const ROWS_A_STEP = 2000
const STEPS_A_SWEEP = 200
const IDS_A_STEP = 200
const ORGS_A_STEP = 100
const DAY_MS = 24 * 3600 * 1000

export async function sweepOrganization(env: Env, orgId: string): Promise<void> {
  if (!(await hasTombstone(env, orgId))) return
  let isEmpty = true
  // It may have been in several of them, one after the other.
  await inEachDatabase(env, async db => {
    isEmpty = (await sweepRows(env, db, orgId)) && isEmpty
  })
  if (!isEmpty) return
  await requireAllDatabases(env)
  await removeFiles(env, orgId)
  await forgetWatches(env, orgId)
  await removeOrg(env, orgId)
}

/** Whether nothing is left of it in the database. */
async function sweepRows(env: Env, db: Database, orgId: string): Promise<boolean> {
  await abortUploads(env, db, orgId)
  for (const kind of allKinds()) await forgetAll(env, db, orgId, kind)
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    if ((await removeSome(db, orgId, ROWS_A_STEP)) === 0) return true
  }
  return false
}

export async function sweepDeletedOrganizations(env: Env, now: number): Promise<void> {
  await reopenAbandoned(env, now - DELETION_STALL_MS, ORGS_A_STEP).catch(error => console.error('tombstones', error))
  let after = ''
  for (;;) {
    const buried = await buriedOrgs(env, after, ORGS_A_STEP)
    for (const tombstone of buried) {
      // Its database may be away; those of others are not.
      await sweepBuried(env, tombstone, now).catch(error => console.error('sweep of', tombstone.id, error))
    }
    const last = buried.length === ORGS_A_STEP ? buried.at(-1) : undefined
    if (!last) return
    after = last.id
  }
}

async function sweepBuried(env: Env, { id, deletedOn }: { id: string; deletedOn: number }, now: number): Promise<void> {
  await sweepOrganization(env, id)
  if (deletedOn < now - DELETED_SWEPT_DAYS * DAY_MS) await removeTombstone(env, id)
}

/** While their rows still tell of them. */
async function forgetAll(env: Env, db: Database, orgId: string, { name, forget }: Kind): Promise<void> {
  if (!forget) return
  let after = 0
  for (;;) {
    const rows = await idsOf(db, orgId, name, after, IDS_A_STEP)
    const last = rows.at(-1)
    if (!last) return
    await forget(
      env,
      orgId,
      rows.map(({ id }) => id),
    )
    after = last.seq
  }
}

async function removeFiles(env: Env, orgId: string): Promise<void> {
  for (;;) {
    const { objects } = await env.FILES.list({ prefix: `${orgId}/`, limit: 1000 })
    if (objects.length === 0 || !(await hasTombstone(env, orgId))) return
    await env.FILES.delete(objects.map(object => object.key))
  }
}
