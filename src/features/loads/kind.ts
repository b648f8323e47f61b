// Loads in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'
import { LoaderProcess } from './contract.ts'
import { endedLoads } from './revive.ts'

export const LOADER_PROCESS = kind('loader-process', 'loader-processes', 'A load of a CSV file.', {
  group: 'Files and loads',
  answer: LoaderProcess,
  fields: { status: z.string().optional() },
  recorded: false,
  revive: endedLoads,
  // A load reads its file until it ends.
  holds: [{ field: 'fileLocation', target: 'file', statuses: ['pending', 'running'] }],
  operations: ['get', 'list'],
})
