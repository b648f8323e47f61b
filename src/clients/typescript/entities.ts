// The entity client: get, list, create, update, delete and batches of every entity type, by its singular name.

import { entityPath, type Query, segment } from './address.ts'
import type { ApiError } from './api-error.ts'
import type {
  Entity,
  EntityChange,
  EntityCount,
  EntityName,
  FoundEntity,
  ListParams,
  NewEntity,
  Page,
  Properties,
  SearchParams,
} from './entity.ts'
import type { CallOptions, Requests } from './request.ts'

const LIST_ALL_PAGE_SIZE = 200
/** What a list gives where no limit is sent. */
const DEFAULT_PAGE_SIZE = 100
/** Creating one gives a secret away, which is not kept for a repeat. */
const WEBHOOKS = '/webhooks'

interface Named extends CallOptions {
  /** Singular, for example `item` or `custom-entity`. */
  entityName: EntityName
}

interface One extends Named {
  id: string
}

interface Conditional {
  /** The `version` (or ETag) seen last; when the entity has moved on, the call is refused with 412. */
  ifMatch?: number | string | undefined
}

export class Entities {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async get<T extends object = Properties>(
    args: One & { queryParams?: Pick<ListParams, 'relations'> | undefined },
  ): Promise<Entity<T>> {
    const { entityName, id, queryParams, ...options } = args
    return this.#requests.json({
      ...options,
      method: 'GET',
      path: onePath(entityName, id),
      query: wireQuery(queryParams),
    })
  }

  /** Up to `limit` entities. Where the service stops looking before it has found so many, the list goes on by itself (N71). */
  async list<T extends object = Properties, More extends object = object>(
    args: Named & { queryParams?: ListParams | undefined },
  ): Promise<Page<Entity<T>> & More> {
    const { queryParams } = args
    return whole(queryParams?.limit, more => this.#page<Page<Entity<T>> & More>(args, { ...queryParams, ...more }))
  }

  /** Entities of all types that hold all words of `q`, or have it as their key. */
  async search<T extends object = Properties>(args: SearchParams & CallOptions): Promise<Page<FoundEntity<T>>> {
    const { q, entityType, limit, nextPageKey, ...options } = args
    const params = { q, entityType, limit, nextPageKey }
    return whole(limit, more =>
      this.#requests.json({ ...options, method: 'GET', path: '/search', query: { ...params, ...more } }),
    )
  }

  #page<P>(args: Named, queryParams: ListParams | undefined): Promise<P> {
    const { entityName, signal, timeoutMs, maxRetries } = args
    const path = entityPath(entityName)
    return this.#requests.json({ signal, timeoutMs, maxRetries, method: 'GET', path, query: wireQuery(queryParams) })
  }

  /** Every entity that fits, page by page as they are consumed. `limit` is the size of a page. */
  async *listAll<T extends object = Properties>(
    args: Named & { queryParams?: ListParams | undefined },
  ): AsyncGenerator<Entity<T>, void, undefined> {
    let nextPageKey = args.queryParams?.nextPageKey ?? null
    do {
      const queryParams = { limit: LIST_ALL_PAGE_SIZE, ...args.queryParams, nextPageKey }
      const page = await this.list<T>({ ...args, queryParams })
      yield* page.results
      nextPageKey = page.nextPageKey
    } while (nextPageKey !== null)
  }

  /** How many entities fit, exact up to 10,000. */
  async count(args: Named & { queryParams?: Pick<ListParams, 'criteria' | 'q'> | undefined }): Promise<EntityCount> {
    const { entityName, queryParams, ...options } = args
    const path = `${entityPath(entityName)}/count`
    return this.#requests.json({ ...options, method: 'GET', path, query: wireQuery(queryParams) })
  }

  async create<T extends object = Properties>(
    args: Named & { object: NewEntity<T>; idempotencyKey?: string | undefined },
  ): Promise<Entity<T>> {
    const { entityName, object, ...options } = args
    const path = entityPath(entityName)
    const repeat = path === WEBHOOKS ? 'never' : undefined
    return this.#requests.json({ ...options, method: 'POST', path, json: object, repeat })
  }

  /** Replaces the fields sent and keeps the others. `body` and `object` mean the same. */
  async update<T extends object = Properties>(
    args: One & Conditional & ({ body: EntityChange<T> } | { object: EntityChange<T> }),
  ): Promise<Entity<T>> {
    const { entityName, id, ifMatch, signal, timeoutMs, maxRetries } = args
    return this.#requests.json({
      signal,
      timeoutMs,
      maxRetries,
      method: 'PUT',
      path: onePath(entityName, id),
      json: 'body' in args ? args.body : args.object,
      headers: conditions(ifMatch),
    })
  }

  async delete(args: One & Conditional): Promise<void> {
    const { entityName, id, ifMatch, ...options } = args
    const headers = conditions(ifMatch)
    await this.#requests.json({
      ...options,
      method: 'DELETE',
      path: onePath(entityName, id),
      headers,
      doneStatus: 404,
    })
  }

  /** An earlier version again, or some properties of it; a deleted entity returns under its id. */
  async restore<T extends object = Properties>(
    args: One &
      Conditional & {
        version: number
        properties?: readonly string[] | undefined
        idempotencyKey?: string | undefined
      },
  ): Promise<Entity<T>> {
    const { entityName, id, ifMatch, version, properties, ...options } = args
    const path = `${onePath(entityName, id)}/restore`
    const json = { version, properties }
    return this.#requests.json({ ...options, method: 'POST', path, json, headers: conditions(ifMatch) })
  }

  /** Up to 1000 entities, all or nothing. */
  async createBatch<T extends object = Properties>(
    args: Named & { objects: readonly NewEntity<T>[]; idempotencyKey?: string | undefined },
  ): Promise<{ results: Entity<T>[] }> {
    const { entityName, objects, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: batchPath(entityName), json: objects })
  }

  /** Creates the entities whose federatedId is new and updates the others. */
  async upsertBatch<T extends object = Properties>(
    args: Named & { objects: readonly NewEntity<T>[]; idempotencyKey?: string | undefined },
  ): Promise<{ results: Entity<T>[] }> {
    const { entityName, objects, ...options } = args
    const query = { upsertBy: 'federatedId' }
    return this.#requests.json({ ...options, method: 'POST', path: batchPath(entityName), query, json: objects })
  }

  /** Each object carries the id of its entity beside the fields to change. */
  async updateBatch<T extends object = Properties>(
    args: Named & { objects: readonly (EntityChange<T> & { id: string })[] },
  ): Promise<{ results: Entity<T>[] }> {
    const { entityName, objects, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: batchPath(entityName), json: objects })
  }

  async deleteBatch(args: Named & { ids: readonly string[] }): Promise<void> {
    const { entityName, ids, ...options } = args
    await this.#requests.json({
      ...options,
      method: 'DELETE',
      path: batchPath(entityName),
      json: ids,
      doneStatus: 404,
      isDone: ({ errors }) => areAllNamed(errors, ids.length),
    })
  }
}

/** As many as the service tells of at once. */
const FAULTS_MAX = 100

/** A batch is done as a whole: where only some are not there, the first attempt has deleted none. */
function areAllNamed(errors: ApiError['errors'], count: number): boolean {
  const most = Math.min(count, FAULTS_MAX)
  return errors.length >= most && errors.slice(0, most).every(({ path }, at) => path === `/${at}`)
}

/** Reads on where a page ended before it was full. */
async function whole<P extends Page<unknown>>(
  limit = DEFAULT_PAGE_SIZE,
  read: (more: { limit?: number; nextPageKey?: string }) => Promise<P>,
): Promise<P> {
  const first = await read({})
  const { isPartial, ...page } = first
  if (!isPartial) return first
  const results = [...first.results]
  let { nextPageKey } = first
  while (nextPageKey !== null && results.length < limit) {
    const next = await read({ limit: limit - results.length, nextPageKey })
    results.push(...next.results)
    nextPageKey = next.nextPageKey
  }
  return { ...page, results, nextPageKey } as P
}

function onePath(entityName: string, id: string): string {
  return `${entityPath(entityName)}/${segment('id', id)}`
}

function batchPath(entityName: string): string {
  return `${entityPath(entityName)}/batch`
}

function conditions(ifMatch: number | string | undefined): Record<string, string> {
  if (ifMatch === undefined) return {}
  return { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }
}

function wireQuery(params: ListParams | undefined): Query {
  const relations = params?.relations
  return { ...params, relations: Array.isArray(relations) ? relations.join(',') : relations }
}
