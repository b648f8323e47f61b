// The verbs of one entity: get, list, create, update, delete. One D1 round trip each.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import type { Properties, Write } from '../../platform/db/commit/write.ts'
import { type Entity, type EntityRow, entityOf } from '../../platform/db/row.ts'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Kind } from '../../platform/kind.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { guardOf, withTypes } from '../types/types.ts'
import type { ListQuery } from './contract.ts'
import { planOf } from './criteria.ts'
import { guarded } from './guarded.ts'
import { withMoved } from './moved.ts'
import { parseRelations } from './relations.ts'
import { readEntity, readPage } from './store.ts'
import { checkAll, createdData, updatePatch } from './write-body.ts'

export async function getEntity(context: Context, kind: Kind, id: string, relations?: string): Promise<Entity> {
  const entity = await readEntity(
    context.db,
    context.org.id,
    kind,
    id,
    parseRelations(kind, relations, context.principal?.entityTypes),
  )
  if (!entity) throw notFound()
  return entity
}

export interface EntityPage {
  results: Entity[]
  nextPageKey: string | null
  isPartial?: true
}

/** The value of the order field and the commit order of the last entity of a page. */
const PagePosition = z.tuple([z.union([z.string(), z.number(), z.null()]), z.int()])

export async function listEntities(context: Context, kind: Kind, query: ListQuery): Promise<EntityPage> {
  const { limit, nextPageKey, criteria = {}, order } = query
  const plan = planOf(kind, criteria, order)
  const relations = parseRelations(kind, query.relations, context.principal?.entityTypes)
  const belongsTo = JSON.stringify([context.org.id, kind.name, criteria, order])
  const key = nextPageKey === undefined ? undefined : await readKey(nextPageKey, belongsTo, 'nextPageKey', PagePosition)
  const after = key && { value: key[0], seq: key[1] }
  const page = await readPage(context.db, { orgId: context.org.id, kind, plan, after, limit }, relations)
  return {
    results: page.entities,
    nextPageKey: page.next ? await writeKey([page.next.value, page.next.seq], belongsTo) : null,
    ...(page.isPartial && { isPartial: true }),
  }
}

/** For callers inside the service: what must stand or fall with the write, and an id chosen beforehand. */
export interface Inside {
  before?: Statement[]
  id?: string
  /** It was deleted, and returns: as its next version, with what only the service sets (N52). */
  returns?: { version: number; kept: Properties }
}

export async function createEntity(
  context: Context,
  kind: Kind,
  body: Properties,
  { id = newId(), before, returns }: Inside = {},
): Promise<Entity> {
  const data = { ...createdData(kind, body), ...returns?.kept }
  checkAll(kind, [data], () => '')
  return writeOne(context, { op: 'create', kind, id, data, ...(returns && { version: returns.version }) }, before)
}

/** `versions`: those that If-Match allows; none sent, any. */
export async function updateEntity(
  context: Context,
  kind: Kind,
  id: string,
  body: Properties,
  versions?: readonly number[],
  { before }: Inside = {},
): Promise<Entity> {
  const patch = updatePatch(kind, body)
  checkAll(kind, [patch], () => '')
  return writeOne(context, { op: 'update', kind, id, patch, versions }, before)
}

export async function deleteEntity(
  context: Context,
  kind: Kind,
  id: string,
  versions?: readonly number[],
  { before = [] }: Inside = {},
): Promise<void> {
  await guarded(context, [{ op: 'delete', kind, id, versions }], { before })
}

async function writeOne(context: Context, write: Write, before?: Statement[]): Promise<Entity> {
  const [entity] = await writeAll(context, [write], false, before)
  if (!entity) throw new Error('a committed entity did not come back')
  return entity
}

/** Writes that have passed their own rules, held against their types. */
export function writeAll(
  context: Context,
  writes: readonly Write[],
  isBatch: boolean,
  before: Statement[] = [],
): Promise<Entity[]> {
  return withTypes(context, types =>
    withMoved(context, writes, async (sent, stored) => {
      const guard = guardOf(types, sent, isBatch, stored)
      const { rows } = await guarded(context, sent, { isBatch, before, types: guard })
      return rows.filter((row): row is EntityRow => row !== null).map(entityOf)
    }),
  )
}
