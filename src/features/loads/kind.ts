// Loads in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'

export const LOADER_PROCESS = kind('loader-process', 'loader-processes', 'A load of a CSV file.', {
  fields: { status: z.string().optional() },
  recorded: false,
  operations: ['get', 'list'],
})
