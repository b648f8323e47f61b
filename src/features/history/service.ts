// The change history: queried by criteria, or polled exactly by syncKey (N25).
import type { Context } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, type FieldError, invalid } from '../../platform/errors.ts'
import { limitedKey } from '../../platform/key-limits.ts'
import { allKinds, findKind } from '../../platform/kind.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import type { HistoryQuery } from './contract.ts'
import { readRecords } from './records.ts'
import type { ChangeRow, RecordsQuery } from './store.ts'

export async function queryHistory(context: Context, query: HistoryQuery) {
  const { org } = context
  const { after, limit, nextPageKey } = query
  const filter = allowed(filterOf(query), context.principal.entityTypes)
  const belongsTo = JSON.stringify([org.id, 'history', filter, query.order, after])
  const syncBelongsTo = JSON.stringify([org.id, 'sync'])
  const [pageSeq, firstNewest] = nextPageKey === undefined ? [] : await readKey(nextPageKey, belongsTo, 'nextPageKey')
  const [syncSeq] = after ? await readKey(after, syncBelongsTo, 'after') : [0]
  const polls = after !== undefined
  const afterSeq = pageSeq ?? (polls ? syncSeq : undefined)

  // Who goes by the clock would never see what a replica did not have yet; who goes by keys only sees it later (N25).
  const db = filter.createdOn ? databaseFor(context.env, org.id, null) : context.db
  const { rows, next, newest, floor } = await readRecords(context.env, db, {
    ...filter,
    orgId: org.id,
    descending: !polls && (query.order?.order ?? 'desc') === 'desc',
    afterSeq: afterSeq == null ? undefined : Number(afterSeq),
    limit,
  })
  // A page goes on from its own key; the first one of all begins wherever the history does.
  const isFromKey = pageSeq !== undefined || Boolean(after)
  if (polls && isFromKey && Number(afterSeq) < floor) {
    throw new Fault(
      'sync_key_expired',
      'Records after this key have been swept. Take the `syncKey` of a call without `after`, read the entities anew, and follow from that key.',
    )
  }
  const start = Number(firstNewest ?? newest)
  const position = polls ? (next ?? rows.at(-1)?.seq ?? Math.max(newest, Number(afterSeq))) : start
  return {
    results: rows.map(recordOf),
    nextPageKey: next === undefined ? null : await writeKey([next, start], belongsTo),
    syncKey: await writeKey([position], syncBelongsTo),
  }
}

type Filter = Pick<RecordsQuery, 'entityTypes' | 'entity' | 'createdOn'>

/** A key that is limited to some entity types sees the history of these. */
function allowed(filter: Filter, entityTypes: readonly string[] | undefined): Filter {
  if (!entityTypes) return filter
  const asked = filter.entity ? [filter.entity.type] : filter.entityTypes
  if (!asked.every(name => entityTypes.includes(name))) throw limitedKey(entityTypes)
  return asked.length ? filter : { ...filter, entityTypes: [...entityTypes] }
}

function filterOf({ criteria = {}, entityType, after, order }: HistoryQuery): Filter {
  const faults: FieldError[] = []
  if (after !== undefined && order)
    faults.push({ path: '/order', message: 'With `after` the order is that of the commits.' })
  if (entityType !== undefined && criteria.entityType !== undefined) {
    faults.push({ path: '/entityType', message: '`criteria` already names the entity type. Remove one of the two.' })
  }
  const sent = entityType ?? criteria.entityType
  const entityTypes = sent === undefined ? [] : [...new Set(Array.isArray(sent) ? sent : [sent])]
  const path = entityType === undefined ? '/criteria/entityType' : '/entityType'
  for (const name of entityTypes) checkEntityType(name, path, faults)
  const entity = criteria.entityReference === undefined ? undefined : entityOf(criteria.entityReference, faults)
  if (entity && entityTypes.length && !entityTypes.includes(entity.type)) {
    faults.push({ path: '/criteria/entityReference', message: 'The entity is not of the entity type asked for.' })
  }
  if (faults.length) throw invalid(faults)
  return { entityTypes, entity, createdOn: criteria.createdOn }
}

function checkEntityType(name: string, path: string, faults: FieldError[]): void {
  if (findKind(name)) return
  const recorded = allKinds()
    .filter(kind => kind.recorded)
    .map(kind => kind.name)
  faults.push({ path, message: `"${name.slice(0, 64)}" is no entity type. There are ${recorded.join(', ')}.` })
}

function entityOf(reference: string, faults: FieldError[]): { type: string; id: string } | undefined {
  const [, type, id] = /^([^:]+):([^:]+)$/.exec(reference) ?? []
  if (type !== undefined && id !== undefined) {
    checkEntityType(type, '/criteria/entityReference', faults)
    return { type, id }
  }
  faults.push({ path: '/criteria/entityReference', message: 'Expected <entityType>:<id>.' })
  return undefined
}

export function recordOf(row: ChangeRow) {
  return {
    id: row.id,
    orgId: row.orgId,
    entityType: row.entityType,
    entityReference: `${row.entityType}:${row.entityId}`,
    changeType: row.changeType,
    createdOn: timeText(row.createdOn),
    createdById: row.createdById,
    createdByType: row.createdByType,
    version: row.version,
    changes: differencesOf(row),
  }
}

/** A create or a delete keeps its state once (N22); here it becomes differences like any other. */
export function differencesOf({
  changeType,
  detail,
}: Pick<ChangeRow, 'changeType' | 'detail'>): Record<string, unknown> {
  const state = JSON.parse(detail) as Record<string, unknown>
  if (changeType === 'update') return state
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      changeType === 'create' ? { oldValue: null, newValue: value } : { oldValue: value, newValue: null },
    ]),
  )
}
