// Reverts in the table of entity types.
import * as z from 'zod'
import { kind } from '../../platform/kind.ts'
import { endedReverts } from '../loads/revive.ts'
import { RevertProcess } from './contract.ts'

export const REVERT_PROCESS = kind('revert-process', 'revert-processes', 'The taking back of a load, or of changes.', {
  group: 'Files and loads',
  answer: RevertProcess,
  fields: { status: z.string().optional() },
  recorded: false,
  revive: endedReverts,
  operations: ['get', 'list'],
})
