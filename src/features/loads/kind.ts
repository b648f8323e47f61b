// Loads in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'
import { LoaderProcess } from './contract.ts'
import { RevertProcess } from './revert/contract.ts'
import { endedLoads, endedReverts } from './revive.ts'

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

export const REVERT_PROCESS = kind('revert-process', 'revert-processes', 'The taking back of a load, or of changes.', {
  group: 'Files and loads',
  answer: RevertProcess,
  fields: { status: z.string().optional() },
  recorded: false,
  revive: endedReverts,
  operations: ['get', 'list'],
})
