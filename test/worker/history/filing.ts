// Moves change records of an organization into files, as many as a test wants, whatever their age.

import { sql } from 'drizzle-orm'
import { type FileBounds, fileRecords } from '../../../src/features/history/file-records.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { statement } from '../../../src/platform/db/sql.ts'
import { env, type Json, type TestOrg } from '../api.ts'

const DAY_MS = 86_400_000
/** Longer than records wait for others to fill a file. */
const APART_MS = 40 * DAY_MS
export const FIRST_ON = Date.parse('2010-01-01T00:00:00.000Z')

export const BOUNDS: FileBounds = { records: 5, bytes: 1_000_000, rows: 1_000_000, files: 1000 }

const run = (org: Pick<TestOrg, 'id'>, query: ReturnType<typeof sql>) =>
  databaseFor(env, org.id).all(statement<Record<string, unknown>>(query as never))

/** Gives the records that are in the table times that lie far apart and long ago, as if there had been few for years. */
export async function spread(org: Pick<TestOrg, 'id'>): Promise<void> {
  await run(
    org,
    sql`UPDATE changes SET created_on = ${FIRST_ON} + ${APART_MS} * (SELECT count(*) FROM changes c
      WHERE c.org_id = changes.org_id AND c.seq < changes.seq) WHERE org_id = ${org.id}`,
  )
}

/** The oldest `count` records, which `spread` has put apart, are in files afterwards. */
export function fileOldest(org: Pick<TestOrg, 'id'>, count: number, bounds: Partial<FileBounds> = {}): Promise<number> {
  const now = FIRST_ON + (count - 0.1) * APART_MS + DAY_MS
  return fileRecords(env, org.id, 1, now, { ...BOUNDS, ...bounds })
}

/** All of them, whatever their times. */
export function fileAll(org: Pick<TestOrg, 'id'>, bounds: Partial<FileBounds> = {}): Promise<number> {
  return fileRecords(env, org.id, 1, Date.now() + 100 * DAY_MS, { ...BOUNDS, ...bounds })
}

export async function inTable(org: Pick<TestOrg, 'id'>): Promise<number> {
  const [row] = await run(org, sql`SELECT count(*) AS n FROM changes WHERE org_id = ${org.id}`)
  return Number(row?.n)
}

export interface IndexRow {
  first_seq: number
  last_seq: number
  records: number
  object_id: string
}

export const filesOf = async (org: Pick<TestOrg, 'id'>) =>
  (await run(org, sql`SELECT * FROM history_files WHERE org_id = ${org.id} ORDER BY last_seq`)) as unknown as IndexRow[]

export async function objectsOf(org: Pick<TestOrg, 'id'>): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `${org.id}/history/` })
  return objects.map(({ key }) => key)
}

/** Every page of a query, to the end. */
export async function walked(org: TestOrg, query: Json): Promise<Json[]> {
  const records: Json[] = []
  for (let nextPageKey: unknown = null; ; ) {
    const { status, body } = await org.get('/change-history', {
      ...query,
      ...(nextPageKey !== null && { nextPageKey }),
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    records.push(...(body.results ?? []))
    nextPageKey = body.nextPageKey
    if (nextPageKey === null) return records
  }
}

/** What a poller sees that stores its syncKey after each call, from a key to the end. */
export async function polled(org: TestOrg, query: Json, from = ''): Promise<Json[]> {
  const records: Json[] = []
  for (let after = from; ; ) {
    const { status, body } = await org.get('/change-history', { ...query, after })
    if (status !== 200) throw new Error(JSON.stringify(body))
    records.push(...(body.results ?? []))
    if (body.syncKey === after) return records
    after = String(body.syncKey)
  }
}
