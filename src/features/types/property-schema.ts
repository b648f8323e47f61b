// A property of a type as JSON Schema: what fits it, as src/features/types/fit.ts says it, in words that any validator
// knows (N53). Pure.
import type { JsonSchema } from '../../platform/http/openapi/schemas.ts'
import type { Option, PropertyDefinition } from './contract.ts'
import { WEB_ADDRESS } from './web-address.ts'

/** Days that exist, the 29th of February only in leap years: a `format` alone is checked by few. */
const DATE = [
  '^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))',
  '|(?:\\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$',
].join('')

type Made = (definition: PropertyDefinition) => JsonSchema

const text: Made = () => ({ type: 'string' })
const number: Made = () => ({ type: 'number' })

const choice: Made = ({ options }) => (options ? { type: 'string', ...oneOf(options) } : { type: 'string' })

function oneOf(options: readonly Option[]): JsonSchema {
  const labels = new Map<string, string | undefined>()
  for (const option of options) {
    const { value, label } = typeof option === 'string' ? { value: option, label: undefined } : option
    if (!labels.has(value)) labels.set(value, label === value ? undefined : label)
  }
  // An empty `enum` is refused by validators.
  if (labels.size === 0) return { not: {} }
  const isPlain = [...labels.values()].every(label => label === undefined)
  if (isPlain) return { enum: [...labels.keys()] }
  return {
    oneOf: [...labels].map(([value, label]) => ({ const: value, ...(label === undefined ? {} : { title: label }) })),
  }
}

const listOf =
  (each: Made): Made =>
  definition => ({ type: 'array', items: each(definition), uniqueItems: true })

const reference: Made = () => ({ type: 'string', minLength: 1 })

const SCHEMAS: Record<PropertyDefinition['propertyType'], Made> = {
  string: text,
  text,
  number,
  currency: number,
  percent: number,
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date', pattern: DATE }),
  choice,
  multi_select: listOf(choice),
  url: () => ({ type: 'string', pattern: WEB_ADDRESS }),
  object_reference: reference,
  object_ref_list: listOf(reference),
  json: () => ({}),
}

/** What a bare JSON type does not tell. */
const MEANINGS: Partial<Record<PropertyDefinition['propertyType'], string>> = {
  text: 'A longer text.',
  currency: 'An amount of money.',
  percent: 'A percentage.',
  url: 'An http or https address.',
  object_reference: 'The id of an entity.',
  object_ref_list: 'The ids of entities.',
}

/** The values that fit. */
export function valueSchema(definition: PropertyDefinition): JsonSchema {
  return SCHEMAS[definition.propertyType](definition)
}

/** What people read of a property. */
export function annotationsOf({ label, propertyType, archived, indexed }: PropertyDefinition): JsonSchema {
  const description = MEANINGS[propertyType]
  return {
    ...(label == null ? {} : { title: label }),
    ...(description === undefined ? {} : { description }),
    ...(archived ? { deprecated: true } : {}),
    // There is no keyword for it, and an unknown one is refused by strict validators.
    ...(indexed ? { $comment: 'indexed' } : {}),
  }
}
