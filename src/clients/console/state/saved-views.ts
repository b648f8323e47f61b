// Views of a list: those for me are kept in this browser, those for all in the service.
import type { Entity } from '../../typescript/index.ts'
import { keep, kept } from './kept.ts'
import { client, orgSlug } from './session.ts'

/** The parts of an address that make up a view. */
const PARTS = ['criteria', 'order', 'columns', 'q'] as const
export type ViewQuery = Readonly<Record<string, string | undefined>>

export interface View {
  name: string
  query: ViewQuery
}

export const partsOf = (query: ViewQuery): ViewQuery =>
  Object.fromEntries(PARTS.flatMap(part => (query[part] ? [[part, query[part]]] : [])))

const place = (path: string) => `views.${orgSlug()}.${path}`

export const ownViews = (path: string) => kept<View[]>(place(path), [])
export const keepOwnViews = (path: string, views: readonly View[]) => keep(place(path), views)

export type SharedView = View & { id: string }

export async function sharedViews(entityName: string, signal: AbortSignal): Promise<SharedView[]> {
  const queryParams = { criteria: { entityName }, order: { orderField: 'name', order: 'asc' }, limit: 200 } as const
  const { results } = await client.entities.list({ entityName: 'saved-view', queryParams, signal })
  return results.map(viewOf)
}

export const viewOf = (entity: Entity): SharedView => ({
  id: entity.id,
  name: entity.name ?? entity.id,
  query: partsOf(
    Object.fromEntries(PARTS.map(part => [part, typeof entity[part] === 'string' ? entity[part] : undefined])),
  ),
})

/** A view of the same name is renewed. */
export async function shareView(entityName: string, { name, query }: View): Promise<void> {
  const cleared = Object.fromEntries(PARTS.map(part => [part, query[part] ?? null]))
  const object = { ...cleared, entityName, name, federatedId: `${entityName}/${name}` }
  await client.entities.upsertBatch({ entityName: 'saved-view', objects: [object] })
}
