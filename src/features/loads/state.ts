// What a load remembers from one step to the next, and what callers see of it. Pure; everything here is bounded, however
// long the file is.
import type { FailureArea, Issue, LoaderConfiguration, LoadStatus } from './contract.ts'
import type { Dialect } from './csv/dialect.ts'
import { firstOf, type Issues } from './issues.ts'
import { STEPS } from './rows/pipeline.ts'

export type Phase =
  | 'opening'
  | 'validating'
  | 'writing'
  | 'spreading'
  | 'removing'
  | 'publishing'
  | 'reporting'
  | 'cleaning'

export interface Counts {
  created: number
  updated: number
  unchanged: number
  removed: number
}

export interface HeaderState {
  dialect: Dialect
  names: string[]
  line: number
  /** Where the first row begins. */
  end: number
  nextLine: number
}

export interface LoadState {
  configuration: LoaderConfiguration
  fileSize: number
  /** Where the content lies; absent in loads that an older release began. */
  fileKey?: string
  phase: Phase
  projectId: string | null
  /** What in the configuration leads to the project, for people; null: the rows do. */
  projectRank: string | null
  /** What the configuration is warned of when the file is opened. */
  startWarnings: string[]
  /** Split values and their assortments; null stands for the id in the row. */
  targets: [value: string, assortmentId: string | null][]
  header: HeaderState | null
  /** The organization's last change of a type, as the rows are read by. */
  typesStamp: number
  /** The next byte to validate, and its line. */
  start: number
  line: number
  rows: number
  chunks: number
  said: string[]
  typePathSeen: string | null
  /** Type paths that rows have named, up to two. */
  typePaths: string[]
  stepWarnings: number[]
  errors: number
  warnings: number
  issues: Issue[]
  /** Chunks that have issues; 0 is the header. Each has a part, or several. */
  issueChunks: number[]
  /** Whether options get values of their families. */
  inherits: boolean
  /** Whether a family's own row stands in a later chunk than its first one. */
  hasLate: boolean
  /** The next chunk to write, and the part of it. */
  chunk: number
  unit: number
  rowsWritten: number
  /** By entity type. */
  results: Record<string, Counts>
  unrecorded: number
  /** Assortments that get rows, in the order of the file. */
  assortments: string[]
  /** How far the phase under way has come; each says what it means by them. */
  at: number
  after: string
  failureArea: FailureArea
  outcome: Extract<LoadStatus, 'completed' | 'failed' | 'cancelled'> | null
  /** Whether the file can be read to its end. */
  isReadable: boolean
  issuesFileId: string | null
  annotatedFileId: string | null
  publishIds: string[]
  startedOn: string | null
  endedOn: string | null
  /** Times in ms; what the progress is told by. */
  phaseStartedOn: number | null
  movedOn: number
  percent: number
}

export function newState(
  configuration: LoaderConfiguration,
  found: Pick<LoadState, 'fileSize' | 'fileKey' | 'projectId' | 'projectRank' | 'startWarnings' | 'targets'>,
): LoadState {
  return {
    configuration,
    ...found,
    phase: 'opening',
    header: null,
    typesStamp: 0,
    start: 0,
    line: 1,
    rows: 0,
    chunks: 0,
    said: [],
    typePathSeen: null,
    typePaths: [],
    stepWarnings: STEPS.map(() => 0),
    errors: 0,
    warnings: 0,
    issues: [],
    issueChunks: [],
    inherits: false,
    hasLate: false,
    chunk: 0,
    unit: 0,
    rowsWritten: 0,
    results: {},
    unrecorded: 0,
    assortments: [],
    at: 0,
    after: '',
    failureArea: 'NONE',
    outcome: null,
    isReadable: true,
    issuesFileId: null,
    annotatedFileId: null,
    publishIds: [],
    startedOn: null,
    endedOn: null,
    phaseStartedOn: null,
    movedOn: 0,
    percent: 0,
  }
}

export function withIssues(state: LoadState, issues: Issues, chunk: number): LoadState {
  if (issues.errors + issues.warnings === 0) return state
  return {
    ...state,
    errors: state.errors + issues.errors,
    warnings: state.warnings + issues.warnings,
    issues: firstOf([...state.issues, ...issues.shown]),
    issueChunks: state.issueChunks.includes(chunk) ? state.issueChunks : [...state.issueChunks, chunk],
  }
}

export function failed(state: LoadState, failureArea: FailureArea): LoadState {
  return { ...state, phase: 'reporting', outcome: 'failed', failureArea }
}

export function addCount(results: LoadState['results'], name: string, counts: Partial<Counts>): void {
  const sum = results[name] ?? { created: 0, updated: 0, unchanged: 0, removed: 0 }
  results[name] = {
    created: sum.created + (counts.created ?? 0),
    updated: sum.updated + (counts.updated ?? 0),
    unchanged: sum.unchanged + (counts.unchanged ?? 0),
    removed: sum.removed + (counts.removed ?? 0),
  }
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

/** N74: `rowsDone` and `rowsPerSecond` are those of the phase that is named. */
function progressOf(state: LoadState) {
  const isRead = state.phase !== 'opening' && state.phase !== 'validating'
  const isOver = state.endedOn !== null
  const rowsDone = isRead ? state.rowsWritten : state.rows
  const { sincePhase, sinceStart } = elapsedOf(state)
  const isCounting = !isOver && (state.phase === 'validating' || state.phase === 'writing')
  return {
    phase: isOver ? 'done' : state.phase,
    rowsTotal: isRead ? state.rows : null,
    rowsDone,
    percent: state.percent,
    rowsPerSecond: isCounting && sincePhase > 0 ? Math.round(rowsDone / sincePhase) : null,
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
function percentOf(state: LoadState): number {
  if (state.endedOn !== null && state.outcome === 'completed') return 100
  if (state.outcome === 'failed' || state.outcome === 'cancelled') return state.percent
  const from = REACHES[ORDER[ORDER.indexOf(state.phase) - 1] ?? 'opening']
  return Math.max(state.percent, Math.floor(from + shareOf(state) * (REACHES[state.phase] - from)))
}

/** How much of its phase is done, as far as that is known. */
function shareOf({ phase, start, fileSize, rows, rowsWritten, at, assortments }: LoadState): number {
  const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(1, part / whole))
  if (phase === 'validating') return share(start, fileSize)
  if (phase === 'writing') return share(rowsWritten, rows)
  return phase === 'publishing' ? share(at, assortments.length) : 0
}

/** A step that is done at this time. */
export function movedTo(before: LoadState, state: LoadState, now: number): LoadState {
  const isNew = before.phase !== state.phase || state.phaseStartedOn === null
  const moved = { ...state, movedOn: now, phaseStartedOn: isNew ? now : state.phaseStartedOn }
  return { ...moved, percent: percentOf(moved) }
}
