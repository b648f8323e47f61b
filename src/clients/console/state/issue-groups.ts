// Issues that say the same of the same column, as one with its lines. Pure.

interface Issue {
  rowNumber: number
  columnName: string | null
  message: string
  severity: 'error' | 'warning'
}

export interface IssueGroup extends Omit<Issue, 'rowNumber'> {
  /** In the order of the file. */
  lines: readonly number[]
}

/** Errors first, and then what concerns most lines. */
export function groupedIssues(issues: readonly Issue[]): IssueGroup[] {
  const groups = new Map<string, IssueGroup & { lines: number[] }>()
  for (const { rowNumber, columnName, message, severity } of issues) {
    const key = JSON.stringify([severity, columnName, message])
    const group = groups.get(key) ?? { columnName, message, severity, lines: [] }
    group.lines.push(rowNumber)
    groups.set(key, group)
  }
  const isError = ({ severity }: IssueGroup) => (severity === 'error' ? 0 : 1)
  return [...groups.values()].sort((a, b) => isError(a) - isError(b) || b.lines.length - a.lines.length)
}

const NAMED = 3

/** `4`, `4, 7`, `4, 7, 9 and 303 more`. */
export function linesText(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED).join(', ')
  return lines.length > NAMED ? `${named} and ${lines.length - NAMED} more` : named
}
