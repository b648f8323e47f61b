// The verbs of entities: get, list, create, update, delete. One D1 round trip each.
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit.ts'
import { type Entity, type EntityRow, entityOf } from '../../platform/db/row.ts'
import type { Properties } from '../../platform/db/write.ts'
import { notFound } from '../../platform/errors.ts'
import { readKey, writeKey } from '../../platform/http/page-key.ts'
import { newId } from '../../platform/ids.ts'
import type { Kind } from '../../platform/kind.ts'
import { createdData, updatePatch } from './body.ts'
import type { ListQuery } from './contract.ts'
import { planOf } from './criteria.ts'
import { parseRelations } from './relations.ts'
import { readEntity, readPage } from './store.ts'

export async function getEntity(context: Context, kind: Kind, id: string, relations?: string): Promise<Entity> {
  const entity = await readEntity(context.db, context.org.id, kind, id, parseRelations(kind, relations))
  if (!entity) throw notFound()
  return entity
}

export interface EntityPage {
  results: Entity[]
  nextPageKey: string | null
}

export async function listEntities(context: Context, kind: Kind, query: ListQuery): Promise<EntityPage> {
  const { limit, nextPageKey, criteria = {}, order } = query
  const plan = planOf(criteria, order)
  const relations = parseRelations(kind, query.relations)
  const belongsTo = JSON.stringify([context.org.id, kind.name, criteria, order])
  const [value = null, seq] = nextPageKey === undefined ? [] : await readKey(nextPageKey, belongsTo, 'nextPageKey')
  const after = seq === undefined ? undefined : { value, seq: Number(seq) }
  const page = await readPage(context.db, { orgId: context.org.id, kind, plan, after, limit }, relations)
  return {
    results: page.entities,
    nextPageKey: page.next ? await writeKey([page.next.value, page.next.seq], belongsTo) : null,
  }
}

export async function createEntity(context: Context, kind: Kind, body: Properties): Promise<Entity> {
  const { rows } = await commit(context, [{ op: 'create', kind, id: newId(), data: createdData(kind, body) }])
  return written(rows[0])
}

/** `versions`: those that If-Match allows; none sent, any. */
export async function updateEntity(
  context: Context,
  kind: Kind,
  id: string,
  body: Properties,
  versions?: readonly number[],
): Promise<Entity> {
  const { rows } = await commit(context, [{ op: 'update', kind, id, patch: updatePatch(kind, body), versions }])
  return written(rows[0])
}

export async function deleteEntity(
  context: Context,
  kind: Kind,
  id: string,
  versions?: readonly number[],
): Promise<void> {
  await commit(context, [{ op: 'delete', kind, id, versions }])
}

function written(row: EntityRow | null | undefined): Entity {
  if (!row) throw new Error('a committed entity did not come back')
  return entityOf(row)
}
