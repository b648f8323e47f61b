// Types in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'
import { TypeIndexes, typeExample, typeFields } from './contract.ts'
import { typeGuard } from './guard.ts'
import { typeAddress } from './store.ts'

export const TYPE = kind('type', 'types', 'A type path and the properties that it defines.', {
  fields: typeFields,
  readOnly: { rootTypePath: z.string(), indexes: TypeIndexes },
  example: typeExample,
  guard: typeGuard,
  address: typeAddress,
  // Reading them resolves what they inherit.
  operations: ['create', 'update', 'delete'],
  ownRoot: false,
  uniqueBy: ['typePath'],
})
