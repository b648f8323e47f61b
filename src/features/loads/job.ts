// The load of a file as a durable job: its phases, and how it ends when it cannot go on.
import { StaleTypes } from '../../platform/db/commit/refusal.ts'
import { timeText } from '../../platform/db/row.ts'
import { defineJob, type JobContext, type Phase as JobPhase } from '../../platform/jobs/job.ts'
import { BACKGROUND_COMMIT_MAX_ENTITIES, LOAD_CHUNK_BYTES, LOAD_CHUNK_MAX_ROWS } from '../../platform/limits.ts'
import { readTypes } from '../types/store.ts'
import { advance, isEnding, type LoadBounds, type LoadScope } from './checkpoint.ts'
import { stagingOf } from './chunk.ts'
import type { IssueType } from './contract.ts'
import { Issues } from './issues.ts'
import { clean, forgetWork } from './phases/clean.ts'
import { spread } from './phases/inherit-options.ts'
import { open } from './phases/open.ts'
import { publishAll } from './phases/publish.ts'
import { remove } from './phases/remove-members.ts'
import { report } from './phases/report.ts'
import { validate } from './phases/validate.ts'
import { write } from './phases/write.ts'
import { ownProperties } from './rows/effective-properties.ts'
import { failed, type LoadState, type Phase, withIssues } from './state.ts'
import { type Load, readLoad } from './store/loads.ts'
import { isOutdated, readState } from './stored-state.ts'
import { targetsOf } from './targets.ts'

export const BOUNDS: LoadBounds = {
  chunkBytes: LOAD_CHUNK_BYTES,
  chunkMaxRows: LOAD_CHUNK_MAX_ROWS,
  commitMaxEntities: BACKGROUND_COMMIT_MAX_ENTITIES,
}

type MayGoOn = () => Promise<boolean>
type PhaseWork = (scope: LoadScope, load: Load, mayGoOn: MayGoOn) => Promise<Load | undefined>

const PHASES: Record<Phase, PhaseWork> = {
  opening: open,
  validating: validate,
  writing: write,
  spreading: spread,
  removing: remove,
  publishing: publishAll,
  reporting: report,
  cleaning: clean,
}

const OUTDATED =
  'The service was updated while this load ran, and it cannot go on. What is written so far stays; load the file again to complete it.'

export function loadJob(bounds = BOUNDS) {
  const scopeOf = (context: JobContext, { chainDepth }: Pick<LoadState, 'chainDepth'>): LoadScope => ({
    ...context,
    ...(chainDepth && { chainDepth }),
    alive: context.heartbeat,
    bounds,
  })
  const phase =
    (work: PhaseWork): JobPhase<LoadState> =>
    async (context, load) => {
      const scope = scopeOf(context, load.state)
      if (isOutdated(load.state)) return giveUp(scope, load, OUTDATED)
      try {
        return await work(scope, load, context.mayGoOn)
      } catch (error) {
        if (error instanceof StaleTypes) return resumeAfterTypeChange(scope, load)
        throw error
      }
    }
  const phases = Object.fromEntries(Object.entries(PHASES).map(([name, work]) => [name, phase(work)]))
  return defineJob<LoadState>({
    kind: 'load',
    state: { parse: readState },
    phases: phases as Record<Phase, JobPhase<LoadState>>,
    onGiveUp: (context, load, message = 'The load could not go on.') =>
      giveUp(scopeOf(context, load.state), load, message),
    onCancel: (context, load) => cancel(scopeOf(context, load.state), load),
    onGone: (context, id) => forgetWork(scopeOf(context, {}), { id }, context.mayGoOn),
  })
}

/** Types have changed: a load that has nothing to do with them goes on, another could only write what no longer fits. */
async function resumeAfterTypeChange(scope: LoadScope, given: Load): Promise<Load | undefined> {
  const load = (await readLoad(scope.db, scope.org.id, given.id)) ?? given
  const table = await readTypes(scope.db, scope.org.id)
  const own = JSON.stringify(ownProperties(table, targetsOf(load.state.configuration)))
  const known = JSON.stringify(await stagingOf(scope, load).readTypes())
  if (own === known) return advance(scope, load, { ...load.state, typesStamp: table.stamp })
  const message =
    'The types have changed since the file was read by them. What is written so far stays; load the file again to complete it under the new types.'
  return giveUp(scope, load, message, 'VALIDATION_ERROR')
}

function cancel(scope: LoadScope, load: Load): Promise<Load> {
  const startedOn = load.state.startedOn ?? timeText(scope.now)
  return advance(scope, load, { ...load.state, startedOn, phase: 'reporting', outcome: 'cancelled' }, { endsIt: true })
}

/** What is committed stays; the load says why it went no further. */
async function giveUp(
  scope: LoadScope,
  load: Load,
  message: string,
  issueType: IssueType = 'SYSTEM_ERROR',
): Promise<Load | undefined> {
  const { state } = load
  if (state.phase === 'cleaning') return clean(scope, load, async () => true)
  if (isEnding(state)) {
    const ended = { ...state, endedOn: timeText(scope.now), phase: 'cleaning' } satisfies LoadState
    return advance(scope, load, ended, { endsIt: true })
  }
  const issues = new Issues()
  issues.error(0, null, issueType, message)
  const chunk = state.chunks + 2
  await stagingOf(scope, load).writeIssues(chunk, issues.list)
  const isWriting = state.phase !== 'opening' && state.phase !== 'validating'
  const next = failed(withIssues(state, issues, chunk), isWriting ? 'TRANSFORMING_DATA' : 'VALIDATING_DATA')
  return advance(
    scope,
    load,
    { ...next, startedOn: state.startedOn ?? timeText(scope.now), isReadable: false },
    { endsIt: true },
  )
}
