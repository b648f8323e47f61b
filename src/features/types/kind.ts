// Types in the table of entity types.
import { kind } from '../../platform/kind.ts'
import { typeFields } from './contract.ts'

export const TYPE = kind('type', 'types', 'A type path and the properties that it defines.', {
  fields: typeFields,
  readOnly: ['rootTypePath'],
  // Reading them resolves what they inherit.
  operations: ['create', 'update', 'delete'],
  ownRoot: false,
  uniqueBy: ['typePath'],
})
