// The calls about entities as a program with registered types sees them (N54); the code behind them is the same.

import type { Entities } from './entities.ts'
import type { EntityCount, FoundEntity, Order, OrderField, Page, SearchParams } from './entity.ts'
import type { ExportArgs, ExportFormat, Exports } from './exports.ts'
import type { LoaderConfiguration } from './loader-configuration.ts'
import type {
  CreateOf,
  CriteriaOf,
  IndexedOf,
  ListParamsOf,
  ReadOf,
  RelatedOf,
  RelationPath,
  UpdateOf,
  WithRelations,
} from './registered.ts'
import type { RegisteredEntities } from './registry.ts'
import type { CallOptions } from './request.ts'

export type EntityClient = RegisteredEntities extends undefined ? Entities : TypedEntities<RegisteredEntities>
export type ExportClient = RegisteredEntities extends undefined ? Exports : TypedExports<RegisteredEntities>

interface Named<N> extends CallOptions {
  /** Singular, for example `item`. */
  entityName: N
}

interface One<N> extends Named<N> {
  id: string
}

interface Conditional {
  /** The `version` (or ETag) seen last; when the entity has moved on, the call is refused with 412. */
  ifMatch?: number | string | undefined
}

interface Repeatable {
  idempotencyKey?: string | undefined
}

/** As `Entities`, each call with the types of the entity that it names. */
export interface TypedEntities<E> {
  get<N extends keyof E & string, P extends RelationPath<E, N> = never>(
    args: One<N> & { queryParams?: WithRelations<P> | undefined },
  ): Promise<ReadOf<E, N> & RelatedOf<E, N, P>>
  list<N extends keyof E & string, P extends RelationPath<E, N> = never>(
    args: Named<N> & { queryParams?: ListParamsOf<ReadOf<E, N>, IndexedOf<E, N>, P> | undefined },
  ): Promise<Page<ReadOf<E, N> & RelatedOf<E, N, P>>>
  listAll<N extends keyof E & string, P extends RelationPath<E, N> = never>(
    args: Named<N> & { queryParams?: ListParamsOf<ReadOf<E, N>, IndexedOf<E, N>, P> | undefined },
  ): AsyncGenerator<ReadOf<E, N> & RelatedOf<E, N, P>, void, undefined>
  search(args: SearchParams & CallOptions): Promise<Page<FoundEntity>>
  count<N extends keyof E & string>(
    args: Named<N> & { queryParams?: Pick<ListParamsOf<ReadOf<E, N>, IndexedOf<E, N>>, 'criteria' | 'q'> | undefined },
  ): Promise<EntityCount>
  create<N extends keyof E & string>(args: Named<N> & Repeatable & { object: CreateOf<E, N> }): Promise<ReadOf<E, N>>
  update<N extends keyof E & string>(
    args: One<N> & Conditional & ({ body: UpdateOf<E, N> } | { object: UpdateOf<E, N> }),
  ): Promise<ReadOf<E, N>>
  delete<N extends keyof E & string>(args: One<N> & Conditional): Promise<void>
  restore<N extends keyof E & string>(
    args: One<N> & Conditional & Repeatable & { version: number; properties?: readonly string[] | undefined },
  ): Promise<ReadOf<E, N>>
  createBatch<N extends keyof E & string>(
    args: Named<N> & Repeatable & { objects: readonly CreateOf<E, N>[] },
  ): Promise<{ results: ReadOf<E, N>[] }>
  /** Each object is created or updated, by its federatedId. */
  upsertBatch<N extends keyof E & string>(
    args: Named<N> & Repeatable & { objects: readonly ((CreateOf<E, N> | UpdateOf<E, N>) & { federatedId: string })[] },
  ): Promise<{ results: ReadOf<E, N>[] }>
  updateBatch<N extends keyof E & string>(
    args: Named<N> & { objects: readonly (UpdateOf<E, N> & { id: string })[] },
  ): Promise<{ results: ReadOf<E, N>[] }>
  deleteBatch<N extends keyof E & string>(args: Named<N> & { ids: readonly string[] }): Promise<void>
}

interface TypedExportArgs<E, N extends keyof E & string> extends Omit<ExportArgs, 'entityName' | 'criteria' | 'order'> {
  entityName: N
  criteria?: CriteriaOf<ReadOf<E, N>> | undefined
  order?: Order<OrderField | IndexedOf<E, N>> | undefined
}

/** As `Exports`. */
export interface TypedExports<E> {
  stream<N extends keyof E & string>(
    args: TypedExportArgs<E, N> & { format?: ExportFormat | undefined },
  ): Promise<Response>
  entities<N extends keyof E & string>(args: TypedExportArgs<E, N>): AsyncGenerator<ReadOf<E, N>, void, undefined>
  configuration<N extends keyof E & string>(args: TypedExportArgs<E, N>): Promise<LoaderConfiguration>
}
