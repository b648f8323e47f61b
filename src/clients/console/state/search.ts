// Search by words (N50). Where the service has no search yet, names and keys that contain the text have to do.
import { ApiError, type Criteria, type Entity, type ListParams, type Page } from '../../typescript/index.ts'
import { isMissingHere } from './fault-words.ts'
import { client } from './session.ts'

export type SearchParams = ListParams & { q?: string | undefined }

/** Found out by the first search, which the others wait for. */
let canSearch: Promise<boolean> | undefined

const ask = (q: string, limit: number, signal?: AbortSignal) =>
  client.request<Page<Entity>>({ method: 'GET', path: '/search', query: { q, limit }, signal })

function knowsSearch(): Promise<boolean> {
  canSearch ??= ask('a', 1).then(
    () => true,
    error => !(isMissingHere(error) || (error instanceof ApiError && error.status === 400)),
  )
  return canSearch
}

const containing = (q: string): Criteria => ({ or: [{ name: { contains: q } }, { federatedId: { contains: q } }] })

/** A list that the service can answer, with or without a search of its own. */
export async function searchable({ q, ...params }: SearchParams): Promise<SearchParams> {
  if (q === undefined) return params
  if (await knowsSearch()) return { ...params, q }
  return { ...params, criteria: { ...params.criteria, ...containing(q) } }
}

/** Over all types; without a search of the service, over items. */
export async function searchAll(q: string, limit: number, signal: AbortSignal): Promise<Entity[]> {
  if (await knowsSearch()) return (await ask(q, limit, signal)).results
  const queryParams = { criteria: containing(q), limit }
  return (await client.entities.list({ entityName: 'item', queryParams, signal })).results
}
