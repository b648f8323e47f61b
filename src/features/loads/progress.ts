// How far a load has come, as callers see it (N74). Pure.
import type { LoadState, Phase } from './state.ts'

/** N74: `rowsDone` and `rowsPerSecond` are those of the phase that is named. */
export function progressOf(state: LoadState) {
  const isRead = state.phase !== 'opening' && state.phase !== 'validating'
  const isOver = state.endedOn !== null
  const rowsDone = isRead ? state.rowsWritten : state.rows
  const { sincePhase, sinceStart } = elapsedOf(state)
  // Those that are skipped take no time of the writing.
  const written = rowsDone - (isRead ? state.skipped.rows : 0)
  const isCounting = !isOver && (state.phase === 'validating' || state.phase === 'writing')
  return {
    phase: isOver ? 'done' : state.phase,
    rowsTotal: isRead ? state.rows : null,
    rowsDone,
    percent: state.percent,
    rowsPerSecond: isCounting && sincePhase > 0 ? Math.round(written / sincePhase) : null,
    secondsLeft:
      isOver || state.percent < PERCENT_TO_TELL
        ? null
        : Math.round((sinceStart * (100 - state.percent)) / state.percent),
  }
}

/** Below it nothing can be told about the rest. */
const PERCENT_TO_TELL = 2

function elapsedOf({ startedOn, phaseStartedOn, movedOn }: LoadState): { sincePhase: number; sinceStart: number } {
  const seconds = (from: number) => Math.max(0, (movedOn - from) / 1000)
  return {
    sincePhase: phaseStartedOn === null ? 0 : seconds(phaseStartedOn),
    sinceStart: startedOn === null ? 0 : seconds(Date.parse(startedOn)),
  }
}

/** What each phase takes the bar to. */
const REACHES: Record<Phase, number> = {
  opening: 0,
  validating: 40,
  writing: 90,
  spreading: 93,
  removing: 95,
  publishing: 98,
  reporting: 99,
  cleaning: 99,
}
const ORDER = Object.keys(REACHES) as Phase[]

/** Of the whole load. A load that goes on later, or ends early, keeps what it has reached. */
export function percentOf(state: LoadState): number {
  if (state.endedOn !== null && state.outcome === 'completed') return 100
  if (state.outcome === 'failed' || state.outcome === 'cancelled') return state.percent
  const from = REACHES[ORDER[ORDER.indexOf(state.phase) - 1] ?? 'opening']
  return Math.max(state.percent, Math.floor(from + shareOf(state) * (REACHES[state.phase] - from)))
}

/** How much of its phase is done, as far as that is known. */
function shareOf({ phase, start, fileSize, rows, rowsWritten, pass, assortments }: LoadState): number {
  const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(1, part / whole))
  if (phase === 'validating') return share(start, fileSize)
  if (phase === 'writing') return share(rowsWritten, rows)
  return phase === 'publishing' ? share(pass, assortments.length) : 0
}

/** A step that is done at this time. */
export function movedTo(before: LoadState, state: LoadState, now: number): LoadState {
  const isNew = before.phase !== state.phase || state.phaseStartedOn === null
  const moved = { ...state, movedOn: now, phaseStartedOn: isNew ? now : state.phaseStartedOn }
  return { ...moved, percent: percentOf(moved) }
}
