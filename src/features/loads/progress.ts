// How far a load has come, as callers see it (N74). Pure.
import { STEPS } from './rows/pipeline.ts'
import type { LoadState, Phase } from './state.ts'

/** N74: `rowsDone` and `rowsPerSecond` are those of the phase that is named; what comes after the writing is told by all rows. */
export function progressOf(state: LoadState) {
  const isRead = state.phase !== 'opening' && state.phase !== 'validating'
  const isOver = state.endedOn !== null
  const isWritten = isRead && !(state.outcome === 'failed' && state.rowsWritten === 0)
  const rowsDone = isWritten ? state.rowsWritten : state.rows
  const { sincePhase } = elapsedOf(state)
  // Those that are skipped take no time of the writing.
  const written = rowsDone - (isRead ? state.skipped.rows : 0)
  const isCounting = !isOver && (state.phase === 'validating' || state.phase === 'writing')
  return {
    phase: isOver ? 'done' : state.phase,
    rowsTotal: isRead ? state.rows : null,
    rowsDone,
    percent: state.percent,
    rowsPerSecond: isCounting && sincePhase > 0 ? Math.round(written / sincePhase) : null,
    secondsLeft: isOver ? null : secondsLeftOf(state),
  }
}

/** Below it nothing can be told about the rest. */
const PERCENT_TO_TELL = 2

/** Rows go on as they have so far; a phase after them, as it has itself. Null: nobody knows how much there is to do. */
function secondsLeftOf(state: LoadState): number | null {
  const { phase, percent } = state
  const { sincePhase, sinceStart } = elapsedOf(state)
  if (phase === 'validating' || phase === 'writing') {
    return percent < PERCENT_TO_TELL ? null : Math.round((sinceStart * (100 - percent)) / percent)
  }
  const share = shareOf(state)
  return share === undefined || share === 0 ? null : Math.round((sincePhase * (1 - share)) / share)
}

function elapsedOf({ startedOn, phaseStartedOn, movedOn }: LoadState): { sincePhase: number; sinceStart: number } {
  const seconds = (from: number) => Math.max(0, (movedOn - from) / 1000)
  return {
    sincePhase: phaseStartedOn === null ? 0 : seconds(phaseStartedOn),
    sinceStart: startedOn === null ? 0 : seconds(Date.parse(startedOn)),
  }
}

/** What reading takes the bar to, and what is left for reporting and cleaning up. */
const READ = 40
const REST = 1

/** How long each phase after the reading takes, beside the others. */
const weightsOf = ({ inherits, assortments }: LoadState): Partial<Record<Phase, number>> => ({
  writing: 50,
  ...(inherits && { spreading: 20 }),
  ...(assortments.length > 0 && { removing: 8, publishing: 8 }),
})
const ORDER: readonly Phase[] = ['writing', 'spreading', 'removing', 'publishing', 'reporting', 'cleaning']

/** Of the whole load. A load that goes on later, or ends early, keeps what it has reached. */
export function percentOf(state: LoadState): number {
  if (state.endedOn !== null && state.outcome === 'completed') return 100
  if (state.outcome === 'failed' || state.outcome === 'cancelled') return state.percent
  return Math.max(state.percent, Math.floor(reachedBy(state)))
}

function reachedBy(state: LoadState): number {
  const { phase } = state
  const share = shareOf(state) ?? 0
  if (phase === 'opening') return 0
  if (phase === 'validating') return share * READ
  const weights = weightsOf(state)
  const sum = (phases: readonly Phase[]) => phases.reduce((all, one) => all + (weights[one] ?? 0), 0)
  const done = sum(ORDER.slice(0, ORDER.indexOf(phase))) + share * (weights[phase] ?? 0)
  return READ + (done / sum(ORDER)) * (100 - READ - REST)
}

/** How much of its phase is done, as far as that is known. */
function shareOf(state: LoadState): number | undefined {
  const share = (part: number, whole: number) => (whole === 0 ? undefined : Math.min(1, part / whole))
  switch (state.phase) {
    case 'validating':
      return share(state.start, state.fileSize)
    case 'writing':
      return share(state.rowsWritten, state.rows)
    case 'spreading':
      return share(state.familiesDone, state.families ?? 0)
    case 'publishing':
      return share(state.pass, state.assortments.length)
    default:
      return undefined
  }
}

/** A step that is done at this time. */
export function movedTo(before: LoadState, state: LoadState, now: number): LoadState {
  const isNew = before.phase !== state.phase || state.phaseStartedOn === null
  const moved = { ...state, movedOn: now, phaseStartedOn: isNew ? now : state.phaseStartedOn }
  return { ...moved, percent: percentOf(moved) }
}

/** N28: the properties of the loader-process that change while it runs. */
export function publicFields(state: LoadState): Record<string, unknown> {
  const isOver = state.endedOn !== null
  return {
    status: isOver ? state.outcome : state.startedOn === null ? 'pending' : 'running',
    failureArea: state.failureArea,
    progress: progressOf(state),
    results: state.results,
    unrecordedWrites: state.unrecorded,
    steps: STEPS.map((name, at) => ({
      step: at + 1,
      name,
      rows: state.rows,
      warnings: state.stepWarnings[at] ?? 0,
    })),
    errorCount: state.errors,
    warningCount: state.warnings,
    issues: state.issues,
    issuesFileId: state.issuesFileId,
    annotatedFileId: state.annotatedFileId,
    assortmentPublishChangeIds: state.publishIds,
    startedOn: state.startedOn,
    endedOn: state.endedOn,
  }
}
