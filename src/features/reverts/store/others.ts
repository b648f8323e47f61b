// Who would stand against a revert (N52), as far as it can be told before anything is taken back: what was last written by the changes
// to take back will stand against nothing any more.
import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../../../platform/db/client.ts'
import type { Properties } from '../../../platform/db/commit/write.ts'
import { entities, type PropertyColumn } from '../../../platform/db/schema/entities.ts'
import { from, type Given, named, prepared } from '../../../platform/db/sql.ts'
import type { Kind } from '../../../platform/kind.ts'
import { REVERT_MAX_HOLDERS } from '../../../platform/limits.ts'
import type { Selection } from '../selection.ts'
import type { EntityKey } from './recorded.ts'

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

/** An entity that stands against the return or the deletion of the one with this id, by the values of these fields. */
export interface Holder {
  id: string
  by: EntityKey
  fields: readonly string[]
}

type HolderRow = { id: string; by: string }

const MOST = sql.raw(String(REVERT_MAX_HOLDERS))

interface Look extends Pick<Holder, 'fields'> {
  kind: string
  statement: Statement<HolderRow>
}

async function holdersFound(db: Database, looks: readonly Look[]): Promise<Holder[]> {
  const results = await db.batch(looks.map(({ statement }) => statement))
  return looks.flatMap(({ kind, fields }, at) =>
    (results[at]?.results ?? []).map(({ id, by }): Holder => ({ id, by: [kind, by], fields })),
  )
}

/** Which entities refer to these and were last written by others. */
export async function usedByOthers(
  db: Database,
  orgId: string,
  selection: Selection,
  kind: Kind,
  ids: readonly string[],
): Promise<Holder[]> {
  const looks = kind.referrers.map(({ kind: referrer, field, list }): Look => {
    const holds = list
      ? sql`EXISTS (SELECT 1 FROM json_each(${x.data}, ${sql.raw(`'$.${field}'`)}) m WHERE m.value = k.value)`
      : sql`${x[field]} = k.value`
    const statement = prepared<Asked, HolderRow>(
      given => sql`SELECT k.value AS id, ${x.id} AS by FROM json_each(${given.ids}) k CROSS JOIN ${from(x)}
        WHERE ${x.orgId} = ${given.orgId} AND ${x.kind} = ${sql.raw(`'${referrer}'`)} AND ${holds}
          AND ${isOfOthers(given)} LIMIT ${MOST}`,
    )(asked(orgId, selection, ids))
    return { kind: referrer, fields: [field], statement }
  })
  return holdersFound(db, looks)
}

/** An entity as it would be again. */
export interface Returning {
  id: string
  data: Properties
}

/** Which entities have the keys of these and were last written by others. */
export async function takenByOthers(
  db: Database,
  orgId: string,
  selection: Selection,
  kind: Kind,
  returning: readonly Returning[],
): Promise<Holder[]> {
  const federated: PropertyColumn[] = kind.federatedScope === 'kind' ? ['federatedId'] : ['federatedId', 'typePath']
  const keys: (readonly PropertyColumn[])[] = [federated, ['identifier'], kind.uniqueBy ?? []]
  const looks = keys.flatMap((fields): Look[] => {
    const rows = returning.map(({ id, data }) => [id, ...fields.map(field => data[field] ?? null)])
    const given = rows.filter(row => row.length > 1 && !row.includes(null))
    if (given.length === 0) return []
    const same = fields.map((field, at) => sql`${x[field]} = k.value ->> ${sql.raw(String(at + 1))}`)
    const statement = prepared<Asked, HolderRow>(
      values => sql`SELECT k.value ->> 0 AS id, ${x.id} AS by FROM json_each(${values.ids}) k CROSS JOIN ${from(x)}
        WHERE ${x.orgId} = ${values.orgId} AND ${x.kind} = ${sql.raw(`'${kind.name}'`)}
          AND ${sql.join(same, sql` AND `)} AND ${x.id} <> k.value ->> 0 AND ${isOfOthers(values)} LIMIT ${MOST}`,
    )(asked(orgId, selection, given))
    return [{ kind: kind.name, fields, statement }]
  })
  return holdersFound(db, looks)
}
