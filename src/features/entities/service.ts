// The verbs of one entity: get, create, update, delete. One D1 round trip each.
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import { orKept } from '../../platform/db/commit/idempotency.ts'
import type { Properties, Write } from '../../platform/db/commit/write.ts'
import { type Entity, type EntityRow, entityOf } from '../../platform/db/row.ts'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Kind } from '../../platform/kind.ts'
import { guardOf, withTypes } from '../types/service.ts'
import type { TypeTable } from '../types/table.ts'
import { guarded } from './guarded.ts'
import { withMoved } from './moved.ts'
import { withinReach } from './reach.ts'
import { parseRelations } from './relations.ts'
import { readEntity } from './store.ts'
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

export { type EntityPage, listEntities } from './find.ts'

/** For callers inside the service: what must stand or fall with the write, and an id chosen beforehand. */
export interface Inside {
  before?: Statement[]
  id?: string
  /** What only the service sets. */
  sets?: Properties
  /** It was deleted, and returns: as its next version (N52). */
  version?: number
}

export async function createEntity(
  context: Context,
  kind: Kind,
  body: Properties,
  { id = newId(), before, sets, version }: Inside = {},
): Promise<Entity> {
  const data = { ...createdData(kind, body), ...sets }
  checkAll(kind, [data], () => '')
  return writeOne(context, { op: 'create', kind, id, data, ...(version !== undefined && { version }) }, before)
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
  const shown = (rows: readonly (EntityRow | null)[]) => rows.flatMap(row => (row ? [entityOf(row)] : []))
  const write = (types: TypeTable) =>
    withMoved(context, writes, async (sent, stored) => {
      const guard = guardOf(types, sent, isBatch, stored)
      return withinReach(context, sent, async reached =>
        shown((await guarded(context, reached, { isBatch, before, types: guard })).rows),
      )
    })
  return orKept(context, () => withTypes(context, write), shown)
}
