// The entity types of product data that need nothing but the generic operations.
import * as z from 'zod'
import { kind, reference } from '../../platform/kind.ts'
import { KEY_TEXT_MAX_LENGTH, SIZES_MAX, VIEW_MAX_LENGTH } from '../../platform/limits.ts'
import { itemGuard, itemRules } from './item-guard.ts'

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
  // An item with a family is an option, its family is a family (N73).
  references: [{ ...reference('itemFamilyId', 'item'), isFlat: true }],
  rules: itemRules,
  guard: itemGuard,
  rulesSchema: {
    not: {
      type: 'object',
      required: ['itemFamilyId', 'roles'],
      properties: { itemFamilyId: { type: 'string' }, roles: { type: 'array', contains: { const: 'family' } } },
    },
  },
  example: {
    typePath: 'item:shirt',
    name: 'Linen shirt',
    federatedId: 'LS-1',
    roles: ['family'],
    season: 'SS27',
    price: 49,
  },
})

export const PROJECT = kind('project', 'projects', 'A season or another undertaking that items are developed for.', {
  example: { name: 'Spring Summer 2027', federatedId: 'SS27' },
})

export const PROJECT_ITEM = kind(
  'project-item',
  'project-items',
  'The data of an item in one project, such as a season.',
  {
    fields: { itemId: Id, projectId: Id },
    references: [reference('itemId', ITEM.name), reference('projectId', PROJECT.name)],
    uniqueBy: ['itemId', 'projectId'],
    example: { itemId: 'Vn3KqJ8sW2xT0aLb', projectId: 'h5YcB0nWv7RtK2qD', targetPrice: 45 },
  },
)

export const WORKSPACE = kind(
  'workspace',
  'workspaces',
  'A place of work in a project; loads name it by its identifier.',
  {
    fields: { projectId: Id.optional() },
    references: [reference('projectId', PROJECT.name)],
    example: { name: 'Design', identifier: 'ss27-design' },
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
  example: { name: 'Indigo', federatedId: 'IN-1', hex: '#27408b', red: 39, green: 64, blue: 139 },
})

export const CUSTOM_ENTITY = kind('custom-entity', 'custom-entities', 'An instance of a type of your own.', {
  federatedScope: 'typePath',
  example: { typePath: 'custom-entity:supplier', name: 'Flax mill', federatedId: 'FM-7', country: 'PT' },
})

/** A list with filters and columns, saved for all members of the organization. */
export const SAVED_VIEW = kind(
  'saved-view',
  'saved-views',
  'A view of a list, saved for everybody: filter, order, columns.',
  {
    fields: {
      entityName: Text.optional(),
      criteria: z.string().max(VIEW_MAX_LENGTH).optional(),
      order: Text.optional(),
      columns: z.string().max(VIEW_MAX_LENGTH).optional(),
      q: Text.optional(),
    },
    example: { name: 'Open for SS27', entityName: 'item', criteria: '{"season":"SS27"}', order: 'name.asc' },
  },
)

export const SIZE_RANGE_TEMPLATE = kind('size-range-template', 'size-range-templates', 'A named list of sizes.', {
  fields: { sizes: z.array(Text).max(SIZES_MAX).optional() },
  example: { name: 'Letters', federatedId: 'LETTERS', sizes: ['S', 'M', 'L', 'XL'] },
})
