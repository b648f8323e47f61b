// Who would stand against a revert (N52), as far as it can be told before anything is taken back: what was last written by the changes
// to take back will stand against nothing any more.
import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../../../platform/db/client.ts'
import type { Properties } from '../../../platform/db/commit/write.ts'
import { entities, type PropertyColumn } from '../../../platform/db/schema/entities.ts'
import { from, type Given, named, prepared } from '../../../platform/db/sql.ts'
import type { Kind } from '../../../platform/kind.ts'
import type { Selection } from '../selection.ts'

const x = named(entities, 'x')

type Asked = {
  orgId: string
  /** A JSON list. */
  ids: string
  maker: string | null
  since: number
}

const isOfOthers = ({ maker, since }: Given<Asked>) => sql`(${x.updatedOn} < ${since} OR ${x.updatedById} <> ${maker})`

const asked = (orgId: string, { createdById: maker, since }: Selection, ids: unknown): Asked => ({
  orgId,
  ids: JSON.stringify(ids),
  maker,
  since,
})

async function idsOf(db: Database, statements: Statement<{ id: string }>[]): Promise<Set<string>> {
  const results = await db.batch(statements)
  return new Set(results.flatMap(({ results: rows }) => rows.map(({ id }) => id)))
}

/** Those of the entities that others refer to. */
export async function usedByOthers(
  db: Database,
  orgId: string,
  selection: Selection,
  kind: Kind,
  ids: readonly string[],
): Promise<Set<string>> {
  const statements = kind.referrers.map(({ kind: referrer, field, list }) => {
    const holds = list
      ? sql`EXISTS (SELECT 1 FROM json_each(${x.data}, ${sql.raw(`'$.${field}'`)}) m WHERE m.value = k.value)`
      : sql`${x[field]} = k.value`
    return prepared<Asked, { id: string }>(
      given => sql`SELECT k.value AS id FROM json_each(${given.ids}) k WHERE EXISTS (
        SELECT 1 FROM ${from(x)} WHERE ${x.orgId} = ${given.orgId} AND ${x.kind} = ${sql.raw(`'${referrer}'`)} AND ${holds}
          AND ${isOfOthers(given)})`,
    )(asked(orgId, selection, ids))
  })
  return idsOf(db, statements)
}

/** An entity as it would be again. */
export interface Returning {
  id: string
  data: Properties
}

/** Those of the entities whose keys others have taken. */
export async function takenByOthers(
  db: Database,
  orgId: string,
  selection: Selection,
  kind: Kind,
  returning: readonly Returning[],
): Promise<Set<string>> {
  const federated: PropertyColumn[] = kind.federatedScope === 'kind' ? ['federatedId'] : ['federatedId', 'typePath']
  const keys: (readonly PropertyColumn[])[] = [federated, ['identifier'], kind.uniqueBy ?? []]
  const statements = keys.flatMap(fields => {
    const rows = returning.map(({ id, data }) => [id, ...fields.map(field => data[field] ?? null)])
    const given = rows.filter(row => row.length > 1 && !row.includes(null))
    if (given.length === 0) return []
    const same = fields.map((field, at) => sql`${x[field]} = k.value ->> ${sql.raw(String(at + 1))}`)
    return prepared<Asked, { id: string }>(
      values => sql`SELECT k.value ->> 0 AS id FROM json_each(${values.ids}) k WHERE EXISTS (
        SELECT 1 FROM ${from(x)} WHERE ${x.orgId} = ${values.orgId} AND ${x.kind} = ${sql.raw(`'${kind.name}'`)}
          AND ${sql.join(same, sql` AND `)} AND ${x.id} <> k.value ->> 0 AND ${isOfOthers(values)})`,
    )(asked(orgId, selection, given))
  })
  return idsOf(db, statements)
}
