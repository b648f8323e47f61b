// Step 5: conditional columns, compiled once per load (N31).
import { type Compiled, compileConditional, compileTemplate } from '../../../platform/expression/compile/compile.ts'
import type { KnownNames } from '../../../platform/expression/references.ts'
import type { ColumnDefinition } from '../contract.ts'

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
