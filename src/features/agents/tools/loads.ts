// Checking a load: a dry run of a configuration with a file, waited for as long as an answer may take.
import * as z from 'zod'
import type { Context } from '../../../platform/context.ts'
import type { Entity } from '../../../platform/db/row.ts'
import { invalid } from '../../../platform/errors.ts'
import { AGENT_LOAD_LOOK_MS, AGENT_LOAD_WAIT_MS } from '../../../platform/limits.ts'
import { getEntity } from '../../entities/service.ts'
import { writeReport } from '../../files/report-file.ts'
import { decided } from '../../files/service.ts'
import { contentKey } from '../../files/store.ts'
import { LOAD_TYPES, startLoad as startLoadOperation } from '../../loads/contract.ts'
import { LOADER_PROCESS } from '../../loads/kind.ts'
import { startLoad } from '../../loads/service.ts'
import { cut } from '../answer-text.ts'
import { type Tool, tool } from '../tool.ts'
import { shownEntity } from './read.ts'

const SHOWN = [
  'status',
  'failureArea',
  'dryRun',
  'fileLocation',
  'progress',
  'results',
  'errorCount',
  'warningCount',
  'issues',
  'steps',
]

const hasEnded = ({ status }: Entity) => status !== 'pending' && status !== 'running'

async function ended(context: Context, id: string): Promise<Entity> {
  const until = Date.now() + AGENT_LOAD_WAIT_MS
  for (;;) {
    const process = await getEntity(context, LOADER_PROCESS, id)
    if (hasEnded(process) || Date.now() >= until) return process
    await scheduler.wait(AGENT_LOAD_LOOK_MS)
  }
}

/** The text becomes a file together with the check, or not at all. */
async function begun(context: Context, configuration: Record<string, unknown>, csv: string | undefined) {
  if (csv === undefined) return startLoad(context, { ...configuration, dryRun: true })
  const { id, write } = await writeReport(context, { fileName: 'agent.csv', contentType: 'text/csv' }, [csv])
  const keyOf = (fileLocation: unknown) => contentKey(context.org.id, String(fileLocation))
  return decided(
    context,
    keyOf(id),
    () => startLoad(context, { ...configuration, fileLocation: id, dryRun: true }, write),
    process => keyOf(process.fileLocation),
  )
}

export const loadTools: Tool[] = [
  tool(
    {
      name: 'check_load',
      about: `Dry run of a CSV load: what it would create and change, and every issue by line. Nothing but the check itself is written. configuration: {loadType: [${LOAD_TYPES.join(' | ')}], fileLocation: id of an uploaded file (or give csv), federatedMappings: {target column: source column}, conditionalColumns: [{toProperty, default}], propertiesToRemove}.`,
      writes: true,
      operation: startLoadOperation,
      input: z.strictObject({
        configuration: z.record(z.string(), z.unknown()).optional(),
        csv: z.string().optional().describe('Its text, where there is no file yet.'),
        loadId: z.string().max(64).optional().describe('Look again at a check that had not ended.'),
      }),
    },
    async (context, { configuration, csv, loadId }) => {
      if ((configuration === undefined) === (loadId === undefined)) {
        throw invalid([{ path: '/configuration', message: 'Give a configuration, or the loadId of an earlier check.' }])
      }
      const id = loadId ?? (await begun(context, configuration ?? {}, csv)).id
      const process = await ended(context, id)
      const shown = cut(shownEntity(process, SHOWN))
      return { loadId: id, ...(hasEnded(process) ? {} : { goOn: 'Call again with this loadId.' }), load: shown }
    },
  ),
]
