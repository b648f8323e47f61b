// Rows of the load types that stand alone: COLOR, CUSTOM_ENTITY and SIZE_RANGE_TEMPLATE (N32).
import { KEY_TEXT_MAX_LENGTH, SIZES_MAX } from '../../../platform/limits.ts'
import { keyFault, nameFault } from '../../entities/field-text.ts'
import type { Issues } from '../issues.ts'
import { shown } from '../rows/cell-readers.ts'
import type { FinalPlan } from '../rows/column-plan.ts'
import type { Target } from '../rows/property.ts'
import { isTypePath } from '../rows/type-path.ts'
import { type Claims, plainClaim } from './claims.ts'
import { colorFields } from './color-rows.ts'
import type { Draft } from './draft.ts'
import { type Properties, type RowContext, readFields, reservedText } from './row-values.ts'

export interface EntityRules {
  target: Target
  reserved: readonly string[]
  /** Whether the name serves where there is no federatedId. */
  keyFromName: boolean
  needsSubtype: boolean
  fields?: (plan: FinalPlan, cells: readonly unknown[], context: RowContext) => Properties
}

const COMMON = ['typePath', 'name', 'federatedId'] as const

export const COLOR: EntityRules = {
  target: 'color',
  reserved: [...COMMON, 'hex', 'red', 'green', 'blue'],
  keyFromName: false,
  needsSubtype: false,
  fields: colorFields,
}

export const CUSTOM_ENTITY: EntityRules = {
  target: 'custom-entity',
  reserved: COMMON,
  keyFromName: true,
  needsSubtype: true,
}

export const SIZE_RANGE_TEMPLATE: EntityRules = {
  target: 'size-range-template',
  reserved: [...COMMON, 'sizes'],
  keyFromName: false,
  needsSubtype: false,
  fields: sizeFields,
}

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
  rules: EntityRules,
  plan: FinalPlan,
  cells: readonly unknown[],
  only: string | undefined,
  context: RowContext,
  fallback: string = rules.target,
): EntityRow | undefined {
  const { line, issues } = context
  const name = reservedText(plan, cells, 'name')
  const key = reservedText(plan, cells, 'federatedId') || (rules.keyFromName ? name : '') || ''
  const typePath = reservedText(plan, cells, 'typePath') || undefined
  if (key === '') {
    const needed = rules.keyFromName ? 'federatedId or name' : 'federatedId'
    issues.error(line, 'federatedId', 'MISSING_DATA', `Every row needs ${needed}; this cell is empty.`)
  }
  const fault = key && keyFault(key)
  if (fault) issues.error(line, 'federatedId', 'INVALID_DATA', `${shown(key)} cannot be a federatedId. ${fault}`)
  const nameIs = name && nameFault(name)
  if (nameIs) issues.error(line, 'name', 'INVALID_DATA', `${shown(name)} cannot be a name. ${nameIs}`)
  checkTypePath(rules, typePath, only, context)
  const fields = plan.fields.filter(field => field.target === rules.target)
  // References are put into the very object that is read here.
  const set = readFields(fields, cells, context, {
    ...(typePath !== undefined && { typePath }),
    ...(name !== undefined && { name: name || key }),
  })
  Object.assign(set, rules.fields?.(plan, cells, context))
  if (key === '') return undefined
  const make = { typePath: fallback, name: key, federatedId: key }
  return { key, line, set, make, typePath: typePath ?? fallback, isNamed: typePath !== undefined }
}

function checkTypePath(
  { target, needsSubtype }: EntityRules,
  typePath: string | undefined,
  only: string | undefined,
  context: RowContext,
) {
  const { line, issues } = context
  const shape = needsSubtype ? `${target}:<subtype>` : `${target} or begin with ${target}:`
  if (typePath === undefined) {
    if (needsSubtype) issues.error(line, 'typePath', 'MISSING_DATA', `Every row needs a typePath ${shape}.`)
  } else if (!isTypePath(typePath, target) || (needsSubtype && typePath === target)) {
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

export function decideEntity({ target }: EntityRules, row: EntityRow, claims: Claims, issues: Issues): Draft[] {
  const first = claims.held('entity', row.key)
  if (first && first.line !== row.line) {
    const message = `The federatedId ${row.key} stands on line ${first.line} already. Keep one of the rows.`
    issues.error(row.line, 'federatedId', 'DUPLICATE_FEDERATED_ID', message)
    return []
  }
  return [{ target, key: row.key, line: row.line, set: row.set, make: row.make }]
}

function sizeFields(plan: FinalPlan, cells: readonly unknown[], { line, issues }: RowContext): Properties {
  const sizes = reservedText(plan, cells, 'sizes')
  if (sizes === undefined) return {}
  const list = sizes
    .split('|')
    .map(size => size.trim())
    .filter(size => size !== '')
  const long = list.find(size => size.length > KEY_TEXT_MAX_LENGTH)
  if (long !== undefined || list.length > SIZES_MAX) {
    const message = `At most ${SIZES_MAX} sizes of ${KEY_TEXT_MAX_LENGTH} characters each are allowed.`
    issues.error(line, 'sizes', 'INVALID_DATA', `${shown(long ?? sizes)} is too much. ${message}`)
  }
  return { sizes: list.length > 0 ? list : null }
}
