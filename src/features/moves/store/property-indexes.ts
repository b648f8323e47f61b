// Indexes of properties in the target (N49). Triggers write their values there, with every entity that comes; so an index that was
// there before the entities is as whole as they are, and one that came later is filled when the organization has arrived.
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { propertyIndexes as p } from '../../../platform/db/schema/property-index.ts'
import { bare, columns, insertInto, type RowOf, statement } from '../../../platform/db/sql.ts'
import { type Turn, turnStatements } from './rows.ts'

type IndexRow = RowOf<typeof p>

const indexesIn = (db: Database, orgId: string): Promise<IndexRow[]> =>
  db.all(statement(sql<IndexRow>`SELECT ${columns(p)} FROM ${p} WHERE ${p.orgId} = ${orgId} ORDER BY ${p.id}`))

const inserted = ({ id, orgId, kind, property, path }: IndexRow, state: string) =>
  statement(sql`${insertInto(p, ['id', 'orgId', 'kind', 'property', 'path', 'state'])}
    VALUES (${id}, ${orgId}, ${kind}, ${property}, ${path}, ${state})`)

const dropped = ({ id, orgId }: IndexRow) =>
  statement(sql`UPDATE ${p} SET ${bare(p.state)} = 'dropping' WHERE ${p.id} = ${id} AND ${p.orgId} = ${orgId}`)

/** `isFirst`: no entity is there yet. */
export async function copyIndexes(
  source: Database,
  target: Database,
  turn: Turn,
  isFirst: boolean,
  makeRange: (ids: readonly number[]) => Promise<void>,
): Promise<number[]> {
  const [there, here] = await Promise.all([indexesIn(source, turn.orgId), indexesIn(target, turn.orgId)])
  const wanted = there.filter(({ state }) => state !== 'dropping')
  const isWanted = new Set(wanted.map(({ id }) => id))
  const known = new Set(here.map(({ id }) => id))
  const gone = here.filter(({ id, state }) => state !== 'dropping' && !isWanted.has(id))
  const come = wanted.filter(({ id }) => !known.has(id))
  const stateOf = ({ state }: IndexRow) => (isFirst ? state : 'filling')
  const statements = [...gone.map(dropped), ...come.map(index => inserted(index, stateOf(index)))]
  const ids = come.map(({ id }) => id)
  await makeRange(ids)
  if (statements.length) await target.batch([...turnStatements(turn), ...statements])
  return ids
}
