// One chunk of a load, from cells to drafts, for every load type. It is made anew for each chunk and holds nothing
// that another chunk needs, save for what it is given: what has been said before, and the type path already seen.
import { didYouMean, listed } from '../../../platform/nearest.ts'
import type { LoaderConfiguration } from '../contract.ts'
import type { Rows } from '../csv/rows.ts'
import type { Issues } from '../issues.ts'
import type { Shape } from '../rows/column-plan.ts'
import type { ConditionalColumn } from '../rows/conditional-columns.ts'
import { Pipeline, type RowType } from '../rows/pipeline.ts'
import type { TypeSource } from '../rows/property.ts'
import { isExport, leaveAlone } from '../rows/unchanged-cells.ts'
import { reservedOf, type Targets, targetsOf } from '../targets.ts'
import { controlColumns, type SplitTable } from './assortment-split.ts'
import { type Claim, Claims } from './claims.ts'
import type { Draft } from './draft.ts'
import { claimEntity, decideEntity, type EntityRow, entityRow } from './entity-rows.ts'
import { claimIdentifier, claimItem, describes, identifierOf, type Ways } from './item-claims.ts'
import { ItemDrafts } from './item-drafts.ts'
import { type ItemRow, itemRow } from './item-rows.ts'
import { isNone, type ReferenceCell } from './row-values.ts'

export interface ReadingOptions {
  configuration: LoaderConfiguration
  header: { names: readonly string[]; line: number }
  conditionals: readonly ConditionalColumn[]
  types: TypeSource
  /** Present where rows go to assortments. */
  split: SplitTable | undefined
  issues: Issues
  typePathSeen?: string | undefined
}

export class Reading {
  readonly claims = new Claims()
  readonly references: ReferenceCell[] = []
  readonly pipeline: Pipeline
  readonly items: ItemRow[] = []
  readonly entities: EntityRow[] = []
  /** What is to be claimed once it is decided. */
  late: Claim[] = []
  /** Families whose own row stands here, and their first one in an earlier chunk. */
  lateOwn: Draft[] = []
  /** The one type path of a CUSTOM_ENTITY load. */
  typePathSeen: string | undefined
  readonly #options: ReadingOptions
  readonly targets: Targets

  constructor(options: ReadingOptions) {
    this.#options = options
    this.typePathSeen = options.typePathSeen
    this.targets = targetsOf(options.configuration)
    const { header, configuration, conditionals, issues } = options
    this.pipeline = new Pipeline(this.#shape(), header, configuration, conditionals, issues)
  }

  get #ways(): Ways {
    const { split, configuration } = this.#options
    return { hasSplit: split !== undefined, isExport: isExport(configuration) }
  }

  #shape(): Shape {
    const { split, types, configuration } = this.#options
    const [main] = this.targets
    return {
      targets: this.targets,
      reserved: reservedOf(this.targets, configuration),
      control: new Set(controlColumns(split)),
      splitOn: split?.field,
      readOnly: new Set(main.readOnly),
      types,
      columnTypes: configuration.columnTypes,
      isExport: isExport(configuration),
    }
  }

  /** What the header alone shows to be missing. */
  checkHeader(): void {
    const { split, header, issues, configuration } = this.#options
    const [{ keyColumns, needsSubtype }] = this.targets
    const needed = [keyColumns, ...(needsSubtype ? [['typePath']] : []), ...controlColumns(split).map(name => [name])]
    for (const names of needed) {
      if (names.some(name => this.pipeline.has(name))) continue
      const { found } = this.pipeline
      const message = names.some(name => configuration.propertiesToRemove?.includes(name))
        ? `The load needs the column ${names.join(' or ')}, which propertiesToRemove takes away.`
        : noColumn(names, found, issues)
      // Without the column to split on, rows go to no assortment: nothing is spoilt (N72).
      if (names[0] === split?.field) issues.warnOnce(header.line, split?.field ?? null, 'HEADER_MISMATCH', message)
      else issues.error(header.line, names[0] ?? null, 'HEADER_MISMATCH', message)
    }
    const needsIds = split && [...split.targets.values()].includes(null) && !this.pipeline.has('assortmentId')
    if (needsIds && configuration.assortmentSplit) {
      const message = `A split value names no assortment, and the file has no column assortmentId. It has ${listed(this.pipeline.found)}.`
      issues.error(header.line, 'assortmentId', 'CONFIG', message)
    }
  }

  /**
   * `typeOf` tells the type path of rows that do not name theirs, or that are not free to. Where it got to: it stops early where
   * others should get a turn, and for good where the work of a chunk is used up.
   */
  read(
    rows: Rows,
    typeOf: (line: number) => RowType | undefined = () => undefined,
    { from, to } = { from: 0, to: rows.cells.length },
  ): number {
    const { issues, split, header } = this.#options
    const { unchangedMark } = this.#options.configuration
    const [main] = this.targets
    const noteUnread = () => this.pipeline.noteUnread()
    const ragged = new Set(rows.faults.map(({ line }) => line))
    for (let at = from; at < to; at++) {
      const cells: unknown[] | undefined = rows.cells[at]
      const line = rows.lines[at]
      if (cells === undefined || line === undefined || ragged.has(line)) continue
      // A second reading begins with the cells of the file.
      cells.length = header.names.length
      if (unchangedMark !== undefined) leaveAlone(cells, unchangedMark)
      const type = typeOf(line)
      const plan = this.pipeline.run(cells, line, issues, type)
      const context = { line, issues, references: this.references, noteUnread }
      if (main.hasFamilies) {
        const row = itemRow(plan, cells, this.targets, split, context, type)
        if (row) this.items.push(row)
      } else {
        const row = entityRow(main, plan, cells, this.typePathSeen, context, type?.typePath)
        if (row) this.entities.push(row)
        if (row && main.needsSubtype && row.typePath !== main.name) this.typePathSeen ??= row.typePath
      }
      if (this.pipeline.isSpent) return rows.cells.length
      if (this.pipeline.takeTurn()) return at + 1
    }
    return to
  }

  /** After references are resolved: what goes to the store before anything can be decided. */
  claim(): void {
    for (const row of this.items) claimItem(row, this.claims, this.#ways)
    for (const row of this.entities) claimEntity(row, this.claims)
  }

  /** After the claims are settled: what is to be claimed then. */
  claimIdentifiers(): Claim[] {
    for (const row of this.items) claimIdentifier(row, this.claims)
    return this.items.length > 0 ? this.claims.of('identifier') : []
  }

  /** After the claims are settled. */
  decide(): Draft[] {
    const { issues, types } = this.#options
    const [main] = this.targets
    if (!main.hasFamilies) return this.entities.flatMap(row => decideEntity(main, row, this.claims, issues))
    const drafts = new ItemDrafts(this.claims, types, this.#ways, issues)
    for (const row of this.items) drafts.add(row)
    this.late = drafts.late
    this.lateOwn = drafts.lateOwn
    return drafts.list
  }

  /** What the rows are about, by federatedId: not the families that options bring along. */
  get subjects(): { key: string; line: number; column: string; identifier: string | undefined }[] {
    return [
      ...this.items.map(row => {
        const { optionKey, familyKey, line } = row
        const column = optionKey === undefined ? 'itemFamilyFederatedId' : 'itemOptionFederatedId'
        const identifier = describes(row, this.claims) ? identifierOf(row) : undefined
        return { key: optionKey ?? familyKey, line, column, identifier }
      }),
      ...this.entities.map(({ key, line, set }) => {
        const identifier = typeof set.identifier === 'string' ? set.identifier : undefined
        return { key, line, column: 'federatedId', identifier }
      }),
    ]
  }

  get firstAssortmentId(): string | undefined {
    return this.items[0]?.assortmentId || undefined
  }

  /** Whether any row says something of a family that its options get as well. */
  get inherits(): boolean {
    return this.items.some(({ values }) =>
      values.some(({ fixed, loose, ownLoose }) => !(isNone(fixed) && isNone(loose) && isNone(ownLoose))),
    )
  }

  /** The assortments that rows go to, with the first line of each. */
  get assortmentIds(): Map<string, number> {
    const ids = new Map<string, number>()
    for (const { placement, line } of this.items) {
      if (placement && !ids.has(placement.assortmentId)) ids.set(placement.assortmentId, line)
    }
    return ids
  }
}

function noColumn(names: readonly string[], found: readonly string[], issues: Issues): string {
  const near = names.map(name => didYouMean(name, found, issues.advice)).find(advice => advice !== '') ?? ''
  return `The file has no column ${names.join(' or ')}, and no mapping makes one. It has ${listed(found)}.${near}`
}
