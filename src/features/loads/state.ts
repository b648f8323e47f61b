// What a load remembers from one step to the next, and what callers see of it. Pure; everything here is bounded, however
// long the file is.
import { LOAD_ISSUES_SHOWN } from '../../platform/limits.ts'
import type { FailureArea, Issue, LoaderConfiguration, LoadStatus } from './contract.ts'
import type { Dialect } from './csv/dialect.ts'
import type { Issues } from './issues.ts'
import { STEPS } from './rows/pipeline.ts'
import type { Target } from './rows/property.ts'

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
  /** Chunks that have issues; 0 is the header. */
  issueChunks: number[]
  /** Whether options get values of their families. */
  inherits: boolean
  /** Whether a family's own row stands in a later chunk than its first one. */
  hasLate: boolean
  /** The next chunk to write, and the part of it. */
  chunk: number
  unit: number
  rowsWritten: number
  results: Partial<Record<Target, Counts>>
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
}

export function newState(
  configuration: LoaderConfiguration,
  found: Pick<LoadState, 'fileSize' | 'fileKey' | 'projectId' | 'targets'>,
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
  }
}

export function withIssues(state: LoadState, issues: Issues, chunk: number): LoadState {
  if (issues.list.length === 0) return state
  return {
    ...state,
    errors: state.errors + issues.errors,
    warnings: state.warnings + issues.warnings,
    issues: [...state.issues, ...issues.list.slice(0, Math.max(0, LOAD_ISSUES_SHOWN - state.issues.length))],
    issueChunks: state.issueChunks.includes(chunk) ? state.issueChunks : [...state.issueChunks, chunk],
  }
}

export function failed(state: LoadState, failureArea: FailureArea): LoadState {
  return { ...state, phase: 'reporting', outcome: 'failed', failureArea }
}

export function addCount(results: LoadState['results'], target: Target, counts: Partial<Counts>): void {
  const sum = results[target] ?? { created: 0, updated: 0, unchanged: 0, removed: 0 }
  results[target] = {
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

function progressOf(state: LoadState) {
  const isRead = state.phase !== 'opening' && state.phase !== 'validating'
  return {
    phase: state.endedOn === null ? state.phase : 'done',
    rowsTotal: isRead ? state.rows : null,
    rowsDone: isRead ? state.rowsWritten : state.rows,
    percent: percentOf(state),
  }
}

/** Reading takes the bar to 40, writing to 95. */
function percentOf(state: LoadState): number {
  if (state.endedOn !== null && state.outcome === 'completed') return 100
  const read = state.fileSize === 0 ? 0 : (40 * state.start) / state.fileSize
  const written = state.rows === 0 ? 0 : (55 * state.rowsWritten) / state.rows
  return Math.min(99, Math.floor(read + written))
}
