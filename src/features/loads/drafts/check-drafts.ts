// What can only be said of drafts with a look at what exists: modes (N27), and required properties of new entities.
import { jsonBytes } from '../../../platform/json-size.ts'
import { ENTITY_MAX_BYTES } from '../../../platform/limits.ts'
import type { LoaderConfiguration } from '../contract.ts'
import type { Issues } from '../issues.ts'
import type { Target, TypeSource } from '../rows/property.ts'
import type { Draft } from './draft.ts'

export type FindExisting = (scope: string, keys: string[]) => Promise<ReadonlyMap<string, unknown>>

const MAIN: ReadonlySet<Target> = new Set(['item', 'color', 'custom-entity', 'size-range-template'])

export function scopeOf(draft: Draft): string {
  return draft.target === 'custom-entity' ? String(draft.set.typePath ?? draft.make.typePath) : draft.target
}

export async function checkDrafts(
  drafts: readonly Draft[],
  { mode = 'upsert' }: LoaderConfiguration,
  types: TypeSource,
  issues: Issues,
  find: FindExisting,
): Promise<void> {
  checkSizes(drafts, issues)
  const own = drafts.filter(draft => MAIN.has(draft.target))
  const lines = new Set(own.filter(draft => draft.family !== undefined).map(draft => draft.line))
  /** A family that an option's row brings along is not what the row is about. */
  const isImplied = (draft: Draft) => draft.target === 'item' && draft.family === undefined && lines.has(draft.line)
  const lacking = new Map<Draft, string[]>()
  for (const draft of own) {
    const slugs = missing(draft, isImplied(draft), types)
    if (slugs.length > 0) lacking.set(draft, slugs)
  }
  const asked = own.filter(draft => (mode !== 'upsert' && !isImplied(draft)) || lacking.has(draft))
  for (const scope of new Set(asked.map(scopeOf))) {
    const some = asked.filter(draft => scopeOf(draft) === scope)
    const existing = await find(
      scope,
      some.map(({ key }) => key),
    )
    for (const draft of some) {
      const exists = existing.has(draft.key) || draft.follows === true
      const column =
        draft.target === 'item' ? (draft.family ? 'itemOptionFederatedId' : 'itemFamilyFederatedId') : 'federatedId'
      if (mode === 'create' && exists && !isImplied(draft) && !draft.follows) {
        issues.error(draft.line, column, 'VALIDATION_ERROR', `${draft.key} exists already, and the mode is create.`)
      } else if (mode === 'update' && !exists && !isImplied(draft)) {
        issues.error(draft.line, column, 'VALIDATION_ERROR', `${draft.key} does not exist, and the mode is update.`)
      } else if (!exists) {
        for (const slug of lacking.get(draft) ?? []) {
          issues.error(draft.line, slug, 'MISSING_DATA', `${draft.key} is new, and the property is required.`)
        }
      }
    }
  }
}

function missing(draft: Draft, isImplied: boolean, types: TypeSource): string[] {
  const isOption = draft.family !== undefined
  const typePath = String(draft.set.typePath ?? draft.make.typePath ?? draft.target)
  return types(typePath)
    .filter(({ required, archived }) => required && !archived)
    .filter(({ level }) =>
      isImplied ? level === 'family' : isOption ? level === 'option' || level === 'all' : level !== 'option',
    )
    .filter(({ slug }) => draft.set[slug] === undefined && draft.make[slug] === undefined)
    .map(({ slug }) => slug)
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 16
}

/** Bytes are at least characters: a small text needs no second look. */
function checkSizes(drafts: readonly Draft[], issues: Issues): void {
  for (const draft of drafts) {
    let characters = 0
    for (const value of Object.values(draft.set)) characters += sizeOf(value)
    if (characters * 4 < ENTITY_MAX_BYTES) continue
    const bytes = jsonBytes({ ...draft.make, ...draft.set })
    if (bytes + 200 <= ENTITY_MAX_BYTES) continue
    issues.error(draft.line, null, 'INVALID_DATA', `The row makes an entity of more than ${ENTITY_MAX_BYTES} bytes.`)
  }
}
