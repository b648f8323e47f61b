// Types: what properties the entities of a type path have.

import { segment } from './address.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'

export interface TypeProperty {
  slug: string
  label?: string
  propertyType: string
  options?: unknown
  level?: string
  archived?: boolean
  required?: boolean
  [property: string]: unknown
}

export interface TypeFields {
  label: string | null
  properties: TypeProperty[]
  [property: string]: unknown
}
export type EntityType = CommonFields & TypeFields

export class EntityTypes {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<Page<EntityType>> {
    return this.#entities.list<TypeFields>({ ...args, entityName: 'type' })
  }

  /** The type of a path with the properties of the paths above it, for example `item:material`. */
  async get(args: { typePath: string } & CallOptions): Promise<EntityType> {
    const { typePath, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: `/types/${segment('typePath', typePath)}` })
  }
}
