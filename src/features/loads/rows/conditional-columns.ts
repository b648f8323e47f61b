// Step 5: conditional columns, compiled once per load (N31).
import { type Compiled, compileConditional, compileTemplate } from '../../../platform/expression/compile/compile.ts'
import { ExpressionError } from '../../../platform/expression/errors.ts'
import type { KnownNames } from '../../../platform/expression/references.ts'
import { hostileParts } from '../../../platform/json-safety.ts'
import type { ColumnDefinition } from '../contract.ts'
import { isEmpty } from './cell-readers.ts'
import type { Work } from './work.ts'

export interface Choice {
  condition: Compiled
  value: Made
}

/** A constant, or an expression to evaluate for each row. */
export type Made = { constant: unknown } | { template: Compiled }

export interface ConditionalColumn {
  toProperty: string
  fromProperty: string | undefined
  choices: Choice[]
  otherwise: Made | undefined
  /** Texts that look like expressions but do not parse as one: kept as text, with a warning. */
  warnings: string[]
}

/** `names` are those that the file and the configuration give to columns: they are references, whatever they look like. */
export function compileColumns(definitions: readonly ColumnDefinition[], names: KnownNames): ConditionalColumn[] {
  return definitions.map(definition => compileColumn(definition, names))
}

function compileColumn(definition: ColumnDefinition, names: KnownNames): ConditionalColumn {
  const warnings: string[] = []
  const made = (value: unknown): Made => {
    if (typeof value !== 'string' || !value.includes('{')) return { constant: value }
    const { compiled, warning } = compileTemplate(value, names)
    if (warning) warnings.push(`The value is ${warning}.`)
    return { template: compiled }
  }
  return {
    toProperty: definition.toProperty,
    fromProperty: definition.conditions ? undefined : definition.fromProperty,
    choices: (definition.conditions ?? []).map(({ conditional, value }) => ({
      condition: compileConditional(conditional, names),
      value: made(value),
    })),
    otherwise: definition.default === undefined ? undefined : made(definition.default),
    warnings,
  }
}

export function referencesOf({ choices, otherwise, fromProperty }: ConditionalColumn): string[] {
  const ofMade = (made: Made | undefined) => (made && 'template' in made ? made.template.references : [])
  return [
    ...(fromProperty ? [fromProperty] : []),
    ...choices.flatMap(choice => [...choice.condition.references, ...ofMade(choice.value)]),
    ...ofMade(otherwise),
  ]
}

/** Undefined: nothing matches, or what should be copied is not there; the column is then left as it is (N73). */
export function madeBy(column: ConditionalColumn, scope: (name: string) => unknown, work: Work): unknown {
  for (const choice of column.choices) {
    if (choice.condition.evaluate(scope, work.spend)) return make(choice.value, scope, work)
    work.check()
  }
  const copied = column.fromProperty && scope(column.fromProperty)
  return column.otherwise && isEmpty(copied) ? make(column.otherwise, scope, work) : copied
}

function make(made: Made, scope: (name: string) => unknown, work: Work): unknown {
  if ('constant' in made) return made.constant
  work.check()
  return settled(made.template.evaluate(scope, work.spend))
}

const LONE_SURROGATE = /\p{Surrogate}/gu

/** What an expression may leave in a cell: JSON with well-formed texts. */
function settled(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LONE_SURROGATE, '\ufffd')
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ExpressionError('gives no finite number; a text stands in quotes of its own')
  if (typeof value !== 'object' || value === null) return value
  const json = JSON.stringify(value)
  const made: unknown = json === undefined ? undefined : JSON.parse(json)
  const [fault] = hostileParts(made)
  if (fault) throw new ExpressionError(`gives what cannot be kept: ${fault.path}: ${fault.message}`)
  return made
}
