// The wire shapes of entities: what may be sent of one, and what is answered, for each entity type of the table.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { named, pascal } from '../../platform/http/components.ts'
import { COMMON_NAMES, ignoredNames, type Kind } from '../../platform/kind.ts'
import { BATCH_MAX_ENTITIES, ENTITY_MAX_PROPERTIES, KEY_TEXT_MAX_LENGTH } from '../../platform/limits.ts'
import { isPropertyName, keyFault, nameFault } from './field-text.ts'

const fits = (faultOf: (text: string) => string | undefined) => (text: string, context: z.RefinementCtx) => {
  const message = faultOf(text)
  if (message) context.addIssue({ code: 'custom', message })
}

/** The lengths are for the API reference; what is wrong is said by the checks that loads use as well (N65). */
const KeyText = z.string().superRefine(fits(keyFault)).meta({ minLength: 1, maxLength: KEY_TEXT_MAX_LENGTH })

const TYPE_PATH_TAIL = '(:[A-Za-z0-9_-]{1,64}){0,8}$'

function typePathOf(kind: Kind): z.ZodString {
  return kind.ownRoot
    ? z.string().regex(new RegExp(`^${kind.name}${TYPE_PATH_TAIL}`), `Expected "${kind.name}" or a path below it.`)
    : z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,64}${TYPE_PATH_TAIL}`), 'Expected a colon-separated type path.')
}

const NameText = z.string().superRefine(fits(nameFault)).meta({ maxLength: KEY_TEXT_MAX_LENGTH })

/** An entity that was fetched can be sent back: what is the same for all does not count. */
function checkNames(kind: Kind): (entity: Record<string, unknown>, context: z.RefinementCtx) => void {
  const ignored = new Set([...ignoredNames(kind), ...COMMON_NAMES])
  return (entity, context) => {
    const names = Object.keys(entity)
    if (names.filter(name => !ignored.has(name)).length > ENTITY_MAX_PROPERTIES) {
      context.addIssue({ code: 'custom', path: [], message: `At most ${ENTITY_MAX_PROPERTIES} properties.` })
    }
    for (const name of names) {
      if (!isPropertyName(name)) {
        context.addIssue({ code: 'custom', path: [name], message: 'A property cannot have this name.' })
      }
    }
  }
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success

const ownFields = (kind: Kind, unset: (schema: z.ZodType) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(kind.fields).map(([name, schema]) => [name, isOptional(schema) ? z.nullish(schema) : unset(schema)]),
  )

/** A create: `null` is the same as absent. */
function createBody(kind: Kind) {
  return z
    .looseObject({
      typePath: kind.ownRoot ? typePathOf(kind).nullish() : typePathOf(kind),
      name: NameText.nullish(),
      federatedId: KeyText.nullish(),
      identifier: KeyText.nullish(),
      ...ownFields(kind, schema => schema),
    })
    .superRefine(checkNames(kind))
}

/** An update: the fields to replace, `null` to clear one that is not required. */
function updateBody(kind: Kind) {
  return z
    .looseObject({
      typePath: typePathOf(kind).optional(),
      name: NameText.nullish(),
      federatedId: KeyText.nullish(),
      identifier: KeyText.nullish(),
      ...ownFields(kind, schema => z.optional(schema)),
    })
    .superRefine(checkNames(kind))
}

function entityAnswer(kind: Kind) {
  const { answer, fields, readOnly } = kind
  const example = { ...commonExample, typePath: kind.name, ...kind.example }
  if (answer) return answer
  const shown = Object.entries(readOnly).map(([name, schema]) => [name, z.optional(schema)])
  const shape = { ...commonFields, identifier: z.string().optional(), ...fields, ...Object.fromEntries(shown) }
  return named(pascal(kind.name), z.looseObject(shape as typeof commonFields), example)
}

const bounded = <T extends z.ZodType>(each: T) =>
  z.array(each).max(BATCH_MAX_ENTITIES, `At most ${BATCH_MAX_ENTITIES} entities in a batch.`)

const Id = z.string().min(1).max(64)

/** The wire shapes of an entity type: made once, because each has one name. */
function shapesOf(kind: Kind) {
  const name = pascal(kind.name)
  const { example = {} } = kind
  const [answer, create, update] = [entityAnswer(kind), createBody(kind), updateBody(kind)]
  const { id } = commonExample
  return {
    answer,
    create: named(`${name}Create`, create, { ...example, typePath: example.typePath }),
    update: named(`${name}Update`, update, { name: example.name ?? 'Another name' }),
    page: named(`${name}Page`, z.object({ results: z.array(answer), nextPageKey: z.string().nullable() })),
    creates: bounded(create),
    updates: bounded(
      named(`${name}BatchUpdate`, updateBody(kind).safeExtend({ id: Id }), { id, name: 'Another name' }),
    ),
    ids: bounded(Id),
    written: named(`${name}Batch`, z.object({ results: z.array(answer) })),
  }
}

const made = new WeakMap<Kind, ReturnType<typeof shapesOf>>()

export function shapes(kind: Kind) {
  const known = made.get(kind) ?? shapesOf(kind)
  made.set(kind, known)
  return known
}
