// The state of a load as it is stored. A load outlives a deploy: what an older release has stored is read here, too. Pure.
import { percentOf } from './progress.ts'
import { type LoadState, newState, type Phase, STATE_FORM } from './state.ts'

type Stored = Partial<LoadState> & Pick<LoadState, 'configuration'>

export function readState(given: unknown): LoadState {
  const stored = given as Stored
  return stored.form === STATE_FORM ? (stored as LoadState) : olderState(stored)
}

/** Phases that there are no more, and those that they stood before. */
const GONE_PHASES: Readonly<Record<string, Phase>> = { recalling: 'writing' }

/** A load that had not begun begins under this release. Of others all is kept that is meant for people; see `isOutdated`. */
function olderState(stored: Stored): LoadState {
  const { configuration, chainDepth, fileSize = 0, fileKey, projectId = null, projectRank = null } = stored
  const { startWarnings = [], targets = [] } = stored
  const found = { chainDepth, fileSize, fileKey, projectId, projectRank, startWarnings, targets }
  const state = newState(configuration, found)
  if (stored.phase === state.phase) {
    const { isAgain = false, startedOn = null, percent = 0 } = stored
    return { ...state, isAgain, startedOn, percent }
  }
  const known = Object.entries(stored).filter(([key]) => Object.hasOwn(state, key))
  const phase = GONE_PHASES[String(stored.phase)] ?? stored.phase ?? state.phase
  const older: LoadState = { ...state, ...Object.fromEntries(known), phase, form: stored.form ?? 1 }
  return { ...older, percent: percentOf(older) }
}

/** Whether the load was under way when another release was deployed: how far it has come cannot be told. */
export function isOutdated({ form, outcome }: LoadState): boolean {
  return form !== STATE_FORM && outcome === null
}
