// The phases of a revert, and how it ends.

import { timeText } from '../../platform/db/row.ts'
import { Fault, isBrief } from '../../platform/errors.ts'
import { writeRow } from '../../platform/formats/csv-cell.ts'
import { ASSORTMENT } from '../assortments/kind.ts'
import { isAsPublished } from '../assortments/members-file.ts'
import { lastPublish } from '../assortments/store.ts'
import { readState } from '../entities/store.ts'
import { orWhyNot, writeReport } from '../files/report-file.ts'
import { roomLeft } from '../files/store.ts'
import { LoadMoved, type LoadScope } from '../loads/checkpoint.ts'
import { publishAssortment } from '../loads/publish-assortment.ts'
import { forget, noteFailure, type Revert, removeLoad } from '../loads/store/loads.ts'
import { Staging } from '../loads/store/staging.ts'
import { advance, isEnding } from './checkpoint.ts'
import { issuesOf } from './issue-store.ts'
import type { RevertPhase, RevertState } from './state.ts'
import { walkBack } from './walk.ts'

type MayGoOn = () => Promise<boolean>
type Phase = (scope: LoadScope, revert: Revert, mayGoOn: MayGoOn) => Promise<Revert | undefined>

const PHASES: Record<RevertPhase, Phase> = {
  reverting: walkBack,
  publishing: publishAll,
  reporting: report,
  cleaning: clean,
}

export async function goOnReverting(scope: LoadScope, revert: Revert, mayGoOn: MayGoOn): Promise<Revert | undefined> {
  if (revert.isCancelled && !isEnding(revert.state)) {
    return advance(scope, revert, { ...revert.state, phase: 'reporting', outcome: 'cancelled' }, { endsIt: true })
  }
  try {
    return await PHASES[revert.state.phase](scope, revert, mayGoOn)
  } catch (error) {
    if (error instanceof LoadMoved) throw error
    console.error('revert', revert.id, revert.state.phase, error)
    if (isBrief(error)) throw error
    if (error instanceof Fault) return giveUpReverting(scope, revert, error.message)
    await noteFailure(scope.db, revert)
    throw error
  }
}

/** What is taken back stays so; the revert says why it went no further. */
export async function giveUpReverting(scope: LoadScope, given: Revert, failure: string): Promise<Revert | undefined> {
  const { state } = given
  if (state.phase === 'cleaning') return clean(scope, given, async () => true)
  const ended: RevertState = {
    ...state,
    outcome: state.outcome ?? 'failed',
    failure,
    endedOn: timeText(Date.now()),
    phase: 'cleaning',
  }
  return advance(scope, given, ended, { endsIt: true })
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

const FORGET_ROWS = 5000
const FORGET_OBJECTS = 1000

/** The revert's own row goes last: if anything goes wrong before, the phase is repeated. */
async function clean(scope: LoadScope, revert: Revert, mayGoOn: MayGoOn): Promise<Revert | undefined> {
  const staging = new Staging(scope.env.FILES, scope.org.id, revert.id)
  const isForgotten = async () =>
    (await forget(scope.db, revert.id, FORGET_ROWS)) && (await staging.forget(FORGET_OBJECTS))
  while (!(await isForgotten())) if (!(await mayGoOn())) return revert
  await scope.db.batch([removeLoad(revert.orgId, revert.id)])
  return undefined
}
