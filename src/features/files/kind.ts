// Files in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'
import { File } from './contract.ts'

export const FILE = kind('file', 'files', 'An uploaded file.', {
  group: 'Files and loads',
  answer: File,
  fields: { status: z.string().optional() },
  recorded: false,
  hasContent: true,
  operations: ['get', 'list'],
})
