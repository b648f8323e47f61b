// What somebody types into the rules of a made column, and what the configuration then says. Pure.
import type { ColumnDefinition } from '../../typescript/index.ts'

/** Without a default: rows that nothing matches keep what they have. An empty one would clear it. */
export const NEW_COLUMN: ColumnDefinition = { toProperty: '' }

const PLAIN = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/

/**
 * `true`, `12` and `null` as what they are; everything else is text, also what would read back otherwise: `1.0` on the way to `1.05`
 * would become `1` under the cursor, and `007` is no number.
 */
export function typedValue(text: string): unknown {
  if (!PLAIN.test(text)) return text
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text ? value : text
}

export const typedText = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** An empty field says no default. */
export function withDefault({ default: _, ...column }: ColumnDefinition, text: string): ColumnDefinition {
  return text === '' ? column : { ...column, default: typedValue(text) }
}

/** What stands in a default's field while it is empty: a stored default may be an empty text, which is not the same as none. */
export function defaultHint({ default: set, conditions = [] }: ColumnDefinition): string {
  if (set === '') return 'an empty text'
  return conditions.length > 0 ? 'left as it is' : '{Style}-{Color}'
}
