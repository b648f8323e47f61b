// The entity types of product data that need nothing but the generic operations.
import * as z from 'zod'
import { kind, reference } from '../../platform/kind.ts'
import { KEY_TEXT_MAX_LENGTH } from '../../platform/limits.ts'

const Id = z.string().min(1).max(64)
const Text = z.string().max(KEY_TEXT_MAX_LENGTH)
const ColorPart = z.int().min(0).max(255)

export const ITEM = kind('item', 'items', 'Products and materials: families and their options.', {
  fields: {
    roles: z
      .array(z.enum(['family', 'option']))
      .max(2)
      .optional(),
    itemFamilyId: Id.optional(),
    optionGroup: Text.optional(),
    optionName: Text.optional(),
  },
  references: [reference('itemFamilyId', 'item')],
})

export const PROJECT = kind('project', 'projects', 'A season or another undertaking that items are developed for.')

export const PROJECT_ITEM = kind(
  'project-item',
  'project-items',
  'The data of an item in one project, such as a season.',
  {
    fields: { itemId: Id, projectId: Id },
    references: [reference('itemId', ITEM.name), reference('projectId', PROJECT.name)],
    uniqueBy: ['itemId', 'projectId'],
  },
)

export const WORKSPACE = kind(
  'workspace',
  'workspaces',
  'A place of work in a project; loads name it by its identifier.',
  {
    fields: { projectId: Id.optional() },
    references: [reference('projectId', PROJECT.name)],
  },
)

export const COLOR = kind('color', 'colors', 'A color with its hex and RGB values.', {
  fields: {
    hex: z
      .string()
      .regex(/^#?[0-9a-fA-F]{6}$/, 'Expected six hexadecimal digits, with or without #.')
      .optional(),
    red: ColorPart.optional(),
    green: ColorPart.optional(),
    blue: ColorPart.optional(),
  },
})

export const CUSTOM_ENTITY = kind('custom-entity', 'custom-entities', 'An instance of a type of your own.', {
  federatedScope: 'typePath',
})

export const SIZE_RANGE_TEMPLATE = kind('size-range-template', 'size-range-templates', 'A named list of sizes.', {
  fields: { sizes: z.array(Text).max(1000).optional() },
})
