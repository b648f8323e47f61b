// The issues of an import, those that say the same as one line with their count, errors first; all of them, and the annotated file, to
// download.
import type { LoadProcess } from '../../typescript/index.ts'
import { labelled } from '../components/labelled.ts'
import { State } from '../components/state.tsx'
import { counted, numberText } from '../state/format.ts'
import { groupedIssues, linesText } from '../state/issue-groups.ts'
import { isRunning } from '../state/load-words.ts'
import { BASE_URL } from '../state/session.ts'

const contentOf = (id: string) => `${BASE_URL}/files/${encodeURIComponent(id)}/content`

export function IssueList({ process }: { process: LoadProcess }) {
  const { issues, errorCount, warningCount, issuesFileId, annotatedFileId } = process
  if (errorCount + warningCount === 0)
    return <p class="soft">{isRunning(process) ? 'No issues so far.' : 'No issues.'}</p>
  return (
    <div class="stack">
      <p class="line">
        {counted(errorCount, 'error')}, {counted(warningCount, 'warning')}.
        {issuesFileId && (
          <a href={contentOf(issuesFileId)} download>
            All issues as CSV
          </a>
        )}
        {annotatedFileId && (
          <a href={contentOf(annotatedFileId)} download>
            The file with its issues, to mend and load again
          </a>
        )}
      </p>
      <div class="scroll">
        <table class="list cards" ref={labelled}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" class="number">
                Rows
              </th>
              <th scope="col">Column</th>
              <th scope="col">Message</th>
              <th scope="col">Lines</th>
            </tr>
          </thead>
          <tbody>
            {groupedIssues(issues).map(({ severity, columnName, message, lines }) => (
              <tr key={`${severity} ${columnName} ${message}`}>
                <td>
                  <State is={severity} />
                </td>
                <td class="number">{numberText(lines.length)}</td>
                <td>{columnName}</td>
                <td>{message}</td>
                <td class="soft nowrap">{linesText(lines)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
