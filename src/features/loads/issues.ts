// Collects the issues of one chunk (N29). A hopeless file must not fill the memory: beyond the bound they are counted.
import { LOAD_CHUNK_MAX_ISSUES } from '../../platform/limits.ts'
import type { Issue, IssueType } from './contract.ts'

export class Issues {
  readonly list: Issue[] = []
  errors = 0
  warnings = 0
  /** What concerns a whole column is said once, however many rows and chunks there are. */
  readonly #said: Set<string>

  constructor(said: Iterable<string> = []) {
    this.#said = new Set(said)
  }

  get said(): string[] {
    return [...this.#said]
  }

  error(line: number, column: string | null, issueType: IssueType, message: string): void {
    this.errors++
    this.#add({ rowNumber: line, columnName: column, message, issueType, severity: 'error' })
  }

  warn(line: number, column: string | null, issueType: IssueType, message: string): void {
    this.warnings++
    this.#add({ rowNumber: line, columnName: column, message, issueType, severity: 'warning' })
  }

  warnOnce(line: number, column: string | null, issueType: IssueType, message: string): boolean {
    const key = `${column ?? ''}\n${message}`
    if (this.#said.has(key) || this.#said.size >= SAID_MAX) return false
    this.#said.add(key)
    this.warn(line, column, issueType, message)
    return true
  }

  #add(issue: Issue): void {
    if (this.list.length < LOAD_CHUNK_MAX_ISSUES) this.list.push(issue)
  }
}

const SAID_MAX = 2000
