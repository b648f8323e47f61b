// Texts of a file that mean an option of a property, matched by hand. In a configuration they are a made column: where the
// cell is this text, it becomes that option; every other cell stays as it is. Pure.
import type { ColumnDefinition } from '../../typescript/index.ts'
import { ownValue } from './own-value.ts'

/** Property → text in the file → option. */
export type OptionMatches = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Inside one pair of quotes braces would be a reference. */
const APART = '" + "{" + "'
const literal = (text: string) => JSON.stringify(text).replaceAll('{', APART)

export function matchColumns(matches: OptionMatches): ColumnDefinition[] {
  return Object.entries(matches)
    .filter(([, texts]) => Object.keys(texts).length > 0)
    .map(([slug, texts]) => ({
      toProperty: slug,
      conditions: Object.entries(texts).map(([text, value]) => ({
        conditional: `{${slug}} === ${literal(text)}`,
        value,
      })),
    }))
}

/** Both, where they differ the later ones. */
export function unitedMatches(before: OptionMatches, later: OptionMatches): OptionMatches {
  const columns = [...new Set([...Object.keys(before), ...Object.keys(later)])]
  return Object.fromEntries(
    columns.map(column => [column, { ...ownValue(before, column), ...ownValue(later, column) }]),
  )
}

/** The matches among made columns, and the columns that are something else. */
export function matchesIn(made: readonly ColumnDefinition[]): { matches: OptionMatches; rest: ColumnDefinition[] } {
  const matches: Record<string, Record<string, string>> = {}
  const rest: ColumnDefinition[] = []
  for (const column of made) {
    const texts = textsOf(column)
    if (texts && !Object.hasOwn(matches, column.toProperty)) matches[column.toProperty] = texts
    else rest.push(column)
  }
  return { matches, rest }
}

function textsOf({ toProperty, conditions, ...more }: ColumnDefinition): Record<string, string> | undefined {
  if (!conditions || conditions.length === 0 || more.default !== undefined || more.fromProperty !== undefined)
    return undefined
  const texts: Record<string, string> = {}
  const begin = `{${toProperty}} === "`
  for (const { conditional, value } of conditions) {
    if (typeof value !== 'string' || !conditional.startsWith(begin)) return undefined
    const text = textIn(conditional.slice(begin.length - 1))
    if (text === undefined) return undefined
    texts[text] = value
  }
  return texts
}

function textIn(quoted: string): string | undefined {
  try {
    const text: unknown = JSON.parse(quoted.replaceAll(APART, '{'))
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}
