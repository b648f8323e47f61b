// The end of a load (N28): all issues as a CSV file, after errors also the whole file with its issues beside the rows,
// to correct and to load again as it is.

import type { Write } from '../../../platform/db/commit/write.ts'
import { timeText } from '../../../platform/db/row.ts'
import { Fault } from '../../../platform/errors.ts'
import { writeRow } from '../../../platform/formats/csv-cell.ts'
import { LOAD_ISSUES_SHOWN } from '../../../platform/limits.ts'
import { orWhyNot, writeReport } from '../../files/report-file.ts'
import { type Room, roomLeft } from '../../files/store.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { sourceOf, stagingOf } from '../chunk.ts'
import type { Issue } from '../contract.ts'
import { annotatedHeader, annotatedRow } from '../csv/annotated.ts'
import { CsvFault, type HeaderState } from '../csv/dialect.ts'
import { readRows } from '../csv/rows.ts'
import { ranges } from '../csv/source.ts'
import type { LoadState } from '../state.ts'
import type { Load } from '../store/loads.ts'
import type { Staging } from '../store/staging.ts'

const CSV = 'text/csv; charset=utf-8'

export async function report(scope: LoadScope, load: Load): Promise<Load> {
  const { state } = load
  const staging = stagingOf(scope, load)
  const writes: Write[] = []
  let next: LoadState = { ...state, endedOn: timeText(Date.now()), phase: 'cleaning' }
  if (state.issueChunks.length === 0) return advance(scope, load, next)
  const room = await roomLeft(scope.db, scope.org.id)
  const leftOut: string[] = []
  let why = ''
  const keep = async (fileName: string, texts: AsyncIterable<string> | undefined) => {
    const made = texts && (await orWhyNot(written(scope, fileName, texts, room)))
    if (made instanceof Fault) {
      leftOut.push(fileName)
      why = made.message
    } else if (made) {
      writes.push(made.write)
      return made.id
    }
    return null
  }
  next.issuesFileId = await keep('issues.csv', issueTexts(scope, staging, state))
  next.annotatedFileId = await keep('annotated.csv', annotated(scope, load, staging))
  if (leftOut.length > 0) next = warned(next, `Not written: ${leftOut.join(', ')}. ${why}`)
  return advance(scope, load, next, { writes })
}

/** None where the file cannot be read to its end. */
async function written(scope: LoadScope, fileName: string, texts: AsyncIterable<string>, room: Room) {
  try {
    return await writeReport(scope, { fileName, contentType: CSV }, texts, room)
  } catch (error) {
    if (error instanceof CsvFault) return undefined
    throw error
  }
}

/** In the place of the last one shown, where there are too many. */
function warned(state: LoadState, message: string): LoadState {
  const issue: Issue = { rowNumber: 0, columnName: null, message, issueType: 'SYSTEM_ERROR', severity: 'warning' }
  const issues = [...state.issues.slice(0, LOAD_ISSUES_SHOWN - 1), issue]
  return { ...state, warnings: state.warnings + 1, issues }
}

/** None where nothing is wrong with the data. */
function annotated(scope: LoadScope, load: Load, staging: Staging): AsyncIterable<string> | undefined {
  const { header, outcome, errors, isReadable } = load.state
  if (outcome !== 'failed' || errors === 0 || !isReadable || !header || !isOfData(load.state)) return undefined
  return annotatedTexts(scope, load, header, staging)
}

const isOfData = ({ failureArea }: LoadState) => failureArea === 'PARSING_CSV' || failureArea === 'VALIDATING_DATA'

const byRow = (a: Issue, b: Issue) => a.rowNumber - b.rowNumber

async function* issueTexts(scope: LoadScope, staging: Staging, { issueChunks }: LoadState): AsyncGenerator<string> {
  yield writeRow(['rowNumber', 'columnName', 'issueType', 'severity', 'message'], ',')
  for (const chunk of issueChunks) {
    for await (const issues of staging.readIssues(chunk)) {
      const rows = issues.sort(byRow).map(({ rowNumber, columnName, issueType, severity, message }) => {
        return writeRow([String(rowNumber), columnName ?? '', issueType, severity, message], ',')
      })
      yield rows.join('')
      await scope.alive()
    }
  }
}

/**
 * What is said of each line, so many issues of it. They were put away by the chunks of another reading, whose borders may have been
 * others: they are read as far as the lines go, and forgotten once they are taken.
 */
class LineIssues {
  readonly #byLine = new Map<number, { texts: string[]; more: number }>()
  readonly #staging: Staging
  readonly #chunks: number[]
  /** What was found at the end of the file may be about any line: it is read first. */
  readonly #atEnd: number[]
  #lastLine = 0

  constructor(staging: Staging, { issueChunks, chunks }: Pick<LoadState, 'issueChunks' | 'chunks'>) {
    this.#staging = staging
    const sorted = [...issueChunks].sort((a, b) => a - b)
    this.#chunks = sorted.filter(chunk => chunk <= chunks)
    this.#atEnd = sorted.filter(chunk => chunk > chunks)
  }

  async readTo(line: number): Promise<void> {
    for (const chunk of this.#atEnd.splice(0)) await this.#read(chunk)
    while (this.#lastLine <= line) {
      const chunk = this.#chunks.shift()
      if (chunk === undefined) return
      this.#lastLine = await this.#read(chunk)
    }
  }

  /** The last of its lines. */
  async #read(chunk: number): Promise<number> {
    let last = 0
    for await (const issues of this.#staging.readIssues(chunk)) {
      for (const issue of issues) {
        this.#add(issue)
        last = Math.max(last, issue.rowNumber)
      }
    }
    return last
  }

  #add(issue: Issue): void {
    const line = this.#byLine.get(issue.rowNumber) ?? { texts: [], more: 0 }
    if (line.texts.length < ISSUES_A_LINE) line.texts.push(textOf(issue))
    else line.more++
    this.#byLine.set(issue.rowNumber, line)
  }

  take(line: number): string[] {
    const { texts = [], more = 0 } = this.#byLine.get(line) ?? {}
    this.#byLine.delete(line)
    return more > 0 ? [...texts, `and ${more} more`] : texts
  }
}

const ISSUES_A_LINE = 20

async function* annotatedTexts(
  scope: LoadScope,
  load: Load,
  header: HeaderState,
  staging: Staging,
): AsyncGenerator<string> {
  const { names, dialect } = header
  const issues = new LineIssues(staging, load.state)
  yield annotatedHeader(names, dialect)
  for await (const range of ranges(sourceOf(scope, load), header, { start: header.end, line: header.nextLine })) {
    const { cells, lines, faults } = readRows(range, dialect, names)
    const malformed = new Map(faults.map(fault => [fault.line, fault.malformed]))
    await issues.readTo(lines.at(-1) ?? 0)
    // What is wrong with the header stands on the first row: the header itself must stay as it is.
    const ofHeader = issues.take(header.line).map(text => `line ${header.line}: ${text}`)
    const rows = cells.map((row, at) => {
      const line = lines[at] ?? 0
      const texts = [...ofHeader.splice(0), ...issues.take(line)]
      return annotatedRow([String(line), texts.join(' | ')], row, malformed.get(line), header)
    })
    yield rows.join('')
    await scope.alive()
  }
}

function textOf({ columnName, message, severity }: Issue): string {
  return `${severity}: ${columnName ? `${columnName}: ` : ''}${message}`
}
