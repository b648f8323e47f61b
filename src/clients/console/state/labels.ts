// What people call a property: its label, a usual word, or its name in words. Pure.
import type { TypeProperty } from '../../typescript/index.ts'
import { ownValue } from './own-value.ts'

const LABELS: Record<string, string> = {
  federatedId: 'Key',
  name: 'Name',
  typePath: 'Type',
  createdOn: 'Created',
  updatedOn: 'Changed',
  createdById: 'Created by',
  updatedById: 'Changed by',
  itemFamilyId: 'Family',
  itemId: 'Item',
  projectId: 'Project',
  projectItemId: 'Project item',
  assortmentId: 'Assortment',
  workspaceId: 'Workspace',
  memberAssortmentIds: 'Members',
  id: 'Id',
  version: 'Version',
}

export function labelOf(slug: string, property?: TypeProperty): string {
  if (property?.label) return property.label
  const usual = ownValue(LABELS, slug)
  if (usual) return usual
  const words = slug.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
