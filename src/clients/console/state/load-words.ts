// What a load does and did, in numbers and words. Pure.
import type { LoadCounts, LoadProcess } from '../../typescript/index.ts'
import { counted } from './format.ts'

export function totalsOf({ results }: Pick<LoadProcess, 'results'>): LoadCounts {
  const sum = { created: 0, updated: 0, unchanged: 0, removed: 0 }
  for (const counts of Object.values(results ?? {})) {
    sum.created += counts.created
    sum.updated += counts.updated
    sum.unchanged += counts.unchanged
    sum.removed += counts.removed
  }
  return sum
}

export const isRunning = ({ status }: Pick<LoadProcess, 'status'>) => status === 'pending' || status === 'running'

const STOPPED_WHILE: Partial<Record<LoadProcess['failureArea'], string>> = {
  PARSING_CSV: 'reading the file',
  VALIDATING_DATA: 'checking the rows',
  TRANSFORMING_DATA: 'writing',
}

type Failed = Pick<LoadProcess, 'failureArea' | 'annotatedFileId'> & { dryRun?: unknown }

/** Where a load stopped, and what to do now: only one that was writing has left something to complete. */
export function failureWords({ failureArea, dryRun, annotatedFileId }: Failed): string {
  const isBefore = failureArea === 'PARSING_CSV' || failureArea === 'VALIDATING_DATA'
  if (!isBefore && dryRun === true)
    return 'It stopped while counting what would change. Nothing was written: check again.'
  const where = `It stopped while ${STOPPED_WHILE[failureArea] ?? 'working'}.`
  if (!isBefore) return `${where} What was committed before stays; load the file again to complete it.`
  const way = annotatedFileId
    ? 'Mend the rows, best in the file with its issues (below), and load it again.'
    : 'Mend what the issues below tell of, and load the file again.'
  return `${where} Nothing was written. ${way}`
}

/** Phases that only a load that writes goes through as they are called. */
const WRITING = new Set(['writing', 'spreading', 'removing', 'publishing'])

type Running = Pick<LoadProcess, 'status' | 'progress'> & { dryRun?: unknown }

export function phaseWords({ status, progress, dryRun }: Running): string {
  if (status === 'pending') return 'waiting for its turn'
  return dryRun === true && WRITING.has(progress.phase) ? 'counting what would change' : progress.phase
}

/** How much of a file is looked at, and how much of that is shown. */
export function shownWords(rows: number, shown: number, isWhole: boolean): string {
  const first = shown < rows ? `the first ${shown} of them shown` : 'all of them shown'
  if (!isWhole) return `the first ${counted(rows, 'row')} looked at, ${first} here`
  return rows <= 1 ? counted(rows, 'row') : `${counted(rows, 'row')}, ${first} here`
}
