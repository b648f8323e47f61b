// What there is: entity types, the type paths below them, and their properties.
import * as z from 'zod'
import type { Context } from '../../../platform/context.ts'
import { Fault } from '../../../platform/errors.ts'
import { limitedKey } from '../../../platform/key-limits.ts'
import { allKinds, findKind, type Kind } from '../../../platform/kind.ts'
import { freshTypes, typeAt } from '../../types/service.ts'
import { rootOf } from '../../types/table.ts'
import { CONTENT_MAX_BYTES, sizeOf } from '../answer-text.ts'
import { pageOfList } from '../pages.ts'
import { PageKeyText, type Tool, tool } from '../tool.ts'

/** What every entity has, told once. */
const COMMON = 'id, typePath, name, federatedId (your own key, unique), createdOn, updatedOn, version'

async function listTypes(context: Context, nextPageKey: string | undefined) {
  const allowed = context.principal.entityTypes
  const kinds = allKinds().filter(({ name }) => !allowed || allowed.includes(name))
  const types = await freshTypes(context)
  const paths = kinds.flatMap(({ name }) => types.below(name))
  const shown = paths.map(typePath => ({ typePath, label: types.get(typePath)?.label ?? undefined }))
  const entityTypes = kinds.map(({ name, about }) => ({ entityType: name, about }))
  const belongsTo = JSON.stringify([context.org.id, 'agent-types'])
  const room = CONTENT_MAX_BYTES - sizeOf(entityTypes)
  const { results, nextPageKey: next } = await pageOfList(shown, nextPageKey, belongsTo, room)
  return { entityTypes, everyEntityHas: COMMON, typePaths: results, nextPageKey: next }
}

async function describeType(context: Context, typePath: string, nextPageKey: string | undefined) {
  const { entityTypes } = context.principal
  if (entityTypes && !entityTypes.includes(rootOf(typePath))) throw limitedKey(entityTypes)
  const type = await typeAt(context, typePath).catch(error => {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error
    throw new Fault('not_found', 'There is no such type path. Without typePath all of them are listed.')
  })
  const kind = findKind(rootOf(typePath))
  const belongsTo = JSON.stringify([context.org.id, 'agent-type', typePath])
  const own = kind ? ownFields(kind) : {}
  const properties = Array.isArray(type.properties) ? type.properties : []
  const room = CONTENT_MAX_BYTES - sizeOf(own)
  const { results, nextPageKey: next } = await pageOfList(properties, nextPageKey, belongsTo, room)
  return { typePath, label: type.label ?? undefined, ...own, properties: results, nextPageKey: next }
}

/** What the entity type itself declares, for every organization. */
function ownFields({ fields, references, operations }: Kind) {
  return {
    fields: Object.keys(fields),
    references: Object.fromEntries(references.map(({ field, target }) => [field, target])),
    isWritable: operations.includes('create'),
  }
}

export const typeTools: Tool[] = [
  tool(
    {
      name: 'describe_types',
      about:
        'Without typePath: the entity types and the type paths below them. With one: its properties (slug, propertyType, options, required), inherited ones included.',
      writes: false,
      input: z.strictObject({
        typePath: z.string().max(1000).optional().describe('e.g. item:shirt'),
        nextPageKey: PageKeyText,
      }),
    },
    (context, { typePath, nextPageKey }) =>
      typePath === undefined ? listTypes(context, nextPageKey) : describeType(context, typePath, nextPageKey),
  ),
]
