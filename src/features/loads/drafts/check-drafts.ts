// What can only be said of drafts with a look at what exists: modes (N27), and required properties of new entities. And what an
// entity may hold altogether (N65).
import { jsonBytes } from '../../../platform/json-size.ts'
import { kindNamed } from '../../../platform/kind.ts'
import { ENTITY_MAX_BYTES, ENTITY_MAX_PROPERTIES, KB } from '../../../platform/limits.ts'
import type { LoaderConfiguration } from '../contract.ts'
import type { Issues } from '../issues.ts'
import type { Property, TypeSource } from '../rows/property.ts'
import type { Reading } from './chunk-reader.ts'
import type { Draft } from './draft.ts'

export type FindExisting = (scope: string, keys: string[]) => Promise<ReadonlyMap<string, unknown>>

/** Within which the federatedId of a draft is that of one entity. */
export function scopeOf({ target, set, make }: Draft): string {
  return kindNamed(target.name).federatedScope === 'kind' ? target.name : String(set.typePath ?? make.typePath)
}

export async function checkDrafts(
  drafts: readonly Draft[],
  reading: Pick<Reading, 'subjects'>,
  { mode = 'upsert' }: LoaderConfiguration,
  types: TypeSource,
  issues: Issues,
  find: FindExisting,
): Promise<void> {
  checkSizes(drafts, issues)
  const own = drafts.filter(({ target }) => target.home === undefined)
  const required = requiredBy(types)
  const isAsked = mode !== 'upsert' || own.some(draft => required(typePathOf(draft)).length > 0)
  // Most loads have nothing to ask for.
  if (!isAsked) return
  const { subjects } = reading
  const isSubject = new Set(subjects.map(({ key }) => key))
  const lacking = own.flatMap(draft => {
    const needed = required(typePathOf(draft))
    const slugs = needed.length === 0 ? [] : missing(draft, !isSubject.has(draft.key), needed)
    return slugs.length > 0 ? [{ draft, slugs }] : []
  })
  const asked = new Set([...(mode === 'upsert' ? [] : isSubject), ...lacking.map(({ draft }) => draft.key)])
  const [first] = own
  // A load has one scope: of custom entities it takes one type only.
  if (!first || asked.size === 0) return
  const existing = await find(scopeOf(first), [...asked])
  for (const { key, line, column } of mode === 'upsert' ? [] : subjects) {
    if (existing.has(key) === (mode === 'update')) continue
    const message =
      mode === 'create'
        ? `${key} exists already, and the mode is create. Take the row out, or load with mode upsert.`
        : `${key} does not exist, and the mode is update. Take the row out, or load with mode upsert.`
    issues.error(line, column, 'VALIDATION_ERROR', message)
  }
  for (const { draft, slugs } of lacking) {
    for (const slug of existing.has(draft.key) ? [] : slugs) {
      issues.error(draft.line, slug, 'MISSING_DATA', `${draft.key} is new, and its type requires a value for ${slug}.`)
    }
  }
}

function typePathOf({ set, make, target }: Draft): string {
  return String(set.typePath ?? make.typePath ?? target.name)
}

/** The required properties of each type path; most have none. Paths that share their properties share these. */
function requiredBy(types: TypeSource): TypeSource {
  const known = new Map<readonly Property[], readonly Property[]>()
  return typePath => {
    const all = types(typePath)
    const made = known.get(all) ?? all.filter(({ required, archived }) => required && !archived)
    known.set(all, made)
    return made
  }
}

function missing(draft: Draft, isImplied: boolean, required: readonly Property[]): string[] {
  const isOption = draft.family !== undefined
  return required
    .filter(({ level }) =>
      isImplied ? level === 'family' : isOption ? level === 'option' || level === 'all' : level !== 'option',
    )
    .filter(({ slug }) => !Object.hasOwn(draft.set, slug) && !Object.hasOwn(draft.make, slug))
    .map(({ slug }) => slug)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 16
}

/** Bytes are at least characters: a small text needs no second look. */
function checkSizes(drafts: readonly Draft[], issues: Issues): void {
  for (const draft of drafts) {
    const { set, make, line } = draft
    let characters = 0
    let count = 0
    for (const slug in set) {
      characters += lengthOf(set[slug])
      count++
    }
    if (count > ENTITY_MAX_PROPERTIES - 10 && Object.keys({ ...make, ...set }).length > ENTITY_MAX_PROPERTIES) {
      const message = `The row makes an entity of ${count} properties; at most ${ENTITY_MAX_PROPERTIES} are allowed.`
      issues.error(line, null, 'INVALID_DATA', message)
    }
    if (characters * 4 < ENTITY_MAX_BYTES || jsonBytes({ ...make, ...set }) + 200 <= ENTITY_MAX_BYTES) continue
    const [largest = ''] = Object.keys(set).sort((a, b) => lengthOf(set[b]) - lengthOf(set[a]))
    const message = `The row makes an entity of more than ${ENTITY_MAX_BYTES / KB} KB; its largest value, in ${largest}, has ${lengthOf(set[largest])} characters.`
    issues.error(line, largest, 'INVALID_DATA', message)
  }
}
