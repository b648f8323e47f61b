// Reads change records along commit order. A range of times becomes a range of commit order first, because times never run
// backwards in it (N23); then every access path is one index walked from where the last page ended.
import { isNotNull } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { type Database, databaseFor, directory } from '../../platform/db/client.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { Binder, unionOf } from '../../platform/db/sql.ts'

export interface ChangeRow {
  seq: number
  id: string
  org_id: string
  entity_type: string
  entity_id: string
  change_type: 'create' | 'update' | 'delete'
  created_on: number
  created_by_id: string
  created_by_type: string
  version: number
  detail: string
}

const COLUMNS =
  'seq, id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail'

export interface RecordsQuery {
  orgId: string
  /** Empty: all of them. */
  entityTypes: readonly string[]
  entity: { type: string; id: string } | undefined
  createdOn: readonly [from: number, to: number] | undefined
  descending: boolean
  afterSeq: number | undefined
  limit: number
}

export interface Records {
  rows: ChangeRow[]
  /** Commit order of the organization's newest record; 0 where there is none. */
  newest: number
  /** Records up to here have been swept. */
  floor: number
}

export async function readRecords(db: Database, query: RecordsQuery): Promise<Records> {
  const binder = new Binder()
  const [page, newest, floor] = await db.batch([
    { sql: recordsSql(query, binder), params: binder.params },
    {
      sql: 'SELECT seq FROM changes INDEXED BY changes_org WHERE org_id = ?1 ORDER BY seq DESC LIMIT 1',
      params: [query.orgId],
    },
    { sql: 'SELECT history_floor FROM clocks WHERE org_id = ?1', params: [query.orgId] },
  ])
  const floorSeq = Number(floor?.results[0]?.history_floor ?? 0)
  return {
    rows: (page?.results ?? []) as unknown as ChangeRow[],
    newest: Math.max(Number(newest?.results[0]?.seq ?? 0), floorSeq),
    floor: floorSeq,
  }
}

export function recordsSql(query: RecordsQuery, binder: Binder): string {
  const { orgId, entityTypes, entity, descending, limit } = query
  const { bind } = binder
  const org = bind(orgId)
  const direction = descending ? 'DESC' : 'ASC'
  const within = seqRange(query, org, binder)
  const walk = (index: string, condition: string) =>
    `SELECT ${COLUMNS} FROM changes INDEXED BY ${index} WHERE org_id = ${org}${condition}${within} ORDER BY seq ${direction} LIMIT ${limit}`
  if (entity) {
    return walk('changes_entity', ` AND entity_type = ${bind(entity.type)} AND entity_id = ${bind(entity.id)}`)
  }
  const [only, ...more] = entityTypes.map(type => walk('changes_entity_type', ` AND entity_type = ${bind(type)}`))
  if (only === undefined) return walk('changes_org', '')
  if (more.length === 0) return only
  const all = [only, ...more].map(one => `SELECT * FROM (${one})`)
  return `SELECT * FROM (${unionOf(all)}) ORDER BY seq ${direction} LIMIT ${limit}`
}

function seqRange({ createdOn, descending, afterSeq }: RecordsQuery, org: string, { bind }: Binder): string {
  const behind = afterSeq === undefined ? '' : ` AND seq ${descending ? '<' : '>'} ${bind(afterSeq)}`
  if (!createdOn) return behind
  const edge = (condition: string, direction: string) =>
    `(SELECT seq FROM changes INDEXED BY changes_created_on WHERE org_id = ${org} AND created_on ${condition} ORDER BY created_on ${direction}, seq ${direction} LIMIT 1)`
  const first = edge(`>= ${bind(createdOn[0])}`, 'ASC')
  const last = edge(`<= ${bind(createdOn[1])}`, 'DESC')
  return `${behind} AND seq >= ${first} AND seq <= ${last}`
}

export async function orgsWithRetention(env: Env): Promise<{ id: string; days: number }[]> {
  const rows = await directory(env)
    .select({ id: orgs.id, days: orgs.historyRetentionDays })
    .from(orgs)
    .where(isNotNull(orgs.historyRetentionDays))
  return rows.map(({ id, days }) => ({ id, days: days ?? 0 }))
}

/** Removes the oldest records before a time, at most `limit`, and raises the floor over them. */
export async function removeRecords(env: Env, orgId: string, before: number, limit: number): Promise<number> {
  const oldest = `SELECT seq FROM changes INDEXED BY changes_created_on WHERE org_id = ?1 AND created_on < ?2
    ORDER BY created_on, seq LIMIT ${limit}`
  const [, removed] = await databaseFor(env, orgId).batch([
    {
      sql: `UPDATE clocks SET history_floor = max(history_floor, coalesce((SELECT max(seq) FROM (${oldest})), 0)) WHERE org_id = ?1`,
      params: [orgId, before],
    },
    { sql: `DELETE FROM changes WHERE seq IN (${oldest})`, params: [orgId, before] },
  ])
  return removed?.meta.changes ?? 0
}
