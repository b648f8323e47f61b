// What a load remembers from one step to the next, and what callers see of it. Pure; everything here is bounded, however
// long the file is.
import type { FailureArea, Issue, LoaderConfiguration, LoadStatus } from './contract.ts'
import type { HeaderState } from './csv/dialect.ts'
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

export interface Skipped {
  /** The first of some that follow each other, and the next after them. */
  ranges: [from: number, to: number][]
  rows: number
  /** Entities that their rows are about. */
  unchanged: number
}

/** Counted up when what is stored no longer means the same; see stored-state.ts. */
export const STATE_FORM = 7

export interface LoadState {
  form: number
  configuration: LoaderConfiguration
  fileSize: number
  /** Of the caller, in a chain of workflows. */
  chainDepth?: number | undefined
  /** Where the content is; absent in loads that an older release accepted. */
  fileKey?: string | undefined
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
  /** Of the next chunk. Said before it is read: whoever repeats the step cuts it alike, and stages the same. */
  chunkMaxRows: number
  /** Warnings that are given once for the whole file, as far as they have been. */
  warnedOnce: string[]
  typePathSeen: string | null
  /** Type paths that rows have named, up to two; an empty one stands for rows that name none. */
  typePaths: string[]
  stepWarnings: number[]
  errors: number
  warnings: number
  issues: Issue[]
  /** Chunks that have issues; 0 is the header. Each has a part, or several. */
  issueChunks: number[]
  /** Whether only the keys of its claims are kept; see phases/ledger.ts. */
  remembers: boolean
  /** Whether the file is read for the second time, because that was not enough. */
  isAgain: boolean
  /** Whether options get values of their families. */
  inherits: boolean
  /** Whether a family's own row stands in a later chunk than its first one. */
  hasLate: boolean
  /** Whether options lack what their families may say further down. */
  owes: boolean
  /** Chunks that have nothing to write, and are not staged; see phases/settle.ts. */
  skipped: Skipped
  /** The next chunk to write. */
  chunk: number
  rowsWritten: number
  /** By entity type. */
  results: Record<string, Counts>
  unrecorded: number
  /** Assortments that get rows, in the order of the file. */
  assortments: string[]
  /** Those that options may have values of, in the file; null: nobody has counted them yet. And those that have been gone through. */
  families: number | null
  familiesDone: number
  /** How far the phase under way has come: passes that are done, the last key of the one under way, and the part of that. */
  pass: number
  cursor: string
  part: number
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

type FoundAtStart = Pick<
  LoadState,
  'chainDepth' | 'fileSize' | 'fileKey' | 'projectId' | 'projectRank' | 'startWarnings' | 'targets'
>

export function newState(configuration: LoaderConfiguration, found: FoundAtStart): LoadState {
  return {
    form: STATE_FORM,
    configuration,
    ...found,
    phase: 'opening',
    header: null,
    typesStamp: 0,
    start: 0,
    line: 1,
    rows: 0,
    chunks: 0,
    chunkMaxRows: 0,
    warnedOnce: [],
    typePathSeen: null,
    typePaths: [],
    stepWarnings: STEPS.map(() => 0),
    errors: 0,
    warnings: 0,
    issues: [],
    issueChunks: [],
    remembers: false,
    isAgain: false,
    inherits: false,
    hasLate: false,
    owes: false,
    skipped: { ranges: [], rows: 0, unchanged: 0 },
    chunk: 0,
    rowsWritten: 0,
    results: {},
    unrecorded: 0,
    assortments: [],
    families: null,
    familiesDone: 0,
    pass: 0,
    cursor: '',
    part: 0,
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

/** The file is read from its beginning, as if nothing of it had been. */
export function readAgain(state: LoadState): LoadState {
  const { configuration, chainDepth, fileSize, fileKey, projectRank, startWarnings, targets } = state
  // One that no rank stands behind is what rows have led to.
  const projectId = projectRank === null ? null : state.projectId
  const found = { chainDepth, fileSize, fileKey, projectId, projectRank, startWarnings, targets }
  const { startedOn, percent } = state
  return { ...newState(configuration, found), startedOn, percent, isAgain: true }
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

export function addCount(results: LoadState['results'], name: string, what: keyof Counts, many = 1): void {
  results[name] ??= { created: 0, updated: 0, unchanged: 0, removed: 0 }
  results[name][what] += many
}

export function summed(results: LoadState['results'], more: LoadState['results']): LoadState['results'] {
  const sum = structuredClone(results)
  for (const [name, counts] of Object.entries(more)) {
    for (const [what, many] of Object.entries(counts)) addCount(sum, name, what as keyof Counts, many)
  }
  return sum
}
