// The first rows after each of the six steps of the pipeline; what the step changed is marked.
import { useState } from 'preact/hooks'
import type { StepPreview, StepsPreview } from '../../../features/loads/preview-shape.ts'
import { More } from '../components/more.tsx'
import { cellText } from '../state/cell-text.ts'
import { groupedIssues, linesText } from '../state/issue-groups.ts'
import { REACHABLE } from './load-file.tsx'

const TITLES: Record<string, string> = {
  booleans: 'True and false',
  federatedMappings: 'Mappings',
  propertiesToRemove: 'Left out',
  propertySlugs: 'Labels',
  conditionalColumns: 'Made columns',
  propertySlugsAgain: 'Read by type',
}
const ROWS = 6
const ISSUES = 8

export function StepsTable({ preview }: { preview: StepsPreview }) {
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const last = preview.steps.length - 1
  const at = Math.min(chosen ?? last, last)
  const step = preview.steps[at]
  if (!step) return null
  const before = preview.steps[at - 1]
  const groups = groupedIssues(preview.issues)
  return (
    <div class="stack">
      <div class="steps">
        {preview.steps.map(({ name }, index) => (
          <button key={name} type="button" aria-pressed={index === at} onClick={() => setChosen(index)}>
            {index + 1} {TITLES[name] ?? name}
          </button>
        ))}
      </div>
      <section class="scroll preview" aria-label={`First rows after step ${at + 1}`} {...REACHABLE}>
        <table class="list">
          <thead>
            <tr>
              {step.columns.map(column => (
                <th key={column} scope="col" class={before && !before.columns.includes(column) ? 'changed' : ''}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {step.rows.slice(0, ROWS).map((row, index) => (
              <tr key={index}>
                {step.columns.map(column => (
                  <td key={column} class={isChanged(before, index, column, row[column]) ? 'changed' : ''}>
                    {cellText(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {groups.slice(0, ISSUES).map(({ lines, columnName, message, severity }) => (
        <p key={`${columnName} ${message}`} class={severity === 'error' ? 'fault' : 'soft'}>
          {severity === 'error' ? 'Error' : 'Warning'}, line {linesText(lines)}
          {columnName && `, ${columnName}`}: {message}
        </p>
      ))}
      <More count={groups.length - ISSUES} one="issue" />
    </div>
  )
}

function isChanged(before: StepPreview | undefined, row: number, column: string, value: unknown): boolean {
  return before !== undefined && cellText(before.rows[row]?.[column]) !== cellText(value)
}
