// Assortments and their members in the table of entity types.
import * as z from 'zod'
import { kind, reference } from '../../platform/kind.ts'

const Id = z.string().min(1).max(64)

export const ASSORTMENT = kind(
  'assortment',
  'assortments',
  'A selection of items in a workspace, or a composite of other assortments.',
  {
    fields: { workspaceId: Id.optional(), memberAssortmentIds: z.array(Id).max(1000).optional() },
    readOnly: ['summary'],
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
  },
)
