// Assortments and their members in the table of entity types.
import * as z from 'zod'
import { kind, reference } from '../../platform/kind.ts'
import { assortmentGuard, keptMembers } from './guard.ts'

const Id = z.string().min(1).max(64)

export const ASSORTMENT = kind(
  'assortment',
  'assortments',
  'A selection of items in a workspace, or a composite of other assortments.',
  {
    fields: { workspaceId: Id.optional(), memberAssortmentIds: z.array(Id).max(1000).optional() },
    readOnly: { summary: z.object({ itemCount: z.int(), familyCount: z.int(), optionCount: z.int() }) },
    example: { name: 'SS27 Europe', identifier: 'ss27-eu' },
    guard: assortmentGuard,
    keepsFile: keptMembers,
    references: [
      reference('workspaceId', 'workspace'),
      { field: 'memberAssortmentIds', target: 'assortment', list: true, relation: 'memberAssortments' },
    ],
  },
)

export const ASSORTMENT_ITEM = kind(
  'assortment-item',
  'assortment-items',
  'The membership of an item in an assortment.',
  {
    fields: { itemId: Id, assortmentId: Id, projectItemId: Id.optional() },
    references: [
      reference('itemId', 'item'),
      reference('assortmentId', ASSORTMENT.name),
      reference('projectItemId', 'project-item'),
    ],
    uniqueBy: ['itemId', 'assortmentId'],
    example: { itemId: 'Vn3KqJ8sW2xT0aLb', assortmentId: 'w9GsM4zXk1FpU6eN' },
  },
)
