// Texts that a check of the whole file found to be no option: rows that show them to the preview, where they can be matched. Pure.
import type { FilePreview } from '../../../features/loads/preview-shape.ts'
import type { LoadIssue } from '../../typescript/index.ts'
import type { LoadDraft } from './load-draft.ts'
import { ownValue } from './own-value.ts'

const NO_OPTION = /^"(.*)" is no option of /s
/** Longer texts are cut in messages. */
const CUT = '…'

/** The first row again and again, each time with one of the texts in its column; undefined where there is none. */
export function rowsWithTexts(
  file: FilePreview,
  issues: readonly LoadIssue[],
  { targets }: Pick<LoadDraft, 'targets'>,
): FilePreview | undefined {
  const [first] = file.rows
  if (!first) return undefined
  const rows = issues.flatMap(({ columnName, message }) => {
    const text = NO_OPTION.exec(message)?.[1]
    if (text === undefined || text.endsWith(CUT) || columnName === null) return []
    const at = file.names.findIndex(name => name === columnName || ownValue(targets, name)?.includes(columnName))
    return at < 0 ? [] : [first.map((cell, place) => (place === at ? text : cell))]
  })
  return rows.length === 0 ? undefined : { ...file, rows, lines: rows.map(() => file.line) }
}
