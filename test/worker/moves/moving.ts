// Moves an organization as the operator does, and looks at what both databases have of it.
import { onTestFinished, vi } from 'vitest'
import { MOVES } from '../../../src/features/moves/job.ts'
import type { Env } from '../../../src/platform/env.ts'
import { runLane } from '../../../src/platform/jobs/run.ts'
import { WatchObject } from '../../../src/platform/wake/watch-object.ts'
import { type Answer, env, type Json, operator, type TestOrg } from '../api.ts'
import { linesOf, takeArchive } from '../backup/archive.ts'
import { second } from '../db/second-database.ts'
import { eventually } from '../eventually.ts'

export const DATABASES: Record<string, D1Database> = { DB: env.DB, DATA_01: second }

export const begin = ({ slug }: Pick<TestOrg, 'slug'>, database: string): Promise<Answer> =>
  operator('POST', `/orgs/${slug}/move`, { database })

export const look = ({ slug }: Pick<TestOrg, 'slug'>): Promise<Answer> => operator('GET', `/orgs/${slug}/move`)

/** By queue, watch and whatever else; answers how it ended. */
export async function ended(org: TestOrg): Promise<Json> {
  const { body } = await eventually(
    () => look(org),
    ({ body: { state } }) => state !== 'moving',
  )
  return body
}

export async function moveTo(org: TestOrg, database: string): Promise<Json> {
  const begun = await begin(org, database)
  if (begun.status !== 202) throw new Error(JSON.stringify(begun.body))
  return ended(org)
}

/** What a wake-up does. */
export const stepMove = (given: Env, orgId: string) => runLane(given, MOVES, orgId)

/** From here on moves go on when `steppedTo` takes them, and by nothing else. */
export function stepByHand(): void {
  const { send } = env.LOAD_QUEUE
  const spies = [
    vi.spyOn(WatchObject.prototype, 'watch').mockResolvedValue(),
    vi
      .spyOn(env.LOAD_QUEUE, 'send')
      .mockImplementation(async (body, options) =>
        body.kind === 'job' && body.lane === 'move' ? (undefined as never) : send.call(env.LOAD_QUEUE, body, options),
      ),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
}

export async function stepToEnd(org: TestOrg): Promise<Json> {
  for (;;) {
    await stepMove(env, org.id)
    const { body } = await look(org)
    if (body.state !== 'moving') return body
  }
}

export async function steppedTo(org: TestOrg, database: string): Promise<Json> {
  const begun = await begin(org, database)
  if (begun.status !== 202) throw new Error(JSON.stringify(begun.body))
  return stepToEnd(org)
}

/** Everything that an archive of the organization tells, but when it was made, and the trail that the move itself has left. */
export async function archiveOf(org: TestOrg): Promise<string[]> {
  const { pages } = await takeArchive(org.slug)
  return (
    pages
      .flatMap(linesOf)
      .filter(({ table }) => !/^(mark|archive|audit|end|organization)$/.test(String(table)))
      // How far events were dispatched goes on by itself.
      .map(line => JSON.stringify({ ...line, dispatchedSeq: undefined }))
  )
}

/** Names of the tables that have rows of it. */
export async function tablesWith(database: string, orgId: string): Promise<string[]> {
  const db = DATABASES[database] as D1Database
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%' ORDER BY name")
    .all<{ name: string }>()
  const counts = await db.batch<{ n: number }>(
    results.map(({ name }) => db.prepare(`SELECT count(*) AS n FROM ${name} WHERE org_id = ?`).bind(orgId)),
  )
  return results.flatMap(({ name }, at) => ((counts[at]?.results[0]?.n ?? 0) > 0 ? [name] : []))
}

const DERIVED = /^(search_|clocks$|idempotency)/
const DIRECTORY =
  /^(api|attempts|audit|credentials|dead_letters|directory_jobs|identity_providers|invitations|memberships|moves|old_copies|restores|sign_ons|tickets)/

/** All rows that it has in a database, of the tables that move. */
export async function rowsOf(database: string, orgId: string): Promise<string[]> {
  const db = DATABASES[database] as D1Database
  const tables = (await tablesWith(database, orgId)).filter(name => !DERIVED.test(name) && !DIRECTORY.test(name))
  const found = await db.batch<Record<string, unknown>>(
    tables.map(name => db.prepare(`SELECT * FROM ${name} WHERE org_id = ? ORDER BY rowid`).bind(orgId)),
  )
  return found.flatMap(({ results }, at) => results.map(row => `${tables[at]} ${JSON.stringify(row)}`))
}

export const stateIn = (database: string, orgId: string) =>
  (DATABASES[database] as D1Database).prepare('SELECT state FROM clocks WHERE org_id = ?').bind(orgId).first('state')
