// Reads the cells of a row into the properties of its entities, sorted by whose they are (N32): those of the family,
// those that options may override, and those of the row's own entity.
import { ownValue } from '../../../platform/own-value.ts'
import type { Issues } from '../issues.ts'
import { isEmpty, plain, Unread } from '../rows/cell-readers.ts'
import type { Field, FinalPlan } from '../rows/column-plan.ts'
import type { LoadTarget } from '../targets.ts'

export type Properties = Record<string, unknown>

/** A cell that names other entities, by id or federatedId; the caller puts ids in its place. */
export interface ReferenceCell {
  properties: Properties
  slug: string
  line: number
  header: string
}

export interface RowContext {
  line: number
  issues: Issues
  references: ReferenceCell[]
  /** Is told of each cell that is left out with a warning. */
  noteUnread?: () => void
}

export interface TargetValues {
  target: LoadTarget
  /** Level `family`: kept on the family and copied to its options. */
  fixed: Properties
  /** Level `override`, as the family has it. */
  loose: Properties
  /** Level `override` on the family's own row. */
  ownLoose: Properties
  /** Of the row's own entity. */
  own: Properties
}

interface Groups {
  target: LoadTarget
  fixed: Field[]
  loose: Field[]
  ownLoose: Field[]
  own: Field[]
  misplaced: Field[]
}

interface PlanGroups {
  family: Groups[]
  option: Groups[]
}

const NONE: Properties = Object.freeze({})

export function isNone(properties: Properties): boolean {
  for (const _ in properties) return false
  return true
}

const known = new WeakMap<FinalPlan, PlanGroups>()

export function groupsOf(plan: FinalPlan, targets: readonly LoadTarget[]): PlanGroups {
  const made = known.get(plan)
  if (made) return made
  const groups = {
    family: targets.map(target => groupsFor(plan, target, true)),
    option: targets.map(target => groupsFor(plan, target, false)),
  }
  known.set(plan, groups)
  return groups
}

function groupsFor(plan: FinalPlan, target: LoadTarget, isFamily: boolean): Groups {
  const of = (wanted: (field: Field) => boolean) =>
    plan.fields.filter(field => field.target === target && wanted(field))
  const isOverride = (field: Field, ...parts: Field['part'][]) =>
    field.level === 'override' && parts.includes(field.part)
  // Of two columns for one property the special one holds: it is read last.
  const own = of(
    field => field.level === 'all' || (!isFamily && (field.level === 'option' || isOverride(field, 'row', 'option'))),
  ).sort((a, b) => Number(a.part !== 'row') - Number(b.part !== 'row'))
  return {
    target,
    fixed: of(field => field.level === 'family'),
    loose: of(field => isOverride(field, 'family')),
    ownLoose: isFamily ? of(field => isOverride(field, 'row')) : [],
    // An option's empty cell says that it has what its family has.
    own: own.map(field => (field.level === 'override' ? { ...field, required: false } : field)),
    misplaced: isFamily ? of(field => field.level === 'option' || isOverride(field, 'option')) : [],
  }
}

export function valuesOf(groups: Groups, cells: readonly unknown[], context: RowContext): TargetValues {
  for (const { slot, header } of groups.misplaced) {
    if (isEmpty(cells[slot])) continue
    context.issues.warn(context.line, header, 'INVALID_DATA', 'The property belongs to options; this row is a family.')
  }
  const loose = readFields(groups.loose, cells, context)
  const ownLoose = readFields(groups.ownLoose, cells, context)
  for (const { slug, header } of groups.loose) tellUnused(groups.ownLoose, ownLoose, slug, loose[slug], header, context)
  return {
    target: groups.target,
    fixed: readFields(groups.fixed, cells, context),
    loose,
    ownLoose,
    own: readFields(groups.own, cells, context),
  }
}

/** Of two columns for one property the special one holds: nobody would see that the other one says something else. */
function tellUnused(
  fields: readonly Field[],
  properties: Properties,
  slug: string,
  holds: unknown,
  header: string,
  { line, issues }: RowContext,
): void {
  const other = ownValue(properties, slug)
  if (holds == null || other == null || other === holds) return
  const unused = fields.find(field => field.slug === slug)
  if (unused) issues.warnOnce(line, unused.header, 'INVALID_DATA', `${header} is used instead of this column.`)
}

/** An empty cell clears its property; one that is not there (N73) or cannot be read leaves it alone. */
export function readFields(
  fields: readonly Field[],
  cells: readonly unknown[],
  context: RowContext,
  properties: Properties = fields.length === 0 ? NONE : {},
): Properties {
  for (const field of fields) {
    const value = cells[field.slot]
    if (value === undefined) continue
    const read = isEmpty(value) ? null : field.read ? field.read(value) : plain(value)
    // The JSON null says as little.
    if (read === null) {
      if (field.required) {
        const message = 'The type requires a value; this cell is empty.'
        context.issues.error(context.line, field.header, 'MISSING_DATA', message)
      }
      if (!Object.hasOwn(properties, field.slug)) properties[field.slug] = null
      continue
    }
    if (read instanceof Unread) {
      if (read.severity === 'error') context.issues.error(context.line, field.header, read.issueType, read.message)
      else {
        context.issues.warn(context.line, field.header, read.issueType, read.message)
        context.noteUnread?.()
      }
      continue
    }
    if (field.part !== 'row') tellUnused(fields, properties, field.slug, read, field.header, context)
    properties[field.slug] = read
    if (field.reference)
      context.references.push({ properties, slug: field.slug, line: context.line, header: field.header })
  }
  return properties
}

/** A reserved cell as text; undefined where the row has no such cell. */
export function reservedText(plan: FinalPlan, cells: readonly unknown[], name: string): string | undefined {
  const slot = plan.reserved.get(name)
  if (slot === undefined) return undefined
  const value = cells[slot]
  if (value === undefined) return undefined
  if (isEmpty(value)) return ''
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
