// The wire shapes of entities, and their endpoints for each entity type of the table.
import * as z from 'zod'
import type { Operation } from '../../platform/http/operation.ts'
import { queryObject } from '../../platform/http/query-object.ts'
import type { Kind } from '../../platform/kind.ts'
import {
  BATCH_BODY_MAX_BYTES,
  BATCH_MAX_ENTITIES,
  ENTITY_MAX_PROPERTIES,
  KEY_TEXT_MAX_LENGTH,
} from '../../platform/limits.ts'
import { Limit, PageKey } from '../../platform/paging/page-query.ts'
import { Criteria, Order } from './criteria.ts'
import { isPropertyName, keyFault, nameFault } from './field-text.ts'

const fits = (faultOf: (text: string) => string | undefined) => (text: string, context: z.RefinementCtx) => {
  const message = faultOf(text)
  if (message) context.addIssue({ code: 'custom', message })
}

/** The lengths are for the API reference; what is wrong is said by the checks that loads use as well. */
const lengths = { maxLength: KEY_TEXT_MAX_LENGTH }
const KeyText = z
  .string()
  .superRefine(fits(keyFault))
  .meta({ minLength: 1, ...lengths })

const TYPE_PATH_TAIL = '(:[A-Za-z0-9_-]{1,64}){0,8}$'

function typePathOf(kind: Kind): z.ZodString {
  return kind.ownRoot
    ? z.string().regex(new RegExp(`^${kind.name}${TYPE_PATH_TAIL}`), `Expected "${kind.name}" or a path below it.`)
    : z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,64}${TYPE_PATH_TAIL}`), 'Expected a colon-separated type path.')
}

const NameText = z.string().superRefine(fits(nameFault)).meta(lengths)

function checkNames(entity: Record<string, unknown>, context: z.RefinementCtx): void {
  const names = Object.keys(entity)
  if (names.length > ENTITY_MAX_PROPERTIES) {
    context.addIssue({ code: 'custom', path: [], message: `At most ${ENTITY_MAX_PROPERTIES} properties.` })
  }
  for (const name of names) {
    if (!isPropertyName(name)) {
      context.addIssue({ code: 'custom', path: [name], message: 'A property cannot have this name.' })
    }
  }
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success

/** A create: `null` is the same as absent. */
export function CreateBody(kind: Kind) {
  const own = Object.entries(kind.fields).map(([name, schema]) => [
    name,
    isOptional(schema) ? z.nullish(schema) : schema,
  ])
  return z
    .looseObject({
      typePath: kind.ownRoot ? typePathOf(kind).nullish() : typePathOf(kind),
      name: NameText.nullish(),
      federatedId: KeyText.nullish(),
      identifier: KeyText.nullish(),
      ...(Object.fromEntries(own) as Record<string, z.ZodType>),
    })
    .superRefine(checkNames)
}

/** An update: the fields to replace, `null` to clear one that is not required. */
export function UpdateBody(kind: Kind) {
  const own = Object.entries(kind.fields).map(([name, schema]) => [
    name,
    isOptional(schema) ? z.nullish(schema) : z.optional(schema),
  ])
  return z
    .looseObject({
      typePath: typePathOf(kind).optional(),
      name: NameText.nullish(),
      federatedId: KeyText.nullish(),
      identifier: KeyText.nullish(),
      ...(Object.fromEntries(own) as Record<string, z.ZodType>),
    })
    .superRefine(checkNames)
}

export function EntityAnswer(kind: Kind) {
  return z.looseObject({
    id: z.string(),
    orgId: z.string(),
    typePath: z.string(),
    name: z.string().nullable(),
    federatedId: z.string().nullable(),
    createdOn: z.iso.datetime(),
    updatedOn: z.iso.datetime(),
    createdById: z.string(),
    updatedById: z.string(),
    version: z.int(),
    ...kind.fields,
  })
}

const Relations = z
  .string()
  .max(1000)
  .optional()
  .describe('Entities to add beside their ids, e.g. `item,item.itemFamily`.')

export const GetQuery = z.strictObject({ relations: Relations })

export const ListQuery = z.strictObject({
  limit: Limit,
  nextPageKey: PageKey,
  criteria: queryObject(Criteria)
    .optional()
    .describe(
      'Filters, as jsurl or JSON: a value, a list (any of), null (absent) or `BETWEEN a and b` for each property.',
    ),
  order: queryObject(Order)
    .optional()
    .describe(
      '`{orderField, order}` as jsurl or JSON; orderField createdOn, updatedOn, name, federatedId or identifier.',
    ),
  relations: Relations,
})
export type ListQuery = z.output<typeof ListQuery>

const bounded = <T extends z.ZodType>(each: T) =>
  z.array(each).min(1).max(BATCH_MAX_ENTITIES, `At most ${BATCH_MAX_ENTITIES} entities in a batch.`)

const Id = z.string().min(1).max(64)

export const UpsertQuery = z.strictObject({
  upsertBy: z.enum(['federatedId']).optional().describe('Creates what is not there and updates what is.'),
})

/** Batches (N17): all or nothing. */
export function batchEndpoints(kind: Kind) {
  const { path } = kind
  const common = {
    tag: path,
    access: 'organization',
    path: `/${path}/batch`,
    bodyMaxBytes: BATCH_BODY_MAX_BYTES,
    faults: ['not_found', 'duplicate', 'in_use'],
  } as const
  const answer = z.object({ results: z.array(EntityAnswer(kind)) })
  return {
    create: {
      ...common,
      method: 'POST',
      summary: `Create or upsert many: ${path}`,
      query: UpsertQuery,
      body: bounded(CreateBody(kind)),
      answer,
      status: 201,
    },
    update: {
      ...common,
      method: 'PUT',
      summary: `Update many: ${path}`,
      body: bounded(UpdateBody(kind).safeExtend({ id: Id })),
      answer,
      status: 200,
    },
    delete: { ...common, method: 'DELETE', summary: `Delete many: ${path}`, body: bounded(Id), status: 204 },
  } as const satisfies Record<string, Operation>
}

export function entityEndpoints(kind: Kind) {
  const { name, path, about } = kind
  const common = { tag: path, access: 'organization' } as const
  return {
    list: {
      ...common,
      method: 'GET',
      path: `/${path}`,
      summary: `List ${path}`,
      description: about,
      query: ListQuery,
      answer: z.object({ results: z.array(EntityAnswer(kind)), nextPageKey: z.string().nullable() }),
      status: 200,
    },
    create: {
      ...common,
      method: 'POST',
      path: `/${path}`,
      summary: `Create: ${name}`,
      body: CreateBody(kind),
      answer: EntityAnswer(kind),
      status: 201,
      faults: ['duplicate'],
    },
    get: {
      ...common,
      method: 'GET',
      path: `/${path}/:id`,
      summary: `Get one: ${name}`,
      query: GetQuery,
      answer: EntityAnswer(kind),
      status: 200,
      faults: ['not_found'],
    },
    update: {
      ...common,
      method: 'PUT',
      path: `/${path}/:id`,
      summary: `Update: ${name}`,
      description: 'Replaces the fields sent, each whole, and keeps the others. `null` clears a field.',
      body: UpdateBody(kind),
      answer: EntityAnswer(kind),
      status: 200,
      faults: ['not_found', 'duplicate', 'precondition_failed'],
    },
    delete: {
      ...common,
      method: 'DELETE',
      path: `/${path}/:id`,
      summary: `Delete: ${name}`,
      status: 204,
      faults: ['not_found', 'in_use', 'precondition_failed'],
    },
  } as const satisfies Record<string, Operation>
}
