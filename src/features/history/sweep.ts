// Removes change records older than the organization's retention (N25), in files (N58) and in the table. A record and the floor that
// says it is gone go in one batch, so that no poller can miss it silently. Then old ones of what stays move into files.
import type { Env } from '../../platform/env.ts'
import { fileAllRecords } from './file-records.ts'
import { removeOldestFile } from './file-records-store.ts'
import { historyKey } from './history-file.ts'
import { orgsWithRetention, removeRecords } from './store.ts'

const DAY_MS = 86_400_000
const ROWS_A_STEP = 2000
const STEPS_A_SWEEP = 50

export async function sweepHistory(env: Env, now: number): Promise<void> {
  for (const { id, days } of await orgsWithRetention(env)) {
    // Its database may be away; those of others are not.
    await sweepOrganization(env, id, now - days * DAY_MS).catch(error => console.error('history of', id, error))
  }
  await fileAllRecords(env, now)
}

async function sweepOrganization(env: Env, id: string, before: number): Promise<void> {
  await sweepFiles(env, id, before)
  await sweepRecords(env, id, before)
}

/** Only whole ones: they are older than everything in the table. */
async function sweepFiles(env: Env, id: string, before: number): Promise<void> {
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    const file = await removeOldestFile(env, id, before)
    if (!file) return
    await env.FILES.delete(historyKey(id, file.objectId))
  }
}

async function sweepRecords(env: Env, id: string, before: number): Promise<void> {
  for (let step = 0; step < STEPS_A_SWEEP; step++) {
    if ((await removeRecords(env, id, before, ROWS_A_STEP)) < ROWS_A_STEP) return
  }
}
