// The outbox: change records, and events that are no change of an entity. How far it has been dispatched stands on the
// organization's clock, and moves in the transaction that records what came of the events.
import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../../platform/db/client.ts'
import { CHANGE_INDEX, changes, clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { endpoints, publishedEvents } from '../../platform/db/schema/events.ts'
import { bare, columns, type Given, indexedBy, insertInto, prepared, type RowOf } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { allKinds } from '../../platform/kind.ts'
import { changeKeys } from './change-event.ts'

/** The trigger key of events that are no change of an entity. */
export const PUBLISHED = 'assortment|publish'

export interface PublishedEvent {
  orgId: string
  triggerKey: string
  event: Record<string, unknown>
  /** The load, process or caller behind it. */
  createdById: string
  /** Of the caller, in a chain of workflows. */
  chainDepth?: number | undefined
  /** A writer that may be repeated gives an id of its own: the second insert does nothing. */
  id?: string
}

type PublishValues = Record<'id' | 'orgId' | 'triggerKey' | 'event' | 'createdById', string> & {
  chainDepth: number | null
}

const publish = prepared<PublishValues>(
  ({ id, orgId, triggerKey, event, createdById, chainDepth }) => sql`
    ${insertInto(publishedEvents, ['id', 'orgId', 'triggerKey', 'event', 'createdById', 'createdOn', 'chainDepth'])}
    SELECT ${id}, ${orgId}, ${triggerKey}, ${event}, ${createdById}, ${clocks.time}, ${chainDepth} FROM ${clocks}
    WHERE ${clocks.orgId} = ${orgId} AND ${clocks.dispatchedSeq} IS NOT NULL
    ON CONFLICT (${bare(publishedEvents.id)}) DO NOTHING`,
)

/**
 * Runs in the transaction of the change and takes its time; `announce` afterwards dispatches the event at once. Writes
 * nothing without listeners.
 */
export function publishStatement({ id = newId(), event, chainDepth = 0, ...rest }: PublishedEvent): Statement {
  return publish({ id, event: JSON.stringify(event), chainDepth: chainDepth || null, ...rest })
}

/** Of an entity that listens: whether it is switched on. */
export const isActive = (table: typeof entities) => sql`coalesce(${table.data} ->> '$.isActive', 1) <> 0`

/** Trigger keys that something can happen by; all others are for requests and webhooks, and there is no end to them. */
export const eventKeys = () => [...changeKeys(allKinds().filter(kind => kind.recorded)), PUBLISHED]

/** Among the entities, those that wait for one of these events. */
export const isOfEvent = (keys: Parameters<typeof sql>[1]) =>
  sql`${entities.triggerKey} IS NOT NULL AND ${entities.triggerKey} IN (SELECT value FROM json_each(${keys}))`

/** What listens, and to which trigger keys. */
type ListenValues = Record<'orgId' | 'kinds' | 'keys', string>

export type Listening = Pick<RowOf<typeof clocks>, 'dispatchedSeq' | 'listensTo'>

const entityTypeOf = (triggerKey: SQL | typeof entities.triggerKey) =>
  sql`substr(${triggerKey}, 1, instr(${triggerKey} || '|', '|') - 1)`

/** The entity types that trigger keys begin with, apart by commas; null where there are none. */
const listenedTo = ({ orgId, kinds, keys }: Given<ListenValues>) => sql`(SELECT group_concat(DISTINCT name) FROM (
    SELECT ${entityTypeOf(sql`value`)} AS name FROM ${endpoints}, json_each(${endpoints.events}) WHERE ${endpoints.orgId} = ${orgId}
    UNION ALL
    SELECT ${entityTypeOf(entities.triggerKey)} FROM json_each(${kinds}) k CROSS JOIN ${entities} ${indexedBy(ENTITY_INDEX.triggerKey)}
      ON ${entities.orgId} = ${orgId} AND ${entities.kind} = k.value AND ${isOfEvent(keys)} AND ${isActive(entities)}))`

const listen = prepared<ListenValues, Listening>(
  given => sql`UPDATE ${clocks} SET ${bare(clocks.listensTo)} = l.names, ${bare(clocks.dispatchedSeq)} = CASE
      WHEN l.names IS NOT NULL
      THEN coalesce(${clocks.dispatchedSeq}, (SELECT coalesce(max(${changes.seq}), 0)
        FROM ${changes} ${indexedBy(CHANGE_INDEX.org)} WHERE ${changes.orgId} = ${given.orgId}))
    END
    FROM (SELECT ${listenedTo(given)} AS names) l
    WHERE ${clocks.orgId} = ${given.orgId} RETURNING ${columns(clocks, ['dispatchedSeq', 'listensTo'])}`,
)

/** Begins or ends the listening of an organization, by what is there to listen: nothing from before is dispatched. */
export function listenStatement(orgId: string): Statement<Listening> {
  const listening = allKinds().filter(kind => kind.listens)
  return listen({
    orgId,
    kinds: JSON.stringify(listening.map(kind => kind.name)),
    keys: JSON.stringify(eventKeys()),
  })
}

/** Begins the message of a transaction that another dispatcher was faster with. */
export const OVERTAKEN = 'overtaken'

type Place = { orgId: string; from: number; seqs: string }

const isAmong = ({ orgId, seqs }: Given<Pick<Place, 'orgId' | 'seqs'>>) => sql`${publishedEvents.orgId} = ${orgId}
  AND ${publishedEvents.seq} IN (SELECT value FROM json_each(${seqs}))`

const guard = prepared<Place>(
  given => sql`SELECT json_extract('{}', ${sql.raw(`'${OVERTAKEN}'`)})
    WHERE ${given.from} IS NOT (SELECT ${clocks.dispatchedSeq} FROM ${clocks} WHERE ${clocks.orgId} = ${given.orgId})
      OR (SELECT count(*) FROM ${publishedEvents} WHERE ${isAmong(given)}) <> json_array_length(${given.seqs})`,
)

const move = prepared<{ orgId: string; to: number }>(
  ({ orgId, to }) => sql`UPDATE ${clocks} SET ${bare(clocks.dispatchedSeq)} = ${to} WHERE ${clocks.orgId} = ${orgId}`,
)

const forget = prepared<Pick<Place, 'orgId' | 'seqs'>>(
  given => sql`DELETE FROM ${publishedEvents} WHERE ${isAmong(given)}`,
)

/** Advances the position; fails the whole transaction if another worker has advanced it already. */
export function moveStatements(orgId: string, from: number, to: number, published: readonly number[]): Statement[] {
  const seqs = JSON.stringify(published)
  return [guard({ orgId, from, seqs }), move({ orgId, to }), ...(published.length ? [forget({ orgId, seqs })] : [])]
}
