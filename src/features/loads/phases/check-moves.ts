// A row that gives a stored entity another type path answers for what is stored as well (N67), as an update of the API does.
import { pointerParts } from '../../../platform/errors.ts'
import { kindNamed } from '../../../platform/kind.ts'
import { ownValue } from '../../../platform/own-value.ts'
import type { Option } from '../../types/contract.ts'
import type { Definitions } from '../../types/definitions.ts'
import { faultsOf } from '../../types/fit.ts'
import type { LoadScope } from '../checkpoint.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import type { Draft } from '../drafts/draft.ts'
import { wordsIn } from '../drafts/inherited-values.ts'
import type { Properties } from '../drafts/row-values.ts'
import type { Issues } from '../issues.ts'
import type { Property, TypeSource } from '../rows/property.ts'
import { findByKey, typePathsOf } from '../store/existing.ts'

/** Entities of some types are other entities under another type path. */
function mayMove({ target, set }: Draft, types: TypeSource): boolean {
  if (target.home !== undefined || kindNamed(target.name).federatedScope !== 'kind') return false
  return typeof set.typePath === 'string' && types(set.typePath).length > 0
}

export async function checkMoves(
  { db, org }: LoadScope,
  drafts: readonly Draft[],
  { claims }: Pick<Reading, 'claims'>,
  types: TypeSource,
  issues: Issues,
): Promise<void> {
  const named = drafts.filter(draft => mayMove(draft, types))
  const [first] = named
  if (!first) return
  const root = first.target.name
  const keys = [...new Set(named.map(({ key }) => key))]
  const paths = await typePathsOf(db, org.id, root, keys)
  const moved = named.filter(({ key, set }) => paths.has(key) && paths.get(key) !== set.typePath)
  if (moved.length === 0) return
  const stored = await findByKey(db, org.id, root, [...new Set(moved.map(({ key }) => key))])
  for (const draft of moved) {
    const { key, line, set } = draft
    const typePath = String(set.typePath)
    const data = stored.get(key)?.data ?? {}
    const definitions = definitionsOf(types(typePath))
    for (const { path, message } of faultsOf(definitions, { ...data, ...set }, true)) {
      const [slug = ''] = pointerParts(path)
      // What the row itself says has been looked at.
      if (Object.hasOwn(set, slug) || comesFromElsewhere(draft, definitions.get(slug), data, claims)) continue
      const what = `${key} becomes ${typePath}, which what is stored of it under ${slug} does not fit: ${message}`
      issues.error(line, 'typePath', 'INVALID_DATA', `${what} Load a value for ${slug} too, or keep the type path.`)
    }
  }
}

/** What an option gets from its family when it is written, and what a family has no place for (N32). */
function comesFromElsewhere(
  { family, target }: Draft,
  property: { slug: string; level?: unknown } | undefined,
  stored: Properties,
  claims: Reading['claims'],
): boolean {
  if (!property) return false
  const { slug, level } = property
  if (family === undefined) return level === 'option' && !Object.hasOwn(stored, slug)
  const held = claims.held('item', family)
  const words = held && wordsIn(held, target)
  if (level === 'family') return words !== undefined && ownValue(words.fixed, slug) != null
  return (
    level === 'override' && words !== undefined && ownValue(words.loose, slug) != null && !Object.hasOwn(stored, slug)
  )
}

const known = new WeakMap<readonly Property[], Definitions>()

function definitionsOf(properties: readonly Property[]): Definitions {
  const made =
    known.get(properties) ??
    new Map(properties.map(property => [property.slug, { ...property, options: property.options as Option[] | null }]))
  known.set(properties, made)
  return made
}
