// Rows that are an entity each: those of all load types but ITEM and what goes with it (N32).
import { keyFault, nameFault } from '../../entities/field-text.ts'
import type { Issues } from '../issues.ts'
import { shown } from '../rows/cell-readers.ts'
import type { FinalPlan } from '../rows/column-plan.ts'
import { isTypePath } from '../rows/type-path.ts'
import type { LoadTarget } from '../targets.ts'
import { type Claims, plainClaim } from './claims.ts'
import type { Draft } from './draft.ts'
import { type Properties, type RowContext, readFields, reservedText } from './row-values.ts'

export interface EntityRow {
  key: string
  line: number
  set: Properties
  make: Properties
  typePath: string
  /** Whether the row names its type path itself. */
  isNamed: boolean
}

/** `only` is the one type path that the load may have, once a row has named it. */
export function entityRow(
  target: LoadTarget,
  plan: FinalPlan,
  cells: readonly unknown[],
  only: string | undefined,
  context: RowContext,
  fallback: string = target.name,
): EntityRow | undefined {
  const { line, issues } = context
  const name = reservedText(plan, cells, 'name')
  const key = target.keyColumns.map(column => reservedText(plan, cells, column)).find(text => text) ?? ''
  const named = reservedText(plan, cells, 'typePath') || undefined
  const typePath = named !== undefined && isTypePath(named, target.name) ? named : undefined
  if (key === '') {
    const needed = target.keyColumns.join(' or ')
    issues.error(line, 'federatedId', 'MISSING_DATA', `Every row needs ${needed}; this cell is empty.`)
  }
  const fault = key && keyFault(key)
  if (fault) issues.error(line, 'federatedId', 'INVALID_DATA', `${shown(key)} cannot be a federatedId. ${fault}`)
  const nameIs = name && nameFault(name)
  if (nameIs) issues.error(line, 'name', 'INVALID_DATA', `${shown(name)} cannot be a name. ${nameIs}`)
  checkTypePath(target, named, only, context)
  const fields = plan.fields.filter(field => field.target === target)
  // References are put into the very object that is read here.
  const set = readFields(fields, cells, context, {
    ...(typePath !== undefined && { typePath }),
    ...(name !== undefined && { name: name || key }),
  })
  Object.assign(set, target.fields?.({ ...context, textOf: column => reservedText(plan, cells, column) }))
  if (key === '') return undefined
  const make = { typePath: fallback, name: key, federatedId: key }
  return { key, line, set, make, typePath: typePath ?? fallback, isNamed: named !== undefined }
}

function checkTypePath(
  { name: root, needsSubtype }: LoadTarget,
  typePath: string | undefined,
  only: string | undefined,
  context: RowContext,
) {
  const { line, issues } = context
  const shape = needsSubtype ? `${root}:<subtype>` : `${root} or begin with ${root}:`
  if (typePath === undefined) {
    if (needsSubtype) issues.error(line, 'typePath', 'MISSING_DATA', `Every row needs a typePath ${shape}.`)
  } else if (!isTypePath(typePath, root) || (needsSubtype && typePath === root)) {
    issues.error(line, 'typePath', 'INVALID_DATA', `${shown(typePath)} is no type path here: it must be ${shape}.`)
  } else if (needsSubtype && only !== undefined && typePath !== only) {
    const message = `A load has one type only, and this one has ${only}. Load ${typePath} from a file of its own.`
    issues.error(line, 'typePath', 'VALIDATION_ERROR', message)
  }
}

export function claimEntity(row: EntityRow, claims: Claims): void {
  const { key, line, set } = row
  claims.claim(plainClaim('entity', key, line))
  if (typeof set.identifier === 'string') claims.claim(plainClaim('identifier', set.identifier, line, key))
}

export function decideEntity(target: LoadTarget, row: EntityRow, claims: Claims, issues: Issues): Draft[] {
  const first = claims.held('entity', row.key)
  if (first && first.line !== row.line) {
    const message = `The federatedId ${row.key} stands on line ${first.line} already. Keep one of the rows.`
    issues.error(row.line, 'federatedId', 'DUPLICATE_FEDERATED_ID', message)
    return []
  }
  return [{ target, key: row.key, line: row.line, set: row.set, make: row.make }]
}
