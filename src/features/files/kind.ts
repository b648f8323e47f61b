// Files in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'

export const FILE = kind('file', 'files', 'An uploaded file.', {
  fields: { status: z.string().optional() },
  recorded: false,
  operations: ['get', 'list'],
})
