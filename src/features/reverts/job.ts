// The revert of a load, or of changes, as a durable job: its phases, and how it ends.
import { timeText } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'
import { writeRow } from '../../platform/formats/csv-cell.ts'
import { defineJob, type JobContext, type Phase } from '../../platform/jobs/job.ts'
import { removeJob } from '../../platform/jobs/store.ts'
import { ASSORTMENT } from '../assortments/kind.ts'
import { isAsPublished } from '../assortments/members-file.ts'
import { lastPublish } from '../assortments/store.ts'
import { readState } from '../entities/store.ts'
import { orWhyNot, writeReport } from '../files/report-file.ts'
import { roomLeft } from '../files/store.ts'
import type { LoadScope } from '../loads/checkpoint.ts'
import { BOUNDS } from '../loads/job.ts'
import { forgetWork } from '../loads/phases/clean.ts'
import { publishAssortment } from '../loads/publish-assortment.ts'
import { advance } from './checkpoint.ts'
import { issuesOf } from './issue-store.ts'
import type { Revert, RevertPhase, RevertState } from './state.ts'
import { walkBack } from './walk.ts'

type MayGoOn = () => Promise<boolean>
type PhaseWork = (scope: LoadScope, revert: Revert, mayGoOn: MayGoOn) => Promise<Revert | undefined>

const PHASES: Record<RevertPhase, PhaseWork> = {
  reverting: walkBack,
  publishing: publishAll,
  reporting: report,
  cleaning: clean,
}

export function revertJob(bounds = BOUNDS) {
  const scopeOf = (context: JobContext, { chainDepth }: Pick<RevertState, 'chainDepth'>): LoadScope => ({
    ...context,
    ...(chainDepth && { chainDepth }),
    alive: context.heartbeat,
    bounds,
  })
  const phase =
    (work: PhaseWork): Phase<RevertState> =>
    (context, revert) =>
      work(scopeOf(context, revert.state), revert, context.mayGoOn)
  const phases = Object.fromEntries(Object.entries(PHASES).map(([name, work]) => [name, phase(work)]))
  return defineJob<RevertState>({
    kind: 'revert',
    // One form since the first release.
    state: { parse: stored => stored as RevertState },
    phases: phases as Record<RevertPhase, Phase<RevertState>>,
    onGiveUp: (context, revert, message = 'The revert could not go on.') =>
      giveUp(scopeOf(context, revert.state), revert, message),
    onCancel: (context, { state, ...revert }) => {
      const cancelled: RevertState = { ...state, phase: 'reporting', outcome: 'cancelled' }
      return advance(scopeOf(context, state), { ...revert, state }, cancelled, { endsIt: true })
    },
    onGone: (context, id) => forgetWork(scopeOf(context, {}), { id }, context.mayGoOn),
  })
}

/** What is taken back stays so; the revert says why it went no further. */
async function giveUp(scope: LoadScope, revert: Revert, failure: string): Promise<Revert | undefined> {
  const { state } = revert
  if (state.phase === 'cleaning') return clean(scope, revert, async () => true)
  const outcome = state.outcome ?? 'failed'
  const ended: RevertState = { ...state, outcome, failure, endedOn: timeText(Date.now()), phase: 'cleaning' }
  return advance(scope, revert, ended, { endsIt: true })
}

/** What the load has published is published again as it stands now, so that those who listen hear of it (N33). */
async function publishAll(scope: LoadScope, given: Revert, mayGoOn: MayGoOn): Promise<Revert> {
  let revert = given
  const { dryRun, assortments } = given.state
  while (!dryRun && revert.state.published < assortments.length) {
    revert = await publishOne(scope, revert, assortments[revert.state.published] ?? '')
    if (!(await mayGoOn())) return revert
  }
  return advance(scope, revert, { ...revert.state, phase: 'reporting', outcome: 'completed' })
}

async function publishOne(scope: LoadScope, revert: Revert, assortmentId: string): Promise<Revert> {
  const { state } = revert
  const { db, org } = scope
  const next = { ...state, published: state.published + 1 }
  if (!(await readState(db, org.id, ASSORTMENT, assortmentId))) return advance(scope, revert, next)
  const last = await lastPublish(db, org.id, assortmentId)
  // What others have done since is theirs to publish.
  const isOurs = Object.keys(state.written).length > 0 || last?.createdById === state.selection.createdById
  if (!isOurs || (await isAsPublished(scope, assortmentId, last?.files.members))) return advance(scope, revert, next)
  return publishAssortment(scope, assortmentId, last, (changeId, work) =>
    advance(scope, revert, { ...next, publishIds: [...state.publishIds, changeId] }, work),
  )
}

async function report(scope: LoadScope, revert: Revert): Promise<Revert> {
  const { state } = revert
  const next: RevertState = { ...state, endedOn: timeText(Date.now()), phase: 'cleaning' }
  if (state.issueParts === 0) return advance(scope, revert, next)
  const file = { fileName: 'left-alone.csv', contentType: 'text/csv; charset=utf-8' }
  const room = await roomLeft(scope.db, scope.org.id)
  const made = await orWhyNot(writeReport(scope, file, issueTexts(scope, revert), room))
  if (made instanceof Fault) {
    return advance(scope, revert, { ...next, failure: `Not written: ${file.fileName}. ${made.message}` })
  }
  return advance(scope, revert, { ...next, issuesFileId: made.id }, { writes: [made.write] })
}

async function* issueTexts(scope: LoadScope, revert: Revert): AsyncGenerator<string> {
  const { pass, issueParts } = revert.state
  yield writeRow(['entityReference', 'property', 'reason', 'message'], ',')
  for await (const issues of issuesOf(scope, revert).read(pass, issueParts)) {
    const rows = issues.map(({ entityReference, property, reason, message }) =>
      writeRow([entityReference, property ?? '', reason, message], ','),
    )
    yield rows.join('')
    await scope.alive()
  }
}

/** The revert's own row goes last: if anything goes wrong before, the phase is repeated. */
async function clean(scope: LoadScope, revert: Revert, mayGoOn: MayGoOn): Promise<Revert | undefined> {
  if (!(await forgetWork(scope, revert, mayGoOn))) return revert
  await scope.db.batch([removeJob(revert)])
  return undefined
}
