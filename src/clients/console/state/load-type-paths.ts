// Of which types the rows of a load are, as far as the draft and the first rows tell. Pure.
import type { FilePreview } from '../../../features/loads/preview-shape.ts'
import type { LoadDraft } from './load-draft.ts'
import { ownValue } from './own-value.ts'

const TYPE = 'typePath'

/** The type path that a mapping sets on every row; empty: none; undefined: a column or a rule says it. */
export function typeForAll({ targets, made }: LoadDraft, columns: readonly string[]): string | undefined {
  const isMade = made.some(({ toProperty }) => toProperty === TYPE)
  if (isMade || columns.includes(TYPE)) return undefined
  const from = Object.entries(targets).find(([, names]) => names.includes(TYPE))?.[0] ?? ''
  // A trailing delimiter makes a column without a name, which says no type.
  return from !== '' && columns.includes(from) ? undefined : from
}

export function withTypeForAll(draft: LoadDraft, columns: readonly string[], typePath: string): Partial<LoadDraft> {
  const before = typeForAll(draft, columns)
  const { [before ?? '']: _, ...targets } = draft.targets
  return { targets: typePath === '' ? targets : { ...targets, [typePath]: [TYPE] } }
}

/**
 * All type paths that rows have. Undefined: nobody knows them all; rows without one are read by the type that is stored, and what a rule
 * says or stands further down may be any.
 */
export function typePathsOf(
  draft: LoadDraft,
  { names, rows, isWhole }: Pick<FilePreview, 'names' | 'rows' | 'isWhole'>,
): readonly string[] | undefined {
  const chosen = typeForAll(draft, names)
  if (chosen !== undefined) return chosen === '' ? undefined : [chosen]
  const rule = draft.made.find(({ toProperty }) => toProperty === TYPE)
  if (rule) {
    const isFixed = !rule.fromProperty && !rule.conditions?.length && typeof rule.default === 'string'
    return isFixed && rule.default !== '' && !String(rule.default).includes('{') ? [String(rule.default)] : undefined
  }
  const isType = (name: string) => ownValue(draft.targets, name)?.includes(TYPE) ?? name === TYPE
  const at = names.findIndex(name => isType(name) && !draft.removed.includes(name))
  const paths = new Set(rows.map(row => (row[at] ?? '').trim()))
  return isWhole && paths.size > 0 && !paths.has('') ? [...paths] : undefined
}
