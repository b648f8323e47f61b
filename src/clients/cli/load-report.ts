// How a load that has ended is told: its counts, its warnings, and for a failure the list of issues and what to do next.

import type { LoadIssue, LoadProcess } from '../typescript/index.ts'
import { Failure } from './failure.ts'
import type { Output } from './terminal.ts'

const ISSUES_SHOWN = 20

const countColumns = [
  { key: 'entity' },
  { key: 'created', align: 'right' },
  { key: 'updated', align: 'right' },
  { key: 'unchanged', align: 'right' },
  { key: 'removed', align: 'right' },
] as const

const issueColumns = [
  { key: 'rowNumber', title: 'line', align: 'right' },
  { key: 'columnName', title: 'column' },
  { key: 'issueType', title: 'kind' },
  { key: 'message', title: 'problem', isWrapped: true },
] as const

const AREAS: Readonly<Record<string, string>> = {
  PARSING_CSV: 'while reading the CSV file. Nothing was written',
  VALIDATING_DATA: 'while checking the data. Nothing was written',
  TRANSFORMING_DATA: 'while writing. What was committed before stays',
}

export function printLoad(output: Output, load: LoadProcess): void {
  const counts = Object.entries(load.results).map(([entity, each]) => ({ entity, ...each }))
  const dry = load.dryRun === true ? ' (dry run: nothing was written)' : ''
  if (!output.json) output.note(`The load ${load.id} is ${load.status}${dry}.`)
  output.table(load, countColumns, counts)
  if (!output.json) noteIssues(output, load)
}

/** Shows the issues and gives the failure to end with. */
export function loadFailure(output: Output, load: LoadProcess): Failure {
  if (!output.json) noteIssues(output, load)
  const cancelled = load.status === 'cancelled'
  return new Failure({
    what: cancelled
      ? `The load ${load.id} was cancelled.`
      : `The load ${load.id} failed ${AREAS[load.failureArea] ?? ''}.`,
    why: cancelled
      ? 'Somebody cancelled it; what was committed before stays.'
      : `${counted(load.errorCount, 'error')} found.`,
    todo: adviceFor(load),
    data: { loadId: load.id, status: load.status, failureArea: load.failureArea },
  })
}

function adviceFor(load: LoadProcess): string {
  const annotated = load.annotatedFileId
  if (annotated) {
    const get = `selvedge files download ${annotated} --output corrected.csv`
    return `Get your file with the issues beside each row (\`${get}\`), correct it, load it again.`
  }
  return `Correct the file and load it again; \`selvedge load get ${load.id} --json\` shows everything.`
}

function noteIssues(output: Output, load: LoadProcess): void {
  const { issues, errorCount, warningCount, issuesFileId } = load
  if (issues.length === 0) return
  const shown = [...issues.filter(isError), ...issues.filter(each => !isError(each))].slice(0, ISSUES_SHOWN)
  output.note(`${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}:`)
  output.noteTable(issueColumns, shown.map(rowOf))
  const more = errorCount + warningCount - shown.length
  if (more > 0) output.note(`and ${more} more${issuesFileId ? `: selvedge files download ${issuesFileId}` : '.'}`)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function rowOf(issue: LoadIssue) {
  return { ...issue, issueType: isError(issue) ? issue.issueType : `${issue.issueType} (warning)` }
}

function isError(issue: LoadIssue): boolean {
  return issue.severity === 'error'
}
