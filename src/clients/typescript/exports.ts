// Exports (N51, N75): everything that fits, of any size, as it comes. One that breaks off throws, also where its answer ends; one that
// ends is whole.

import { entityPath, type Query } from './address.ts'
import type { Criteria, Entity, EntityName, Order, Properties } from './entity.ts'
import { linesOf } from './lines.ts'
import type { LoaderConfiguration } from './loader-configuration.ts'
import type { CallOptions, Requests } from './request.ts'
import { chunksOf } from './upload-content.ts'
import { wholeOnly } from './whole.ts'

export interface ExportArgs extends CallOptions {
  /** Singular, for example `item`. */
  entityName: EntityName
  criteria?: Criteria | undefined
  /** Words or beginnings of words that all must be found. */
  q?: string | undefined
  order?: Order | undefined
  /** Only these; `federatedId` is always there. */
  properties?: readonly string[] | undefined
}

/** `csv` shows values as GET does; `csv-load` is for editing and loading back, under the configuration. */
export type ExportFormat = 'csv' | 'csv-load' | 'jsonl'

export class Exports {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** As it comes, CSV unless said otherwise: its `body` is a ReadableStream that fails with `broken_off` where it is not whole. */
  async stream(args: ExportArgs & { format?: ExportFormat | undefined }): Promise<Response> {
    const { format = 'csv' } = args
    const call = { ...optionsOf(args), method: 'GET', path: pathOf(args), query: queryOf(args, format) } as const
    return wholeOnly(await this.#requests.stream(call), format === 'jsonl' ? 'jsonl' : 'csv')
  }

  /** Every entity that fits, one after the other. */
  async *entities<T extends object = Properties>(args: ExportArgs): AsyncGenerator<Entity<T>, void, undefined> {
    const { body } = await this.stream({ ...args, format: 'jsonl' })
    if (!body) return
    for await (const line of linesOf(chunksOf(body))) yield JSON.parse(line) as Entity<T>
  }

  /** The loader configuration under which loading `csv-load` again changes nothing. */
  async configuration(args: ExportArgs): Promise<LoaderConfiguration> {
    const query = queryOf(args, 'configuration')
    return this.#requests.json({ ...optionsOf(args), method: 'GET', path: pathOf(args), query })
  }
}

const pathOf = ({ entityName }: ExportArgs) => `${entityPath(entityName)}/export`

const optionsOf = ({ signal, timeoutMs, maxRetries }: ExportArgs): CallOptions => ({ signal, timeoutMs, maxRetries })

function queryOf({ criteria, q, order, properties }: ExportArgs, format: string): Query {
  return { criteria, q, order, properties: properties?.join(','), format }
}
