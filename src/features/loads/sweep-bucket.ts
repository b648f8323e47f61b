// Removes objects that no record leads to: whoever died between the object and its record has left them, and so has whoever died
// between removing a record and its object. Goes on each hour where it has stopped, and begins again at the end of the bucket.

import { allDatabases } from '../../platform/db/client.ts'
import type { Env } from '../../platform/env.ts'
import { UPLOAD_PENDING_MS } from '../../platform/limits.ts'
import { keysWithRecord, type StoredObject } from '../files/store.ts'
import { historyObjectIn } from '../history/history-file.ts'
import { ledToStatement } from '../history/history-files-store.ts'
import { requireAllDatabases } from '../organizations/service.ts'
import { underWay } from './store/loads.ts'

/** Where the last sweep has stopped; no key of an organization, because those hold a slash. */
const POSITION = 'sweep-position'
const OBJECTS_A_PAGE = 1000
const PAGES_A_SWEEP = 10

export async function sweepBucket(env: Env, now: number): Promise<void> {
  await requireAllDatabases(env)
  let startAfter = await (await env.FILES.get(POSITION))?.text()
  for (let page = 0; page < PAGES_A_SWEEP; page++) {
    const found = await env.FILES.list({ limit: OBJECTS_A_PAGE, ...(startAfter && { startAfter }) })
    // A record comes long before this, or never.
    const old = found.objects.filter(({ uploaded }) => uploaded.getTime() < now - UPLOAD_PENDING_MS)
    const keys = await withoutRecord(
      env,
      old.map(({ key }) => key),
    )
    if (keys.length > 0) await env.FILES.delete(keys)
    startAfter = found.truncated ? found.objects.at(-1)?.key : undefined
    if (startAfter === undefined) break
  }
  await env.FILES.put(POSITION, startAfter ?? '')
}

async function withoutRecord(env: Env, keys: readonly string[]): Promise<string[]> {
  const files = keys.flatMap(key => contentIn(key) ?? [])
  const staged = keys.flatMap(key => stagedIn(key) ?? [])
  const history = keys.flatMap(key => historyObjectIn(key) ?? [])
  const led = new Set<string>()
  for (const db of allDatabases(env)) {
    for (const key of await keysWithRecord(db, files)) led.add(key)
    const running = new Set(await underWay(db, [...new Set(staged.map(({ id }) => id))]))
    for (const { key, id } of staged) if (running.has(id)) led.add(key)
    const filed = new Set((await db.all(ledToStatement(history))).map(({ objectId }) => objectId))
    for (const { key, objectId } of history) if (filed.has(objectId)) led.add(key)
  }
  return [...files, ...staged, ...history].map(({ key }) => key).filter(key => !led.has(key))
}

/** See `contentKey`. */
function contentIn(key: string): StoredObject | undefined {
  const [, orgId, id, contentId] = /^([^/]+)\/files\/([^/]+)(?:\/([^/]+))?$/.exec(key) ?? []
  return orgId && id ? { key, orgId, id, contentId: contentId ?? null } : undefined
}

/** See `Staging` and `IssueStore`. */
function stagedIn(key: string): { key: string; id: string } | undefined {
  const id = /^[^/]+\/loads\/([^/]+)\//.exec(key)?.[1]
  return id ? { key, id } : undefined
}
