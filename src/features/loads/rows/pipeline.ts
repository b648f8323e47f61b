// The six steps of N30 over the rows of one file: plan once for each type path, then a short loop for each row. Cells
// of the file stay texts until they are needed; step 1 and step 4 happen where a value is read.
import { ExpressionError } from '../../../platform/expression/errors.ts'
import { LOAD_CHUNK_MAX_CHARACTERS, LOAD_PLANS_MAX_COLUMNS } from '../../../platform/limits.ts'
import { bareName, quoted } from '../../../platform/nearest.ts'
import type { Issues, Meant } from '../issues.ts'
import {
  type FinalPlan,
  find,
  planFields,
  planSteps,
  propertyCount,
  propertyNames,
  type Shape,
  type StepPlan,
} from './column-plan.ts'
import {
  type Column,
  type ColumnRules,
  type Columns,
  KEY_COLUMNS,
  mapped,
  misspelt,
  REPORT_COLUMNS,
  withoutRemoved,
} from './columns.ts'
import { type ConditionalColumn, madeBy } from './conditional-columns.ts'
import { isTypePath } from './type-path.ts'
import { Work } from './work.ts'

/** For each column and each property: about a microsecond. */
const WORK_OF_PLANNING = 10

/** Each preprocessing step, as the load reports it (N28). */
export const STEPS = [
  'booleans',
  'federatedMappings',
  'propertiesToRemove',
  'propertySlugs',
  'conditionalColumns',
  'propertySlugsAgain',
] as const

export class Pipeline {
  readonly #shape: Shape
  readonly #columns: Columns
  readonly #conditionals: readonly ConditionalColumn[]
  readonly #removed: ReadonlySet<string>
  /** Columns that step 3 takes away. */
  readonly #taken: readonly Column[]
  readonly #found: readonly string[]
  readonly #headerLine: number
  readonly #typePath: Column | undefined
  readonly #plans = new Map<string, StepPlan>()
  /** Columns of all plans that are kept. */
  #planned = 0
  /** Characters that conditional columns have made so far. */
  #made = 0
  readonly #work = new Work()
  /** Which conditional columns have left the row's column as it was. */
  readonly #left: boolean[] = []
  /** Warnings of each step. */
  readonly warnings: number[] = STEPS.map(() => 0)

  constructor(
    shape: Shape,
    header: { names: readonly string[]; line: number },
    rules: ColumnRules,
    conditionals: readonly ConditionalColumn[],
    issues: Issues,
  ) {
    this.#shape = shape
    this.#headerLine = header.line
    const before = issues.warnings
    const columns = mapped(header.names, rules, header.line, issues)
    const between = issues.warnings
    this.#columns = withoutRemoved(columns, rules, header.line, issues)
    this.warnings[1] = between - before
    this.warnings[2] = issues.warnings - between
    this.#removed = new Set(rules.propertiesToRemove)
    this.#taken = columns.list.filter(({ name }) => this.#removed.has(name))
    this.#found = header.names.filter(name => name !== '' && !REPORT_COLUMNS.includes(name))
    this.#conditionals = conditionals
    this.#typePath = find(this.#columns.list, 'typePath')
    for (const { toProperty, warnings } of conditionals) {
      for (const warning of warnings) this.#warnOnce(4, toProperty, warning, issues)
    }
    this.#tellOfSpellings(issues)
  }

  /** A header such as HEX is no hex, and nobody would see it (N72); nor is a made column such as typepath. */
  #tellOfSpellings(issues: Issues): void {
    const bare = byBareName(this.#shape.reserved)
    const made = this.#conditionals.map(({ toProperty }) => ({ name: toProperty, header: toProperty }))
    for (const { name, header } of [...this.#columns.list, ...made]) {
      if (this.#shape.reserved.has(name)) continue
      const meant = bare.get(bareName(name))
      if (meant === undefined || this.has(meant)) continue
      this.#warnOnce(5, header, `This column is not taken for ${meant}: call it ${meant} exactly, or map it.`, issues)
    }
  }

  /** What the columns of the file and of the mappings are called. */
  get names(): string[] {
    return this.#columns.list.map(({ name }) => name)
  }

  /** What the file itself has. */
  get found(): readonly string[] {
    return this.#found
  }

  /** The columns of the file and of the mappings: what steering columns are looked up in. */
  has(name: string): boolean {
    return (
      find(this.#columns.list, name) !== undefined || this.#conditionals.some(({ toProperty }) => toProperty === name)
    )
  }

  /** Fills the row's cells up with literals and conditional columns, and tells what each of them is. */
  run(cells: unknown[], line: number, issues: Issues, type: RowType = { typePath: this.#root }): FinalPlan {
    for (const literal of this.#columns.literals) cells.push(literal)
    const plan = this.#planFor(typePathIn(cells, this.#typePath, type, this.#root), issues)
    this.#work.beginRow()
    for (const [at, conditional] of this.#conditionals.entries()) {
      cells.push(this.#bounded(this.#evaluate(cells, plan, at, conditional, line, issues), conditional, line, issues))
    }
    return this.#finalPlan(plan, cells, issues, type)
  }

  /** What a cell says is no option: reading it is part of the last step. */
  noteUnread(): void {
    this.warnings[5] = (this.warnings[5] ?? 0) + 1
  }

  /** Whether others should get a turn before the next row. */
  takeTurn(): boolean {
    return this.#work.takeTurn()
  }

  /** Whether the rows so far have taken more work than a load may do for a chunk. */
  get isSpent(): boolean {
    return this.#work.isSpent
  }

  get #root(): string {
    return this.#shape.targets[0].name
  }

  #planFor(typePath: string, issues: Issues): StepPlan {
    const known = this.#plans.get(typePath)
    if (known) return known
    const plan = planSteps(this.#shape, this.#columns, this.#conditionals, typePath)
    this.#makeRoom(plan.columns.length + plan.scopes.reduce((sum, scope) => sum + scope.size, 0), typePath)
    const columns = plan.missing.length > 0 ? [...plan.columns, ...this.#columns.list] : []
    const bare = byBareName(columns.map(column => column.name))
    const taken = byBareName(plan.missing.length > 0 ? this.#taken.map(column => column.name) : [])
    for (const { toProperty, name } of plan.missing) {
      const written = KEY_COLUMNS.has(toProperty) ? bare.get(bareName(name)) : undefined
      // A column that is made is there from then on.
      if (written !== undefined && (written !== toProperty || find(this.#columns.list, written))) {
        issues.errorOnce(this.#headerLine, toProperty, 'CONFIG', misspelt(name, written, 'Refer'))
        continue
      }
      if (this.#removed.has(name)) {
        const message = `The column ${quoted(name)} is taken away by propertiesToRemove before it is referred to.`
        this.#warnOnce(4, toProperty, message, issues)
        continue
      }
      const meant = KEY_COLUMNS.has(toProperty) ? taken.get(bareName(name)) : undefined
      if (meant !== undefined) {
        const message = `There is no column ${quoted(name)}, and propertiesToRemove takes ${quoted(meant)} away. Refer to one that is left.`
        issues.errorOnce(this.#headerLine, toProperty, 'CONFIG', message)
        continue
      }
      const among = () => [...plan.columns, ...this.#taken].flatMap(column => [column.name, column.header])
      const message = `There is no column ${quoted(name)} to refer to.`
      this.#warnOnce(4, toProperty, message, issues, { name, among })
    }
    this.#plans.set(typePath, plan)
    return plan
  }

  #finalPlan(plan: StepPlan, cells: unknown[], issues: Issues, type: RowType): FinalPlan {
    const typePath = typePathIn(cells, plan.typePath, type, this.#root)
    const known = plan.finals.get(typePath)
    if (known) return known
    const final = planFields(this.#shape, plan.columns, typePath)
    this.#makeRoom(plan.columns.length, typePath)
    let names: string[] | undefined
    const among = () => (names ??= propertyNames(this.#shape, typePath))
    for (const { header, name, reason } of final.dropped) {
      const meant = reason === 'unmatched' ? { name, among } : undefined
      this.#warnOnce(5, header, DROPPED[reason](typePath), issues, meant)
    }
    for (const { header, propertyType } of final.retyped) {
      const message = `columnTypes is not used for this column: the type ${typePath} defines it as ${propertyType}.`
      this.#warnOnce(4, header, message, issues)
    }
    plan.finals.set(typePath, final)
    return final
  }

  /** Rows may name as many type paths as there are rows, and each plan is as wide as the file. */
  #makeRoom(columns: number, typePath: string): void {
    this.#work.hold((columns + propertyCount(this.#shape, typePath)) * WORK_OF_PLANNING)
    this.#planned += columns
    if (this.#planned <= LOAD_PLANS_MAX_COLUMNS) return
    this.#plans.clear()
    this.#planned = columns
  }

  #warnOnce(step: number, column: string, message: string, issues: Issues, meant?: Meant): void {
    const isNew = issues.warnOnce(this.#headerLine, column, step === 5 ? 'HEADER_MISMATCH' : 'CONFIG', message, meant)
    if (isNew) this.warnings[step] = (this.warnings[step] ?? 0) + 1
  }

  /** Each row is bounded by itself; so is what all rows of a chunk make together. */
  #bounded(value: unknown, { toProperty }: ConditionalColumn, line: number, issues: Issues): unknown {
    const length =
      typeof value === 'string' ? value.length : typeof value === 'object' ? JSON.stringify(value).length : 0
    this.#made += length
    if (this.#made <= LOAD_CHUNK_MAX_CHARACTERS) return value
    if (this.#made - length <= LOAD_CHUNK_MAX_CHARACTERS) {
      issues.error(line, toProperty, 'INVALID_DATA', 'The conditional columns make too much text.')
    }
    return undefined
  }

  #evaluate(
    cells: unknown[],
    plan: StepPlan,
    at: number,
    column: ConditionalColumn,
    line: number,
    issues: Issues,
  ): unknown {
    const references = plan.scopes[at]
    const scope = (name: string): unknown => {
      const reference = references?.get(name)
      if (!reference) return undefined
      const { slot, read, madeBy } = reference
      return madeBy === undefined || this.#left[madeBy] ? read(cells[slot]) : cells[slot]
    }
    let made: unknown
    try {
      made = madeBy(column, scope, this.#work)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const message = `The expression for ${column.toProperty} ${error.message}.`
      issues.error(line, column.toProperty, 'INVALID_DATA', message)
    }
    this.#left[at] = made === undefined
    if (made !== undefined) return made
    const previous = plan.previous[at]
    return previous === undefined ? undefined : cells[previous]
  }
}

function byBareName(names: Iterable<string>): Map<string, string> {
  return new Map([...names].map(name => [bareName(name), name]))
}

const DROPPED: Record<FinalPlan['dropped'][number]['reason'], (typePath: string) => string> = {
  unmatched: typePath => `The type ${typePath} has no such property; the column is left out.`,
  archived: () => 'The property is archived; the column is left out.',
  'read-only': () => 'The service sets this field itself; the column is left out.',
  name: () => 'A property cannot have this name; the column is left out.',
  twice: () => 'Another column fills the same property; this one is left out.',
}

/** The type path of a row that names none, or whatever it names. */
export interface RowType {
  typePath: string
  isSettled?: boolean
  /** Where the row's family has another one. */
  ofFamily?: string
}

/** What is no type path is an error of its row, and is not looked up: it may be as long as a cell. */
function typePathIn(cells: readonly unknown[], column: Column | undefined, type: RowType, root: string): string {
  const value = column && !type.isSettled && cells[column.slot]
  return typeof value === 'string' && isTypePath(value, root) ? value : type.typePath
}
