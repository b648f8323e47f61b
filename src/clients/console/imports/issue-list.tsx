// The issues of a load by line, errors first; all of them, and the annotated file, to download.
import type { LoadProcess } from '../../typescript/index.ts'
import { labelled } from '../components/labelled.ts'
import { State } from '../components/state.tsx'
import { counted } from '../state/format.ts'
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
              <th scope="col" class="number">
                Line
              </th>
              <th scope="col">Column</th>
              <th scope="col">What</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {issues.map((issue, at) => (
              <tr key={at}>
                <td class="number">{issue.rowNumber}</td>
                <td>{issue.columnName}</td>
                <td>
                  <State is={issue.severity} />
                </td>
                <td>{issue.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
