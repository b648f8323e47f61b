// What a revert remembers from one step to the next, and what callers see of it. Pure; bounded, however much is taken back.
import type { Job } from '../../platform/jobs/job.ts'
import { REVERT_ISSUES_SHOWN } from '../../platform/limits.ts'
import type { LoadStatus } from '../loads/contract.ts'
import type { RevertCounts, RevertIssue } from './contract.ts'
import type { Selection, Source } from './selection.ts'

export type RevertPhase = 'reverting' | 'publishing' | 'reporting' | 'cleaning'

export const REVERT_FORM = 'revert 1'

export interface RevertState {
  form: typeof REVERT_FORM
  selection: Selection
  dryRun: boolean
  /** Of the caller, in a chain of workflows. */
  chainDepth?: number
  phase: RevertPhase
  /** What stands against a write may be gone once the rest is taken back: then all is gone through again. */
  pass: number
  /** Whether the pass under way has written anything, and whether anything was refused. */
  hasWritten: boolean
  hasRefused: boolean
  source: Source
  /** The record before which it goes on; null: from the newest. */
  cursor: number | null
  changesDone: number
  /** Of all passes. */
  written: Record<string, RevertCounts>
  /** Of the pass under way. */
  seen: Record<string, RevertCounts>
  issueCount: number
  issues: RevertIssue[]
  /** Parts of the pass under way. */
  issueParts: number
  assortments: string[]
  published: number
  publishIds: string[]
  outcome: Extract<LoadStatus, 'completed' | 'failed' | 'cancelled'> | null
  failure: string | null
  issuesFileId: string | null
  startedOn: string | null
  endedOn: string | null
  percent: number
}

export type Revert = Job<RevertState>

export function newRevert(selection: Selection, dryRun: boolean, assortments: string[]): RevertState {
  return {
    form: REVERT_FORM,
    selection,
    dryRun,
    phase: 'reverting',
    pass: 1,
    hasWritten: false,
    hasRefused: false,
    source: 'aside',
    cursor: null,
    changesDone: 0,
    written: {},
    seen: {},
    issueCount: 0,
    issues: [],
    issueParts: 0,
    assortments,
    published: 0,
    publishIds: [],
    outcome: null,
    failure: null,
    issuesFileId: null,
    startedOn: null,
    endedOn: null,
    percent: 0,
  }
}

/** All of it once more: what was only seen is seen again. */
export function nextPass(state: RevertState): RevertState {
  return {
    ...state,
    pass: state.pass + 1,
    hasWritten: false,
    hasRefused: false,
    source: 'aside',
    cursor: null,
    changesDone: 0,
    seen: {},
    issueCount: 0,
    issues: [],
    issueParts: 0,
  }
}

const noCounts = (): RevertCounts => ({ deleted: 0, restored: 0, updated: 0, unchanged: 0, kept: 0 })

export function counted(
  counts: Record<string, RevertCounts>,
  type: string,
  what: keyof RevertCounts,
): Record<string, RevertCounts> {
  const sum = counts[type] ?? noCounts()
  return { ...counts, [type]: { ...sum, [what]: sum[what] + 1 } }
}

export function withIssues(state: RevertState, issues: readonly RevertIssue[]): RevertState {
  if (issues.length === 0) return state
  return {
    ...state,
    issueCount: state.issueCount + issues.length,
    issues: [...state.issues, ...issues].slice(0, REVERT_ISSUES_SHOWN),
    issueParts: state.issueParts + 1,
  }
}

function resultsOf({ written, seen }: RevertState): Record<string, RevertCounts> {
  const types = [...new Set([...Object.keys(written), ...Object.keys(seen)])].sort()
  return Object.fromEntries(
    types.map(type => {
      const [a, b] = [written[type] ?? noCounts(), seen[type] ?? noCounts()]
      const names = Object.keys(a) as (keyof RevertCounts)[]
      return [type, Object.fromEntries(names.map(name => [name, a[name] + b[name]])) as RevertCounts]
    }),
  )
}

/** What each phase takes the bar to. */
const REACHES: Record<RevertPhase, number> = { reverting: 90, publishing: 97, reporting: 99, cleaning: 99 }

export function percentOf(state: RevertState): number {
  if (state.endedOn !== null && state.outcome === 'completed') return 100
  if (state.outcome === 'failed' || state.outcome === 'cancelled') return state.percent
  const { firstSeq, lastSeq } = state.selection
  const whole = Math.max(1, lastSeq - firstSeq + 1)
  const rest = state.source === 'aside' ? whole : Math.max(0, (state.cursor ?? lastSeq + 1) - firstSeq)
  const share = state.phase === 'reverting' ? 1 - Math.min(1, rest / whole) : 1
  return Math.max(state.percent, Math.floor(share * REACHES[state.phase]))
}

export function publicFields(state: RevertState): Record<string, unknown> {
  const isOver = state.endedOn !== null
  return {
    status: isOver ? state.outcome : state.startedOn === null ? 'pending' : 'running',
    failure: state.failure,
    progress: {
      phase: isOver ? 'done' : state.phase,
      changesDone: state.changesDone,
      percent: state.percent,
    },
    results: resultsOf(state),
    issueCount: state.issueCount,
    issues: state.issues,
    issuesFileId: state.issuesFileId,
    assortmentPublishChangeIds: state.publishIds,
    startedOn: state.startedOn,
    endedOn: state.endedOn,
  }
}
