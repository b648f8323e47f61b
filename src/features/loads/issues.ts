// Collects the issues of one chunk (N29). A hopeless file must not fill the memory: they are taken away in parts, and what the
// process itself shows is kept aside.
import { LOAD_ISSUE_MAX_LENGTH, LOAD_ISSUES_SHOWN } from '../../platform/limits.ts'
import { AdviceBudget, didYouMean } from '../../platform/nearest.ts'
import type { Issue, IssueType } from './contract.ts'
import { hashOf } from './rows/hash.ts'

/** A name that there is not, and those that there are. */
export interface Meant {
  name: string
  among: () => Iterable<string>
}

export class Issues {
  #list: Issue[] = []
  #shown: Issue[] = []
  errors = 0
  warnings = 0
  /** Warnings about a whole column are given once, however many rows and chunks there are. */
  readonly #warnedOnce: Set<string>
  /** For all names that are looked up for these issues. */
  readonly advice = new AdviceBudget()

  constructor(warnedOnce: Iterable<string> = []) {
    this.#warnedOnce = new Set(warnedOnce)
  }

  get warnedOnce(): string[] {
    return [...this.#warnedOnce]
  }

  /** Those that nobody has taken yet. */
  get list(): readonly Issue[] {
    return this.#list
  }

  /** The first of all, errors before warnings. */
  get shown(): Issue[] {
    return firstOf([...this.#shown, ...this.#list])
  }

  take(): Issue[] {
    const taken = this.#list
    this.#shown = this.shown
    this.#list = []
    return taken
  }

  error(line: number, column: string | null, issueType: IssueType, message: string): void {
    this.errors++
    this.#add(line, column, issueType, message, 'error')
  }

  warn(line: number, column: string | null, issueType: IssueType, message: string): void {
    this.warnings++
    this.#add(line, column, issueType, message, 'warning')
  }

  /** Whatever a cell holds: the process that shows the issue is an entity, and has to stay within its bounds. */
  #add(
    rowNumber: number,
    columnName: string | null,
    issueType: IssueType,
    message: string,
    severity: Issue['severity'],
  ): void {
    this.#list.push({ rowNumber, columnName, message: cut(message), issueType, severity })
  }

  /** Of a whole column as well, and never left out. */
  errorOnce(line: number, column: string, issueType: IssueType, message: string): void {
    const key = hashOf(column, message)
    if (this.#warnedOnce.has(key)) return
    if (this.#warnedOnce.size < WARNED_ONCE_MAX) this.#warnedOnce.add(key)
    this.error(line, column, issueType, message)
  }

  /** What may be meant is looked for only where the warning is given. */
  warnOnce(line: number, column: string | null, issueType: IssueType, message: string, meant?: Meant): boolean {
    const key = hashOf(column, message)
    if (this.#warnedOnce.size >= WARNED_ONCE_MAX || this.#warnedOnce.has(key)) return false
    this.#warnedOnce.add(key)
    const advice = meant ? didYouMean(meant.name, meant.among(), this.advice) : ''
    this.warn(line, column, issueType, message + advice)
    return true
  }
}

/** What has been said goes with the load from step to step. */
const WARNED_ONCE_MAX = 2000

function cut(message: string): string {
  if (message.length <= LOAD_ISSUE_MAX_LENGTH) return message
  return `${message.slice(0, LOAD_ISSUE_MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** As many as a process shows: warnings never hide an error (N74). */
export function firstOf(issues: readonly Issue[]): Issue[] {
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length >= LOAD_ISSUES_SHOWN) return errors.slice(0, LOAD_ISSUES_SHOWN)
  const warnings = issues.filter(({ severity }) => severity === 'warning')
  return [...errors, ...warnings.slice(0, LOAD_ISSUES_SHOWN - errors.length)]
}
