// The operations of entities, for each entity type of the table.
import * as z from 'zod'
import type { Code } from '../../platform/errors.ts'
import { named, pascal } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { queryObject } from '../../platform/http/query-object.ts'
import type { Kind } from '../../platform/kind.ts'
import {
  BATCH_BODY_MAX_BYTES,
  BATCH_MAX_ENTITIES,
  COUNT_MAX,
  ENTITY_MAX_PROPERTIES,
  PROPERTY_NAME_MAX_LENGTH,
} from '../../platform/limits.ts'
import { Limit, PageKey } from '../../platform/paging/page-query.ts'
import { SEARCH_QUERY_MAX_LENGTH } from '../../platform/search/limits.ts'
import { soughtIn } from '../../platform/search/words.ts'
import { Criteria, Order } from './criteria.ts'
import { OPERATORS } from './operators.ts'
import { shapes } from './shapes.ts'

const Relations = z
  .string()
  .max(1000)
  .optional()
  .describe('Entities to add beside their ids, e.g. `item,item.itemFamily`.')

export const GetQuery = z.strictObject({ relations: Relations })

const CriteriaQuery = queryObject(Criteria)
  .optional()
  .describe(
    `Filters, as jsurl or JSON: for each property a value, a list (any of), null (absent), \`BETWEEN a and b\` or an object of operators (${OPERATORS.join(', ')}); \`or\` takes a list of further criteria, of which one must hold.`,
  )

/** Words to look for. */
export const SearchText = z
  .string()
  .max(SEARCH_QUERY_MAX_LENGTH)
  .transform((text, context) => {
    const sought = soughtIn(text)
    if (sought.words.length > 0) return sought
    context.addIssue({ code: 'custom', message: 'Expected at least one letter or digit to look for.' })
    return z.NEVER
  })

export const SearchQueryText = SearchText.optional().describe(
  'Words or beginnings of words that all must be found in keys, name and other texts; case and accents do not matter.',
)

export const CountQuery = z.strictObject({ criteria: CriteriaQuery, q: SearchQueryText })
export type CountQuery = z.output<typeof CountQuery>

const EntityCount = named(
  'EntityCount',
  z.object({
    count: z.int(),
    isExact: z.boolean().describe('False where there are at least as many, and counting stopped.'),
  }),
  { count: 128, isExact: true },
)

export const ListQuery = z.strictObject({
  limit: Limit,
  nextPageKey: PageKey,
  criteria: CriteriaQuery,
  q: SearchQueryText,
  order: queryObject(Order)
    .optional()
    .describe(
      '`{orderField, order}` as jsurl or JSON; orderField createdOn, updatedOn, name, federatedId, identifier or an indexed property.',
    ),
  relations: Relations,
})
export type ListQuery = z.output<typeof ListQuery>

export const UpsertQuery = z.strictObject({
  upsertBy: z.enum(['federatedId']).optional().describe('Creates what is not there and updates what is.'),
})

export const RestoreBody = named(
  'Restore',
  z.strictObject({
    version: z.int().min(1).describe('The version to bring back, as the change history numbers them.'),
    properties: z
      .array(z.string().min(1).max(PROPERTY_NAME_MAX_LENGTH))
      .min(1)
      .max(ENTITY_MAX_PROPERTIES)
      .optional()
      .describe('Only these properties; all others stay as they are.'),
  }),
  { version: 3 },
)

/** Whether the history of an entity type holds all that an entity is (N52). */
export const isRestorable = ({ recorded, operations }: Kind) => recorded && operations.includes('update')

/** An earlier version as an ordinary write (N52). */
export function restoreEndpoint(kind: Kind) {
  const { name, path } = kind
  return {
    tag: path,
    access: 'organization',
    entityType: name,
    id: `restore${pascal(name)}`,
    method: 'POST',
    path: `/${path}/:${kind.address?.parameter ?? 'id'}/restore`,
    summary: `Restore an earlier version: ${name}`,
    description:
      'Writes the state of an earlier version as a new one; a deleted entity returns under its id. What stands against it is 409 and named.',
    body: RestoreBody,
    answer: shapes(kind).answer,
    status: 200,
    sends: ['ETag'],
    conditions: ['If-Match'],
    faults: ['duplicate', 'conflict', ...quotaOf(kind)],
  } as const satisfies Operation
}

/** Batches (N17): all or nothing. */
export function batchEndpoints(kind: Kind) {
  const { path } = kind
  const { creates, updates, ids, written } = shapes(kind)
  const many = pascal(path)
  const common = {
    tag: path,
    access: 'organization',
    entityType: kind.name,
    path: `/${path}/batch`,
    bodyMaxBytes: BATCH_BODY_MAX_BYTES,
  } as const
  return {
    create: {
      ...common,
      id: `create${many}`,
      method: 'POST',
      summary: `Create or upsert many: ${path}`,
      description: `At most ${BATCH_MAX_ENTITIES}, all or nothing; a fault names the place in the list.`,
      query: UpsertQuery,
      body: creates,
      answer: written,
      status: 201,
      faults: ['not_found', 'duplicate', ...quotaOf(kind)],
    },
    update: {
      ...common,
      id: `update${many}`,
      method: 'PUT',
      summary: `Update many: ${path}`,
      description: `At most ${BATCH_MAX_ENTITIES}, all or nothing; a fault names the place in the list.`,
      body: updates,
      answer: written,
      status: 200,
      faults: ['not_found', 'duplicate', ...quotaOf(kind)],
    },
    delete: {
      ...common,
      id: `delete${many}`,
      method: 'DELETE',
      summary: `Delete many: ${path}`,
      description: `A list of at most ${BATCH_MAX_ENTITIES} ids, all or nothing.`,
      body: ids,
      status: 204,
      faults: ['not_found', 'in_use'],
    },
  } as const satisfies Record<string, Operation>
}

/** Entities are counted where they have change records (N60). */
const quotaOf = (kind: Kind): Code[] => (kind.recorded ? ['quota_exceeded'] : [])

/** Beside a list stands its count (N50). */
export function countEndpoint({ path, name }: Kind) {
  return {
    tag: path,
    access: 'organization',
    entityType: name,
    id: `count${pascal(path)}`,
    method: 'GET',
    path: `/${path}/count`,
    summary: `Count ${path}`,
    description: `Exact up to ${COUNT_MAX}, and as far as criteria without an index are looked through.`,
    query: CountQuery,
    answer: EntityCount,
    status: 200,
  } as const satisfies Operation
}

export function entityEndpoints(kind: Kind) {
  const { name, path, about } = kind
  const { answer, create, update, page } = shapes(kind)
  const one = `/${path}/:${kind.address?.parameter ?? 'id'}`
  const common = { tag: path, access: 'organization', entityType: name } as const
  return {
    list: {
      ...common,
      id: `list${pascal(path)}`,
      method: 'GET',
      path: `/${path}`,
      summary: `List ${path}`,
      description: about,
      query: ListQuery,
      answer: page,
      status: 200,
      faults: ['too_large'],
    },
    create: {
      ...common,
      id: `create${pascal(name)}`,
      method: 'POST',
      path: `/${path}`,
      summary: `Create: ${name}`,
      description: 'Answers the entity with its id. `Location` is its address.',
      body: create,
      answer,
      status: 201,
      sends: ['ETag', 'Location'],
      faults: ['duplicate', ...quotaOf(kind)],
    },
    get: {
      ...common,
      id: `get${pascal(name)}`,
      method: 'GET',
      path: one,
      summary: `Get one: ${name}`,
      description: 'Answers the newest version. `relations` adds the entities that it refers to.',
      query: GetQuery,
      answer,
      status: 200,
      sends: ['ETag'],
      conditions: ['If-None-Match'],
      faults: ['too_large'],
    },
    update: {
      ...common,
      id: `update${pascal(name)}`,
      method: 'PUT',
      path: one,
      summary: `Update: ${name}`,
      description: 'Replaces the fields sent, each whole, and keeps the others. `null` clears a field.',
      body: update,
      answer,
      status: 200,
      sends: ['ETag'],
      conditions: ['If-Match'],
      faults: ['duplicate', ...quotaOf(kind)],
    },
    delete: {
      ...common,
      id: `delete${pascal(name)}`,
      method: 'DELETE',
      path: one,
      summary: `Delete: ${name}`,
      description: 'The history keeps its last state. An entity that others refer to is 409 `in_use`.',
      status: 204,
      conditions: ['If-Match'],
      faults: ['in_use'],
    },
  } as const satisfies Record<string, Operation>
}
